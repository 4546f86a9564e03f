--- Scripts made of random parts, for the fuzzer: every byte is a choice, and where they end, zeros
--- follow.
---
--- Whatever they say, misuse raises one plain string that begins with the place in the script,
--- failures of numbers come as nil, message, code, and the simulation that is left has a finite
--- state and can go on.

local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local codes = {}
for code in ("SINGULAR INCONSISTENT STEP NONFINITE EVENT CALLBACK CANCELLED IO FORMAT VERSION "
  .. "NOMEM LIMIT CONTACT"):gmatch("%S+") do
  codes[code] = true
end

-- Bytes -------------------------------------------------------------------------------------------

local bytes, at

local function take(count)
  at = at + 1
  return (bytes:byte(at) or 0) % count
end

local function one_of(list)
  return list[take(#list) + 1]
end

local strange = {
  0 / 0, math.huge, -math.huge, -1, 0, 1e300, "1", "", true, {}, { {} }, function() end,
  sarrus.time, { 1 }, { 1, 2 }, { 1, 2, 3 }, { 0, 0, 0 }, { 1, 2, 3, 4 }, { x = 1 }, "ground",
}

--- What is given, but one time in 24 something else, or nothing.
local function mostly(value)
  local byte = take(256)
  if byte < 246 then
    return value
  elseif byte < 250 then
    return nil
  end
  return one_of(strange)
end

local function number()
  return (take(33) - 16) / 4
end

local function positive()
  return (take(16) + 1) / 4
end

-- Parts -------------------------------------------------------------------------------------------

local dimension, bodies, joints = 2, {}, {}

local function place()
  local x, y, z = number(), number(), number()
  return mostly(dimension == 2 and { x, y } or { x, y, z })
end

local function axis()
  if dimension == 2 then
    return mostly(one_of { { 1, 0 }, { 0, 1 }, { 1, 1 } })
  end
  return mostly(one_of { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { 1, -1, 2 } })
end

--- Axes of what turns: planar models have none.
local function hinge()
  return dimension == 3 and axis() or nil
end

--- Two of them, mostly different.
local function two_bodies()
  local i = take(#bodies + 1)
  local j = (i + 1 + take(#bodies)) % (#bodies + 1)
  return mostly(bodies[i] or "ground"), mostly(bodies[j] or "ground")
end

local function spin()
  return dimension == 2 and mostly(number()) or mostly { number(), number(), number() }
end

local makers = {
  function(name) return body.point { name, position = place(), mass = mostly(positive()) } end,
  function(name)
    return body.rod { name, from = place(), to = place(), mass = mostly(positive()) }
  end,
  function(name)
    local inertia = dimension == 2 and 1 or { 1, 1.5, 2 }
    return body.rigid { name, position = place(), mass = mostly(positive()),
      inertia = mostly(inertia), spin = spin() }
  end,
  function(name)
    local size = dimension == 2 and { 1, 2 } or { 1, 2, 3 }
    return body.box { name, position = place(), size = mostly(size), density = mostly(positive()) }
  end,
  function(name)
    return body.disk { name, position = place(), radius = mostly(positive()), axis = hinge(),
      mass = mostly(positive()), length = dimension == 3 and 0.1 or nil }
  end,
  function(name)
    return body.sphere { name, position = place(), radius = mostly(positive()), mass = positive() }
  end,
}

--- Fields of a coordinate: motion, spring, limits, effort.
local function driven(given, effort)
  local choice = take(8)
  if choice == 1 then
    given.motion = mostly(sarrus.sin(sarrus.time) * number())
  elseif choice == 2 then
    given.stiffness, given.damping = mostly(positive()), mostly(0.25)
  elseif choice == 3 then
    given.limits = mostly { -positive(), positive(), restitution = mostly(0.5) }
  elseif choice == 4 then
    given[effort] = mostly(function(q, v, t) return number() - q - v + sarrus.sin(t) end)
  elseif choice == 5 then
    given[effort] = mostly(sarrus.parameter("effort", 1) * number())
  end
  return given
end

local planar_joiners = {
  function(n, a, b)
    return joint.revolute(driven({ n, a, b, at = place(), axis = hinge() }, "torque"))
  end,
  function(n, a, b)
    return joint.prismatic(driven({ n, a, b, at = place(), axis = axis() }, "force"))
  end,
  function(n, a, b) return joint.fixed { n, a, b, at = place() } end,
  function(n, a, b)
    return joint.distance { n, a, b, from = place(), to = place(), length = mostly(nil) }
  end,
  function(n, a, b) return joint.slot { n, a, b, at = place(), axis = axis() } end,
  function(n, a, b)
    return joint.rolling { n, a, b, radius = mostly(positive()), normal = axis() }
  end,
  function(n)
    return joint.gear { n, one_of(joints) or "none", one_of(joints) or "none", ratio = number() }
  end,
  function(n, a)
    return joint.custom { n, { a }, equations = mostly(function(one)
      return { one:point(place())[1] - number() }
    end) }
  end,
}

local joiners = {
  function(n, a, b) return joint.spherical { n, a, b, at = place() } end,
  function(n, a, b) return joint.universal { n, a, b, at = place(), axes = { axis(), axis() } } end,
  function(n, a, b) return joint.cylindrical { n, a, b, at = place(), axis = axis() } end,
  function(n, a, b) return joint.planar { n, a, b, at = place(), normal = axis() } end,
  function(n, a, b)
    return joint.screw { n, a, b, at = place(), axis = axis(), pitch = mostly(positive()) }
  end,
}
for _, joiner in ipairs(planar_joiners) do
  joiners[#joiners + 1] = joiner
end

local pushers = {
  function(n, a, b)
    return force.spring { n, a, b, from = place(), to = place(), stiffness = mostly(positive()),
      length = mostly(take(3) / 2), damping = mostly(number()) }
  end,
  function(n, a, b)
    return force.damper { n, a, b, from = place(), to = place(), damping = mostly(positive()) }
  end,
  function(n, a) return force.applied { n, a, at = place(), force = place() } end,
  function(n, a) return force.torque { n, a, torque = spin() } end,
  function(n, a)
    return force.drag { n, a, linear = mostly(positive()), quadratic = mostly(number()) }
  end,
  function(n, a, b) return force.torsion { n, a, b, axis = hinge(), stiffness = positive() } end,
  function(n, a, b)
    return force.bushing { n, a, b, at = place(), stiffness = mostly(positive()), damping = 0.1 }
  end,
}

local function make_model()
  dimension = 2 + take(2)
  bodies, joints = {}, {}
  local down = dimension == 2 and { 0, -9.81 } or { 0, 0, -9.81 }
  local parts = { name = mostly("m"), gravity = mostly(down) }
  for i = 1, 1 + take(3) do
    bodies[i] = mostly("b" .. i) or "b"
    parts[#parts + 1] = one_of(makers)(bodies[i])
  end
  for i = 1, take(5) do
    local kinds = dimension == 2 and take(16) > 0 and planar_joiners or joiners
    joints[i] = "j" .. i
    parts[#parts + 1] = one_of(kinds)(joints[i], two_bodies())
  end
  for i = 1, take(3) do
    parts[#parts + 1] = one_of(pushers)("f" .. i, two_bodies())
  end
  return sarrus.model(parts)
end

-- Systems
-- ------------------------------------------------------------------------------------------

local functions = { "sin", "cos", "tan", "exp", "log", "sqrt", "abs", "sign", "tanh", "atan" }

--- An expression of some others, not deep.
local function expression(of, depth)
  local choice = take(8)
  if depth == 0 or choice < 2 then
    return one_of(of)
  elseif choice == 2 then
    return number()
  end
  local a = expression(of, depth - 1)
  if choice == 3 then
    return sarrus[one_of(functions)](a)
  end
  local b = expression(of, depth - 1)
  if choice == 4 then
    return a + b
  elseif choice == 5 then
    return a * b
  elseif choice == 6 then
    return a / b
  end
  return a ^ take(4)
end

local function make_system()
  local n, constraints = 1 + take(3), take(2)
  local coordinates, mass = {}, {}
  for i = 1, n do
    coordinates[i], mass[i] = "q" .. i, {}
    for j = 1, n do
      mass[i][j] = mostly(i == j and 1 or 0)
    end
  end
  return sarrus.system {
    coordinates = mostly(coordinates), mass = mostly(function() return mass end),
    force = mostly(function(q, v, t)
      local list = {}
      for i = 1, n do
        list[i] = expression({ q[1], q[n], v[1], v[n], t }, 3)
      end
      return list
    end),
    constraints = constraints > 0 and function(q, t)
      return { expression({ q[1], q[n], t }, 3) }
    end or nil,
  }
end

-- Promises
-- -----------------------------------------------------------------------------------------

local function promise(holds, what)
  if not holds then
    error("promise broken: " .. tostring(what), 0)
  end
  return holds
end

--- Misuse: one string, whose lines begin with the place in the script, not with one inside of
--- sarrus.
local function promise_misuse(message)
  promise(type(message) == "string", message)
  promise(message:find("^lua/fuzz/scripts.lua:%d+: "), message)
  local own = message:find("an expression", 1, true) -- what a script must not do with one
  promise(own or not message:find("attempt to ", 1, true), message)
end

--- A result, or nil, message, code; misuse is no result either.
local last -- what was said last

local function try(f, ...)
  local good, result, message, code = pcall(f, ...)
  last = good and message or result
  if not good then
    promise_misuse(result)
    return nil
  end
  if result == nil and message ~= nil then
    promise(type(message) == "string" and codes[code], tostring(message) .. ", " .. tostring(code))
    return nil
  end
  return result
end

local function finite(x)
  return type(x) == "number" and x == x and x > -math.huge and x < math.huge
end

local function promise_state(sim)
  local s = sim:state()
  promise(finite(s.t), "t = " .. tostring(s.t))
  for _, list in ipairs { s.q, s.v } do
    for i = 1, #list do
      promise(finite(list[i]), "a number that is not finite")
    end
  end
end

-- Runs
-- ---------------------------------------------------------------------------------------------

--- The same expression whenever it is asked for: a restored simulation needs the same events.
local function condition(of_model)
  local first = at
  return function(s)
    local here = at
    at = first
    local result = of_model and s:body(bodies[1]).position[1 + take(2)] - number()
      or expression({ s.q[1], s.v[1], s.t }, 2)
    at = here
    return result
  end
end

local function make_events(of_model)
  local list = {}
  for i = 1, take(3) do
    list[i] = sarrus.event { "e" .. i, direction = mostly(one_of { "up", "down", "both" }),
      stop = mostly(take(2) == 0), when = mostly(condition(of_model)),
      action = mostly(take(2) == 0 and function(sim)
        return take(8) == 0 and sim:advance(1) or nil
      end or nil) }
  end
  return list
end

local calls = {
  function(sim) return sim:advance(mostly(sim.time + number() / 4)) end,
  function(sim) return sim:step() end,
  function(sim) return sim:at(mostly((sim:span()))) end,
  function(sim) return sim:set("effort", mostly(number())) end,
  function(sim) return sim:clone() end,
  function(sim) return sim:save() end,
  function(sim) return sim:stats() end,
  function(sim) return sim:warnings() end,
  function(sim) return sim:impulse(bodies[1], place()) end,
  function(sim)
    local next_one = sim:samples(mostly(sim.time + 0.25), mostly(0.125))
    for _ = 1, 4 do
      local good, t = pcall(next_one) -- iterators raise failures
      if not good or t == nil then break end
    end
  end,
  function(sim)
    local recording = sim:record { every = mostly(0.125) }
    return sim:advance(sim.time + 0.25) and recording
  end,
}

local function run(subject, of_model)
  if not subject then
    return
  end
  try(subject.explain, subject, mostly(one_of { "equations", "tape", "structure" }))
  local events = try(make_events, of_model)
  local given = { tolerance = mostly(1e-6), max_steps = 30, events = mostly(events),
    method = mostly(one_of { "auto", "series", "stiff" }) }
  if not of_model then
    given.q, given.v = {}, {}
    for i = 1, #subject.coordinates do
      given.q[i], given.v[i] = mostly(number()), mostly(i % 2)
    end
  end
  local sim = try(subject.simulate, subject, given)
  if not sim then
    return
  end
  promise_state(sim)
  for _ = 1, 1 + take(6) do
    try(one_of(calls), sim)
    promise_state(sim)
  end
  local record = sim:save()
  promise(try(subject.restore, subject, record, { events = given.events }), last)
end

local count = 0

return function(data)
  bytes, at = data, 0
  count = count + 1
  if take(4) == 0 then
    run(try(make_system), false)
  else
    run(try(make_model), true)
  end
  if count % 50 == 0 then
    collectgarbage()
  end
end
