-- Hosts: the programs of examples that load exported models, and twenty recordings that are the
-- same under every Lua, with every collector.
local sarrus = require "sarrus"
local bits = dofile("spec/bits.lua")
local exported = dofile("spec/exported.lua")
local shell = dofile("spec/shell.lua")
local sketches = dofile("spec/sketches.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

--- What a program prints for a model; its source is a file, of examples or another one.
local function build_and_run(compiler, source, path)
  local program = exported.open() .. "/" .. source:gsub(".*/", ""):gsub("%W", "_")
  shell.run(("%s -Wall -Wextra -Wpedantic -Werror -Icore/include -o %s %s "
    .. "build/libsarrus.a -llapack -lm"):format(compiler, program,
      source:find("/", 1, true) and source or "examples/" .. source))
  return shell.run(program .. " " .. path)
end

-- Callbacks throw in the third step of an advance; a copy has them too.
local throwing = [[
#include <cstdio>
#include <sarrus/sarrus.hpp>

struct Enough {};

static int ask(void *ud) {
  if (--*static_cast<int *>(ud) == 0) throw Enough();
  return 0;
}

static int hear(void *ud, const sarrus_Sim *) { return ask(ud); }

static void go(sarrus::Sim &sim, int &left) try {
  left = 3;
  sim.advance(5);
} catch (const Enough &) {
  std::printf("thrown at %d of 5, %d left\n", sim.time() > 0 && sim.time() < 5, left);
}

int main(int, char **argv) {
  const sarrus::Model model = sarrus::Model::load(argv[1]);
  int left = 0;
  sarrus_SimOptions asked = sarrus_SimOptions();
  asked.cancelled = ask;
  asked.ud = &left;
  sarrus::Sim sim = model.simulate({}, asked), other = model.simulate();
  go(sim, left);
  sarrus::Sim copy = sim.clone();
  go(copy, left);
  sarrus::Sim moved = std::move(sim);
  moved.on_cancel(nullptr, nullptr);
  moved.on_step(hear, &left);
  go(moved, left);
  sarrus::Sim second = moved.clone();
  go(second, left);
  moved.on_step(nullptr, nullptr);
  moved.advance(5);
  other.advance(5);
  std::printf("%d\n", moved.save() == other.save());
}
]]

-- A ball that falls, with another restitution than the file's, step by step.
local falling = [[
#include <cmath>
#include <cstdio>
#include <sarrus/sarrus.hpp>

static int count(void *ud, const sarrus_Sim *) {
  ++*static_cast<int *>(ud);
  return 0;
}

static int stop(void *, const sarrus_Sim *) { return 1; }

int main(int, char **argv) try {
  const sarrus::Model model = sarrus::Model::load(argv[1]);
  sarrus::Sim sim = model.simulate({}, sarrus_SimOptions(), {{"e", 0.8}, {"radius", 0.2}});
  sarrus::View view = model.view({SARRUS_LAWS});
  double impulse[3];
  int steps = 0, made = 0;
  sim.on_step(count, &steps);
  for (; !sim.struck(0, impulse); made++)
    sim.step();
  view.look(sim);
  std::printf("%.9f s: %.9f Ns, gap %.6f m, %d\n", sim.time(), impulse[0],
              std::fabs(view.point(0).gap), steps == made);
  const double size = sim.step(sim.time() + 0.125);
  std::printf("%.9f s, then %d, %d\n", size, sim.struck(0, impulse), sim.advance(0.6));
  sim.on_step(stop, nullptr);
  std::printf("%d", sim.advance(50));
  std::printf(" %d\n", sim.time() < 50);
  model.simulate({}, sarrus_SimOptions(), {{"mass", 1}});
} catch (const sarrus::Error &error) {
  std::printf("%s\n", error.what());
}
]]

local function ball()
  local radius = sarrus.parameter("radius", 0.1)
  return sarrus.model {
    name = "ball", gravity = { 0, -9.81 },
    sarrus.body.disk { "ball", position = { 0, 1 }, radius = radius, mass = 1 },
    sarrus.shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    sarrus.contact.pair { "landing", "floor", { "ball" },
      restitution = sarrus.parameter("e", 0.5) },
  }
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

describe("hosts #build", function()
  local path = exported.open() .. "/host.sarrus"
  setup(function() assert(sketches.four_bar():export(path)) end)

  it("in C: host.c", function()
    assert.are.equal([[
four-bar
  crank    rod of 1.000 m
  coupler  rod of 2.236 m
  rocker   rod of 2.236 m
  A        hinge
  B        hinge
  C        hinge
  D        hinge
0.0 s  ( 0.0000,  0.5000,  0.0000) turned (0.7071, 0.7071)  ( 1.0000,  1.5000,  0.0000) turned (]]
  .. [[0.9732, 0.2298)  ( 2.5000,  1.0000,  0.0000) turned (0.5257, 0.8507)
]], build_and_run("cc -std=c11", "host.c", path):match("^.-0%.0 s[^\n]*\n"))
  end)

  it("in C++: host.cpp, which starts as Lua does", function()
    local sim = assert(sketches.four_bar():simulate {
      joints = { A = { angle = 0.5, rate = 1 } },
    })
    local rocker, energy = sim:state():body("rocker"), sim:state():energy().total
    local printed = build_and_run("c++ -std=c++11", "host.cpp", path)
    assert.are.equal(("0.0 s: rocker at (%.4f, %.4f), turned by %.4f, energy %.9f\n"):format(
      rocker.x, rocker.y, rocker.angle, energy), printed:match("^[^\n]*\n"))
    assert.are.equal("0.450 s: C carries 22.36 N, and breaks\n", printed:match("\n([^\n]*\n)"))
    assert.are.equal(("%.9f"):format(energy), printed:match("energy (%S+)\n$"))
  end)

  it("in C++: what a callback throws arrives, and the simulation goes on", function()
    local source = write(exported.open() .. "/throwing.cpp", throwing)
    assert.are.equal(("thrown at 1 of 5, 0 left\n"):rep(4) .. "1\n",
      build_and_run("c++ -std=c++11", source, path))
  end)

  it("in C++: parameters of a start, steps, what is struck", function()
    local source = write(exported.open() .. "/falling.cpp", falling)
    assert(ball():export(exported.open() .. "/ball.sarrus"))
    local time, impulse = math.sqrt(2 * 0.8 / 9.81), 1.8 * math.sqrt(2 * 0.8 * 9.81)
    assert.are.equal(("%.9f s: %.9f Ns, gap 0.000000 m, 1\n"):format(time, impulse)
      .. "0.125000000 s, then 0, 1\n0 1\nARGUMENT: the model has no 'mass' there\n",
      build_and_run("c++ -std=c++11", source, exported.open() .. "/ball.sarrus"))
  end)

  it("tell what they cannot load", function()
    local program = exported.open() .. "/host_cpp"
    assert.are.equal("IO: no.sarrus: No such file or directory\n",
      shell.run(program .. " no.sarrus || true"))
    assert.are.equal("FORMAT: Makefile: the data is not what this object wrote\n",
      shell.run(program .. " Makefile || true"))
  end)
end)

describe("recordings", function()
  local expected

  --- Hashes of the first ones by an interpreter of their own.
  local function hashes(lua, setting, most)
    return shell.run(('eval "$(.ci/env)"; %s -e "io.write(dofile(\'spec/bits.lua\').all(\'%s\', %d'
      .. '))"'):format(lua, setting, most))
  end

  setup(function() expected = bits.all("default", 6) end)

  it("are the same under the other Lua", function()
    assert.are.equal(expected, hashes(interpreter == "luajit" and "lua5.4" or "luajit", "default",
      6))
  end)

  for _, setting in ipairs(bits.settings()) do
    it("are the same with a collector that is " .. setting, function()
      local three = expected:match("^" .. ("[^\n]*\n"):rep(3))
      assert.are.equal(three, hashes(interpreter, setting, 3))
    end)
  end
end)
