--- Inverse kinematics of arms drawn at random, of six axes and more, and of planar loops: poses
--- that they can have are found again, within limits.

local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local class = { cases = 40, bound = 1e-12 }

--- An arm of hinges whose axes differ from one to the next.
local function arm(draw)
  local parts, at, before = { name = "arm" }, { 0, 0, 0 }, "ground"
  local axes = { { 0, 0, 1 }, { 0, 1, 0 }, { 1, 0, 0 } }
  local last = 0
  for i = 1, draw:whole(6, 8) do
    local axis = draw:whole(1, 3)
    axis = axis == last and axis % 3 + 1 or axis
    last = axis
    local step = draw:list(3, -0.3, 0.6)
    local name = "link" .. i
    parts[#parts + 1] = body.rigid { name, mass = draw:between(0.2, 5),
      inertia = { 0.02, 0.03, 0.04 },
      position = { at[1] + step[1] / 2, at[2] + step[2] / 2, at[3] + step[3] / 2 } }
    parts[#parts + 1] = joint.revolute { "J" .. i, before, name, at = at, axis = axes[axis],
      limits = { -2.6, 2.6 } }
    at, before = { at[1] + step[1], at[2] + step[2], at[3] + step[3] }, name
  end
  return sarrus.model(parts), before, draw:list(3, -0.2, 0.2)
end

--- A five-bar in the plane with a pen at its tip.
local function five_bar(draw)
  local tip = { draw:between(0.8, 1.2), draw:between(1, 1.4) }
  local function rod(name, from, to)
    return body.rod { name, from = from, to = to, mass = 1 }
  end
  local left, right = { -0.3, 0.8 }, { 2.1, 0.8 }
  return sarrus.model { name = "five-bar",
    rod("a", { 0, 0 }, left), rod("b", left, tip),
    rod("c", right, tip), rod("d", { 1.8, 0 }, right),
    joint.revolute { "A", "ground", "a", at = { 0, 0 } },
    joint.revolute { "B", "a", "b", at = left }, joint.revolute { "C", "b", "c", at = tip },
    joint.revolute { "D", "c", "d", at = right },
    joint.revolute { "E", "d", "ground", at = { 1.8, 0 } },
  }, "b", draw:list(2, -0.2, 0.2)
end

function class.case(draw)
  local planar = draw:chance(0.3)
  local model, hand, point = (planar and five_bar or arm)(draw)
  local joints = {}
  for _, name in ipairs(planar and {} or model.names.joint) do
    joints[name] = { angle = draw:between(-2.5, 2.5) }
  end
  joints.A = planar and { angle = draw:between(-0.4, 0.4) } or nil
  joints.E = planar and { angle = draw:between(-0.4, 0.4) } or nil
  local wanted = assert(model:assemble { joints = joints })
  local target = { hand, point = point, position = wanted:point(hand, point) }
  if not planar then
    target.orientation = wanted:body(hand).orientation
  end
  local s, report = assert(model:reach { targets = { target } })
  local off = math.max(report.off, report.turned, s:residual().position)
  for k = 1, not planar and 3 or 2 do
    off = math.max(off, math.abs(s:point(hand, point)[k] - target.position[k]))
  end
  for _, x in pairs(report.joints) do
    off = math.max(off, not planar and math.abs(x.angle) - 2.6 or 0)
  end
  return off
end

return class
