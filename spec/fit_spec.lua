-- Fits: parameters from data, and from residuals of the script's own.
local sarrus = require "sarrus"
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

--- What the command writes.
local function command(words)
  local pipe = assert(io.popen(interpreter .. " lua/bin/sarrus " .. words))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

local function swing()
  return sarrus.model { name = "swing", gravity = { 0, -9.81 },
    sarrus.body.rigid { "bob", position = { 0.3, -1 }, mass = sarrus.parameter("m", 2),
      inertia = 0 },
    sarrus.joint.revolute { "J", "ground", "bob", at = { 0, 0 },
      damping = sarrus.parameter("c", 0.3) },
  }
end

--- Angles of the swing, with noise that every Lua has.
local function measured(size)
  local data, seed = { t = {}, ["J.angle"] = {} }, 1
  for t, s in assert(swing():simulate {}):samples(2, 0.05) do
    seed = (seed * 16807) % 2147483647
    table.insert(data.t, t)
    table.insert(data["J.angle"], s:joint("J").angle + size * (seed / 2147483647 - 0.5))
  end
  return data
end

describe("fit", function()
  it("finds values with their deviation, and prints itself", function()
    local found = assert(sarrus.fit { swing(), parameters = { { "c", value = 1 } },
      data = measured(1e-3) })
    assert.is_true(math.abs(found.values.c - 0.3) < 3 * found.sigma.c)
    assert.is_true(found.sigma.c > 1e-5 and found.sigma.c < 1e-2)
    assert.are.equal(found.values.c, found.values[1])
    assert.is_true(math.abs(found.covariance[1][1] - found.sigma.c ^ 2) < 1e-18)
    assert.is_true(found.interval.c[1] < 0.3 and found.interval.c[2] > 0.3)
    assert.is_true(math.abs(found.noise["J.angle"] / (1e-3 / math.sqrt(12)) - 1) < 0.3)
    local text = tostring(found)
    assert.is_truthy(text:find('^fit of model "swing": %d+ iterations, 41 residuals, root mean '
      .. 'square 0'))
    assert.is_truthy(text:find("\n  c  0%.%d+ %+%- 0%.%d+  95 %%: 0%.2%d+ to 0%.3%d+$"), text)
  end)

  it("stays within bounds, and says so", function()
    local found = assert(sarrus.fit { swing(), parameters = { { "c", low = 0.5, high = 2 } },
      data = measured(1e-3) })
    assert.are.equal(0.5, found.values.c)
    assert.are.same({ "c" }, found.at_bound)
    assert.is_truthy(tostring(found):find("c  0.5 held by its bound", 1, true))
  end)

  it("says that nothing holds what exact values give exactly", function()
    local system = sarrus.system { name = "cart", coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function() return { sarrus.parameter("f", 2) } end }
    local found = assert(sarrus.fit { system, q = { 0 }, parameters = { "f" },
      residuals = function(run)
        assert(run:advance(2))
        local x = run:state().q.x
        return { x - 4, x - 4, 2 * x - 8 } -- f t^2 / 2, to the last bit
      end })
    assert.are.equal(0, found.residual)
    assert.are.same({}, found.at_bound)
    assert.are.equal('fit of system "cart": 0 iterations, 3 residuals, root mean square 0\n'
      .. "  f  2 +- 0", tostring(found))
  end)

  it("says in words what several directions are that the data do not determine", function()
    local system = sarrus.system { name = "cart", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      force = function() return { sarrus.parameter("f", 2), sarrus.parameter("g", 1)
        * sarrus.parameter("h", 3) } end }
    local data = { t = { 0, 1, 2 }, ["q.x"] = { 0, 1.1, 4 } }
    local found, message, code = sarrus.fit { system, q = { 0, 0 }, data = data,
      parameters = { "f", "g", "h" } }
    assert.is_nil(found)
    assert.are.equal('system "cart": fit: the data do not determine all parameters: neither '
      .. 'changing "g" nor changing "h" changes anything to 7 digits; fix 2 of them, or measure '
      .. "more",
      message)
    assert.are.equal("SINGULAR", code)
    local _, one = sarrus.fit { system, q = { 0, 0 }, parameters = { "f", "h" }, data = data }
    assert.are.equal('system "cart": fit: the data do not determine all parameters: changing "h" '
      .. "changes nothing to 7 digits; fix one of them, or measure more", one)
  end)

  it("refuses parameters that the data do not determine", function()
    local found, message, code = sarrus.fit { swing(), parameters = { "m", "c" },
      data = measured(1e-3) }
    assert.is_nil(found)
    assert.are.equal('model "swing": fit: the data do not determine all parameters: changing "m" '
      .. 'by 1 and "c" by 0.1498 together changes nothing to 7 digits; fix one of them, or measure '
      .. "more", message)
    assert.are.equal("SINGULAR", code)
    assert.is_truthy(sarrus.fit { swing(), parameters = { "c" }, fixed = { m = 2 },
      data = measured(1e-3) })
  end)

  it("takes residuals of the script's own", function()
    local found = assert(sarrus.fit { swing(), parameters = { "start.J.rate" },
      residuals = function(run)
        assert(run:advance(1))
        return { run:state():joint("J").angle - 0.5 }
      end })
    assert.is_true(found.residual < 1e-12)
    local none, message, code = sarrus.fit { swing(), parameters = { "c" },
      residuals = function() return { 0 / 0 } end }
    assert.is_nil(none)
    assert.is_truthy(message:find("^residuals%[1%]: got .*, want a finite number$"), message)
    assert.are.equal("CALLBACK", code)
  end)

  it("works on systems too", function()
    local oscillator = sarrus.system { name = "oscillator", coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function(q) return { -sarrus.parameter("k", 3) * q.x } end,
    }
    local data = { t = {}, ["q.x"] = {} }
    for i = 0, 20 do
      data.t[i + 1], data["q.x"][i + 1] = 0.1 * i, math.cos(2 * 0.1 * i)
    end
    local found = assert(sarrus.fit { oscillator, q = { 1.2 }, parameters = { "k", "start.q.x" },
      data = data })
    assert.is_true(math.abs(found.values.k - 4) < 1e-9)
    assert.is_true(math.abs(found.values["start.q.x"] - 1) < 1e-9)
  end)

  it("refuses what is no fit", function()
    local data = { t = { 0, 1 }, ["J.angle"] = { 0, 1 } }
    local function raises(given, message)
      local good, raised = pcall(sarrus.fit, given)
      assert.is_false(good)
      assert.are.equal(message, (raised:gsub("^[^:]*:%d+: ", "")))
    end
    raises({ swing(), parameters = { "c" } }, "fit: give either data or residuals")
    raises({ 3, parameters = { "c" }, data = data },
      "fit: got number 3, want a model or a system first: { model, parameters = … }")
    raises({ swing(), parameters = { "c", "c" }, data = data },
      'fit: parameters[2]: "c" is named twice')
    raises({ swing(), parameters = { "d" }, data = data },
      'model "swing": fit: "d" is no parameter and no starting value')
    raises({ swing(), parameters = { "c" }, data = { t = { 0 }, ["J.angel"] = { 0 } } },
      [[model "swing": fit: data: unknown quantity of J "angel" (did you mean 'angle'?), want one ]]
      .. "of angle, rate, force, torque")
    raises({ swing(), parameters = { "c" }, data = { t = { 0, 1 }, ["J.angle"] = { 0 } } },
      'fit: data["J.angle"]: 1 numbers, but t has 2')
  end)

  it("is a command", function()
    local folder = shell.temporary_directory()
    local script, sheet = folder .. "/swing.lua", folder .. "/swing.csv"
    local file = assert(io.open(script, "w"))
    file:write([[
      local sarrus = require "sarrus"
      return sarrus.model { name = "swing", gravity = { 0, -9.81 },
        sarrus.body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
        sarrus.joint.revolute { "J", "ground", "rod", at = { 0, 0 },
          damping = sarrus.parameter("c", 0.3) },
      }]])
    file:close()
    command(("run %s --until 1 --every 0.1 --set c=0.5 --quiet --csv %s --channels J.angle")
      :format(script, sheet))
    local text = command(("fit %s --data %s --parameters c=0:2"):format(script,
      sheet))
    assert.is_truthy(text:find('^fit of model "swing": '), text)
    assert.is_truthy(text:find("  95 %: 0.5 to 0.5\n", 1, true), text)
    text = command(("fit %s 2>&1"):format(script))
    assert.are.equal("sarrus: fit needs --data\ntry 'sarrus fit --help'\n", text)
    for words, wanted in pairs {
      ["--parameters d"] = 'model "swing": fit: "d" is no parameter and no starting value',
      ["--parameters c,c"] = 'fit: parameters[2]: "c" is named twice',
      ["--parameters c --set d=1"] = '--set d: model "swing" has no such parameter; it has c',
      ["--parameters c --set c=1"] = "--set c: it is fitted; give its bounds with --parameters",
    } do
      text = command(("fit %s --data %s %s 2>&1; echo $?"):format(script, sheet, words))
      assert.are.equal(("sarrus: %s\ntry 'sarrus fit --help'\n2\n"):format(wanted), text)
    end
    os.remove(script)
    os.remove(sheet)
    os.remove(folder)
  end)
end)
