-- Two free bodies and one joint between them, and what must hold of every joint.
local assert = require "luassert"
local drawing = require "sarrus.model.drawing"
local sarrus = require "sarrus"
local vec = sarrus.vec

local pair = {}

local function norm(x)
  return type(x) == "number" and math.abs(x) or vec.norm(x)
end

--- Planar (2) or spatial (3) model of free bodies "a" and "b" and the joint; velocities that are
--- projected on what the joint allows.
function pair.model(dimension, joint)
  local body = sarrus.body
  local parts = { name = "pair" }
  if dimension == 2 then
    parts.gravity = { 0.3, -9.81 }
    parts[1] = body.rigid { "a", mass = 2, inertia = 0.7, position = { 0.2, 0.1 }, angle = 0.4,
      velocity = { 0.3, -0.2 }, spin = 0.9 }
    parts[2] = body.rigid { "b", mass = 3, inertia = 0.5, position = { 1.1, 0.6 }, angle = -0.3,
      velocity = { -0.1, 0.5 }, spin = -1.3 }
  else
    parts.gravity = { 0.3, -9.81, 0.5 }
    parts[1] = body.rigid { "a", mass = 2, inertia = { 0.7, 0.8, 0.9 }, position = { 0.2, 0.1, 0 },
      orientation = { axis = { 1, 2, 3 }, angle = 0.4 }, velocity = { 0.3, -0.2, 0.1 },
      spin = { 0.9, 0.4, -0.3 } }
    parts[2] = body.rigid { "b", mass = 3,
      inertia = { { 0.5, 0.05, 0 }, { 0.05, 0.6, 0.02 }, { 0, 0.02, 0.7 } },
      position = { 1.1, 0.6, 0.3 }, velocity = { -0.1, 0.5, 0.2 }, spin = { -1.3, 0.2, 0.6 } }
  end
  for _, part in ipairs(joint) do
    parts[#parts + 1] = part
  end
  return sarrus.model(parts)
end

--- The acceleration of the centre of mass, and the moment about it that the motion needs.
local function needed(s, name)
  local record = s.model.index[name].record
  local o, a = record.offset, s.a
  if s.model.dimension == 2 then
    return vec.new { a[o + 1], a[o + 2] }, record.inertia * a[o + 3]
  end
  local alpha, axes = vec.new { 0, 0, 0 }, {}
  for i = 1, 3 do
    local e = vec.new { s.q[o + 3 * i + 1], s.q[o + 3 * i + 2], s.q[o + 3 * i + 3] }
    axes[i] = e
    alpha = alpha + vec.cross(e, { a[o + 3 * i + 1], a[o + 3 * i + 2], a[o + 3 * i + 3] }) * 0.5
  end
  local function inertia_times(w)
    local local_w = { vec.dot(axes[1], w), vec.dot(axes[2], w), vec.dot(axes[3], w) }
    local sum = vec.new { 0, 0, 0 }
    for i = 1, 3 do
      sum = sum + axes[i] * vec.dot(vec.new(record.inertia[i]), local_w)
    end
    return sum
  end
  local w = s:body(name).spin
  return vec.new { a[o + 1], a[o + 2], a[o + 3] }, inertia_times(alpha)
    + vec.cross(w, inertia_times(w))
end

--- Violation of Newton's and Euler's laws for a body under gravity and loads { force, torque,
--- point, sign }, relative.
function pair.imbalance(s, name, loads)
  local body, record = s:body(name), s.model.index[name].record
  local acceleration, moment = needed(s, name)
  local force = vec.new(s.model.gravity) * record.mass
  local torque = s.model.dimension == 2 and 0 or vec.new { 0, 0, 0 }
  local scale = 1 + norm(moment)
  for _, load in ipairs(loads) do
    local f = load.force * load.sign
    force = force + f
    torque = torque + load.torque * load.sign + vec.cross(load.point - body.position, f)
    scale = scale + norm(load.force) + norm(load.torque)
  end
  return math.max(norm(acceleration * record.mass - force), norm(torque - moment)) / scale
end

--- Largest violation of Newton's and Euler's laws by a joint's reaction, relative, for both bodies.
function pair.newton_euler(s, name, point)
  local j, worst = s:joint(name), 0
  for _, side in ipairs { { "b", 1 }, { "a", -1 } } do
    worst = math.max(worst, pair.imbalance(s, side[1], {
      { force = j.force, torque = j.torque, point = point, sign = side[2] },
    }))
  end
  return worst
end

--- The power of a joint's reactions on both bodies, relative to the power on one.
function pair.power(s, name, point)
  local j, sum, size = s:joint(name), 0, 1
  for _, side in ipairs { { "b", 1 }, { "a", -1 } } do
    local body = s:body(side[1])
    local arm = point - body.position
    local velocity = body.velocity + (s.model.dimension == 2
      and vec.new { -body.spin * arm[2], body.spin * arm[1] } or vec.cross(body.spin, arm))
    local by_force = vec.dot(j.force, velocity)
    local by_torque = s.model.dimension == 2 and j.torque * body.spin
      or vec.dot(j.torque, body.spin)
    sum = sum + side[2] * (by_force + by_torque)
    size = size + math.abs(by_force) + math.abs(by_torque)
  end
  return math.abs(sum) / size
end

--- How a body has turned since it was drawn: the images of the axes of the drawing.
local function turned(s, name)
  local record, axes = s.model.index[name].record, {}
  for k = 1, s.model.dimension do
    local d = s.model.dimension == 2 and { 0, 0 } or { 0, 0, 0 }
    d[k] = 1
    axes[k] = s:point(name, drawing.direction(record, d)) - s:point(name)
  end
  return axes
end

--- Where b is as seen from a, in the axes of the drawing: the shift of its point drawn at p, and
--- the map of directions.
function pair.relative(s, p)
  local of_a, of_b = turned(s, "a"), turned(s, "b")
  local function seen(d)
    local list = {}
    for k, axis in ipairs(of_a) do
      list[k] = vec.dot(axis, d)
    end
    return vec.new(list)
  end
  local shift = seen(pair.on("b", p)(s) - pair.on("a", p)(s))
  return shift, function(d)
    local sum = of_b[1] * d[1]
    for k = 2, #of_b do
      sum = sum + of_b[k] * d[k]
    end
    return seen(sum)
  end
end

local function check_state(s, name, point, options)
  assert.is_true(s:residual().position < 1e-13, "position " .. s:residual().position)
  assert.is_true(s:residual().velocity < 1e-12, "velocity " .. s:residual().velocity)
  local error = pair.newton_euler(s, name, point(s))
  assert.is_true(error < 1e-10, ("Newton-Euler at %g: %g"):format(s.t, error))
  if not options.driven then
    local power = pair.power(s, name, point(s))
    assert.is_true(power < 1e-11, ("power at %g: %g"):format(s.t, power))
  end
  if options.keeps then
    for i, x in ipairs(options.keeps(pair.relative(s, options.at))) do
      assert.is_true(norm(x) < 1e-13, ("what stays, %d, at %g: %g"):format(i, s.t, norm(x)))
    end
  end
end

--- Everything that holds for an ideal joint.  options.keeps(shift, turn), of the motion relative to
--- a of what b has at options.at, answers what must vanish.
---@param point fun(s): sarrus.Vector the joint's point on B
function pair.check(dimension, parts, equations, point, options)
  options = options or {}
  local model = pair.model(dimension, parts)
  local record = model.index.J.record
  assert.equal(equations, #record.constraints + #(record.velocity_constraints or {}))
  assert.equal((options.freedoms or (dimension == 2 and 6 or 12) - equations),
    model:freedoms())
  local sim = assert(model:simulate { tolerance = 1e-13 })
  assert.is_true(sim:stats().assembly.moved < 1e-14)
  for _, t in ipairs { 0, 0.3, 1 } do
    assert(sim:advance(t))
    check_state(sim:state(), "J", point, options)
  end
  return sim, model
end

--- The point of a body that is drawn at p.
function pair.on(name, p)
  return function(s)
    return s:point(name, drawing.place(s.model.index[name].record, p))
  end
end

function pair.on_b(p)
  return pair.on("b", p)
end

return pair
