-- Andrews' squeezing mechanism from bodies and joints: seven bodies, a spring, a motor.
-- Returns the model, so that other scripts can use it; run by itself it prints a table.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force
local sin, cos = math.sin, math.cos

-- Angles in the drawing: the start of the published problem.
local be, ga, ph = -0.0617138900142764496, 0.455279819163070380, 0.222668390165885885
local de, om, ep = 0.487364979543842550, -0.222668390165885885, 1.230547444549821192

local a, b, c = { -0.06934, -0.00227 }, { -0.03635, 0.03273 }, { 0.014, 0.072 }

--- The place at x along a direction and y across it.
local function from(p, angle, x, y)
  return { p[1] + x * cos(angle) - y * sin(angle), p[2] + x * sin(angle) + y * cos(angle) }
end

local function squeezer(dimension)
  local function at(p) -- the same in the plane and in space
    return dimension == 2 and p or { p[1], p[2], 0 }
  end
  local axis = dimension == 3 and { 0, 0, 1 } or nil
  local function rigid(name, position, angle, mass, inertia)
    return body.rigid {
      name, position = at(position), mass = mass,
      angle = dimension == 2 and angle or nil,
      orientation = dimension == 3 and { axis = axis, angle = angle } or nil,
      inertia = dimension == 2 and inertia or { inertia, inertia, inertia },
    }
  end
  local function pin(name, one, other, place, torque)
    return joint.revolute { name, one, other, at = at(place), axis = axis, torque = torque }
  end
  local crank = from({ 0, 0 }, be, 0.007, 0)
  local tip = from(crank, be, -0.028, 0)
  local k5, k7 = from(a, de, 0.04, 0), from(a, ep, 0, -0.04)
  return sarrus.model {
    name = "squeezer",
    rigid("K1", from({ 0, 0 }, be, 0.00092, 0), be, 0.04325, 2.194e-6),
    rigid("K2", from(crank, be, -0.0115, 0), be, 0.00365, 4.410e-7),
    rigid("K3", from(b, ga, 0.01043, -0.01874), ga, 0.02373, 5.255e-6),
    rigid("K4", from(k5, ph + de, 0, -0.00579), ph + de, 0.00706, 5.667e-7),
    rigid("K5", from(a, de, 0.02308, 0.00916), de, 0.07050, 1.169e-5),
    rigid("K6", from(k7, om + ep, 0.00579, 0), om + ep, 0.00706, 5.667e-7),
    rigid("K7", from(a, ep, -0.00449, -0.01228), ep, 0.05498, 1.912e-5),
    pin("O", "ground", "K1", { 0, 0 }, 0.033),
    pin("P", "K1", "K2", crank),
    pin("B", "ground", "K3", b),
    pin("A5", "ground", "K5", a),
    pin("A7", "ground", "K7", a),
    pin("E", "K5", "K4", k5),
    pin("G", "K7", "K6", k7),
    pin("F3", "K2", "K3", tip),
    pin("F4", "K2", "K4", tip),
    pin("F6", "K2", "K6", tip),
    force.spring { "spring", "ground", "K3", from = at(c), to = at(from(b, ga, 0.02, -0.018)),
      stiffness = 4530, length = 0.07785 },
  }
end

if not (arg and arg[0] and arg[0]:find("squeezer_model", 1, true)) then
  return squeezer
end

local planar = squeezer(2)
local sim = assert(planar:simulate {})
print("   t       crank angle    rate         force at F3 (x, y)")
for t, s in sim:samples(0.03, 0.003) do
  local f = s:joint("F3").force
  print(("%6.3f  %13.8f %11.4f  %12.5f %12.5f"):format(t, be + s:joint("O").angle,
    s:joint("O").rate, f.x, f.y))
end

return planar -- for the command: sarrus run examples/squeezer_model.lua --until 0.03
