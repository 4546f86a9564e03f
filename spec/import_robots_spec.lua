-- Whole robots from files, against answers that owe nothing to sarrus.
local check = dofile("spec/check.lua")
local draws = dofile("spec/random/tools/draw.lua")
local files = dofile("spec/robots.lua")
local robots = dofile("spec/random/tools/robots.lua")
local shell = dofile("spec/shell.lua")
local sarrus = require "sarrus"

local near, space = check.near, robots.space

local function import(text, suffix, options)
  return robots.with_file(text, suffix, function(path)
    return assert(sarrus.import(path, options))
  end)
end

local function model_of(parts)
  return sarrus.model { name = parts.name, gravity = parts.gravity, parts }
end

--- The arm as robots.efforts takes it, from the same published numbers.
local function published()
  local links = {}
  local function put(name, on, mass, centre, moments, rpy, joint)
    links[#links + 1] = {
      name = name, on = on, mass = mass, centre = centre, moments = moments, rpy = rpy,
      joint = joint,
    }
    joint.damping, joint.q, joint.rate, joint.acceleration = 0, 0, 0, 0
  end
  for i, link in ipairs(files.UR5) do
    put(link[1], i - 1, link.mass, link.centre, link.moments, { 0, 0, 0 }, {
      name = "joint" .. i, kind = "revolute", xyz = link.xyz, rpy = link.rpy, axis = link.axis,
    })
  end
  put("flange", 6, 0, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { name = "flange_joint",
    kind = "fixed", xyz = { 0, 0.0823, 0 }, rpy = { 0, 0, math.pi / 2 }, axis = { 1, 0, 0 } })
  put("tool", 7, 0.8, { 0.05, 0, 0.01 }, { 0.001, 0.002, 0.0022 }, { 0, 0, 0 }, {
    name = "tool_joint", kind = "fixed", xyz = { 0.02, 0, 0 }, rpy = { 0.3, -0.2, 0.1 },
    axis = { 1, 0, 0 } })
  return links
end

--- Mass, centre and inertia about the origin, of bodies { mass, centre, inertia } in world axes.
local function totals(bodies)
  local mass, first, second = 0, { 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 }
  for _, b in ipairs(bodies) do
    local m, c, i = b[1], b[2], b[3]
    mass, first = mass + m, space.add(first, c, m)
    local square = space.dot(c, c)
    for k, at in ipairs { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } } do
      local r, s = at[1], at[2]
      second[k] = second[k] + i[r][s] + m * ((r == s and square or 0) - c[r] * c[s])
    end
  end
  return { mass, first[1], first[2], first[3], second[1], second[2], second[3], second[4],
    second[5], second[6] }
end

local function matrix_of(q)
  local w, x, y, z = q[1], q[2], q[3], q[4]
  return {
    { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
    { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
    { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) },
  }
end

--- The bodies of a list of parts, as `totals` takes them.
local function bodies_of(parts)
  local list = {}
  for _, part in ipairs(parts) do
    local given = part.given
    if part.family == "body" then
      local r, i = matrix_of(given.orientation or { 1, 0, 0, 0 }), given.inertia
      i = type(i[1]) == "table" and i or { { i[1], 0, 0 }, { 0, i[2], 0 }, { 0, 0, i[3] } }
      list[#list + 1] = { given.mass, given.position,
        space.product(space.product(r, i), space.transposed(r)) }
    end
  end
  return list
end

describe("a six-axis arm", function()
  it("has the mass, centre and inertia of its file, to 1e-14", function()
    local links = published()
    local across, along = 4 * (3 * 0.0745 ^ 2 + 0.05 ^ 2) / 12, 4 * 0.0745 ^ 2 / 2
    local list = { { 4, { 0, 0, 0 }, { { across, 0, 0 }, { 0, across, 0 }, { 0, 0, along } } } }
    robots.efforts(links, { 0, 0, 0 })
    for _, link in ipairs(links) do
      local m = link.moments
      local i = { { m[1], 0, 0 }, { 0, m[2], 0 }, { 0, 0, m[3] } }
      list[#list + 1] = { link.mass, space.add(link.at.p, space.apply(link.at.r, link.centre)),
        space.product(space.product(link.at.r, i), space.transposed(link.at.r)) }
    end
    local expected = totals(list)
    for _, options in ipairs { {}, { fuse = false } } do
      local found = totals(bodies_of(import(files.arm(), ".urdf", options)))
      for k, x in ipairs(expected) do
        near(x, found[k], 1e-14 * math.max(1, math.abs(x)))
      end
    end
  end)

  it("is held against gravity at 100 poses as Newton and Euler say, fused or not", function()
    local fused = model_of(import(files.arm(), ".urdf"))
    local unfused = model_of(import(files.arm(), ".urdf", { fuse = false }))
    local draw, links = draws.new(15), published()
    for pose = 1, 100 do
      local start = {}
      for i = 1, 6 do
        links[i].joint.q = draw:between(-3, 3)
        start["joint" .. i] = { angle = links[i].joint.q }
      end
      local expected = robots.efforts(links, { 0, 0, -9.81 })
      local one = assert(fused:simulate { joints = start }):state():efforts {}
      local other = pose % 5 == 0
        and assert(unfused:simulate { joints = start }):state():efforts {} or one
      for name, x in pairs(expected) do
        near(x, one[name], 1e-11)
        near(one[name], other[name], 1e-11)
      end
    end
  end)
end)

describe("a robot with loops", function()
  --- Assemble to 1e-12 and hold the loops for ten seconds.
  local function holds(parts, freedoms)
    local model = model_of(parts)
    local sim = assert(model:simulate {})
    assert.is_true(sim:state():residual().position < 1e-12)
    assert.equal(freedoms, model:freedoms())
    for t = 1, 10 do
      assert(sim:advance(t))
      assert.is_true(sim:state():residual().position < 1e-12)
    end
  end

  it("may be a Delta: by URDF and loops", function()
    local text, loops = files.delta()
    holds(import(text, ".urdf", { loops = loops }), 3)
  end)

  it("may be Stewart's platform", function()
    local text, loops = files.stewart()
    holds(import(text, ".urdf", { loops = loops }), 6)
  end)

  it("may be a walker on leaf springs: by MJCF with connect", function()
    holds(import(files.walker(), ".xml"), 14)
    assert.equal(20, model_of(import(files.walker(false), ".xml")):freedoms())
  end)
end)

describe("a robot of 80 links", function()
  it("is imported in less than half a second", function()
    local text = files.legged(16)
    assert.equal(81, select(2, text:gsub("<link ", "")))
    local time, parts = dofile("spec/pace.lua").seconds(function()
      return (import(text, ".urdf", { floating = true }))
    end, 3)
    assert.is_true(time < 0.5, time .. " s")
    assert.equal(1 + 64, #bodies_of(parts))
  end)
end)

describe("a script made of a robot", function()
  local script, robot = require "sarrus.robot.script", require "sarrus.robot"

  --- The model of the script that a file is converted to, and of the file itself.
  local function both(text, suffix, options)
    return robots.with_file(text, suffix, function(path)
      local code = script.of(assert(robot.read(path, options)))
      return { model_of(assert(sarrus.import(path, options))),
        assert((loadstring or load)(code))(), code } -- luacheck: std max
    end)
  end

  it("has the same digits", function()
    local delta, loops = files.delta()
    local draw = draws.new(3)
    local drawn = robots.draw(draw, 7, { "revolute", "prismatic", "fixed" })
    for _, one in ipairs {
      { files.arm(), ".urdf" }, { delta, ".urdf", { loops = loops } }, { files.walker(), ".xml" },
      { robots.mjcf(drawn, draw), ".xml" },
    } do
      local models = both(one[1], one[2], one[3])
      local bits = {}
      for i = 1, 2 do
        local sim = assert(models[i]:simulate {})
        assert(sim:advance(0.2))
        bits[i] = check.bits(sim)
      end
      assert.equal(bits[1], bits[2])
    end
  end)

  it("reads like one written by a person", function()
    local code = both([[
<mujoco model="swing">
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.5"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05" rgba="1 0.5 0 1"/>
      <inertial pos="0 0 -0.25" mass="2" diaginertia="0.25 0.25 0.125"/>
      <camera name="eye"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="100" kv="2"/></actuator>
</mujoco>]], ".xml")[3]
    local path = code:match("from ([^\n]*)%.\n")
    assert.equal([[
-- swing, from robot.xml.
local sarrus = require "sarrus"
local body, joint, shape = sarrus.body, sarrus.joint, sarrus.shape

-- What motors are told: sim:set(name, value).
local motor = {
  servo = sarrus.parameter("servo", 0),
}

-- What was ignored or changed:
-- robot.xml:7: <camera "eye"> ignored: no part of the mechanics

return sarrus.model {
  name = "swing", gravity = { 0, 0, -9.81 },

  -- links
  body.rigid { "arm", position = { 0, 0, 0.75 }, mass = 2, inertia = { 0.25, 0.25, 0.125 } },

  -- joints
  joint.revolute { "hinge", "ground", "arm", at = { 0, 0, 1 }, axis = { 0, 1, 0 },
    torque = function(angle, rate) return 100 * (motor.servo - angle) - 2 * rate end,
    damping = 0.5 },

  -- shapes
  shape.capsule { "arm_shape", "arm", from = { 0, 0, 0.5 }, to = { 0, 0, 1 }, radius = 0.05,
    color = "#ff8000" },
}
]], (code:gsub(path:gsub("%p", "%%%0"), "robot.xml")))
  end)

  it("is written by the command, and runs", function()
    local folder = shell.temporary_directory()
    local file = assert(io.open(folder .. "/arm.urdf", "w"))
    file:write(files.arm())
    file:close()
    local env = 'eval "$(.ci/env)" && cd ' .. folder .. " && "
    local notes = shell.run(env .. "sarrus convert arm.urdf -o arm.lua")
    assert.truthy(notes:find('sarrus: note: arm.urdf:16: link "flange" has no inertial', 1, true))
    local one = shell.run(env .. "sarrus run arm.lua --until 0.2 --csv - 2>/dev/null")
    local other = shell.run(env .. "sarrus run arm.urdf --until 0.2 --csv - 2>/dev/null")
    assert.equal(one, other)
    assert.equal(1002, select(2, one:gsub("\n", "\n")))
    assert.truthy(shell.run(env .. "sarrus check arm.urdf"):find("6 freedoms", 1, true))
    shell.run("rm -r " .. folder)
  end)
end)
