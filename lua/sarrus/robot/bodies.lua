--- From links to bodies: links that are fixed to each other are fused, and each body gets one mass.

local errors = require "sarrus.base.errors"
local placement = require "sarrus.robot.placement"
local shapes = require "sarrus.robot.shapes"
local solid = require "sarrus.robot.solid"

local bodies = {}

---@class sarrus.RobotBody
---@field link table the one nearest the root, which gives name and axes
---@field links table[]
---@field solid sarrus.Solid in the frame of that link
---@field ground boolean? it is fixed to the ground and has no mass of its own

--- How far what is known of a link reaches from a place in its frame: its shapes, and where joints
--- lead on.
local function reach_of(link, from)
  local most = shapes.reach(link.shapes, from)
  local back = placement.inverse(link.at)
  for _, joint in ipairs(link.joined) do
    most = math.max(most, shapes.distance(placement.point(back, joint.at), from))
  end
  return most
end

local function title(link)
  return ("link %s"):format(errors.show(link.name))
end

--- Say what is missing, wrong or strange about the mass of a link; what is wrong may be made good
--- by links that it is fused with.
local function look_at(link)
  local own, what = link.solid, title(link)
  local wrong = own and solid.wrong(own)
  local strange = own and (wrong or solid.strange(own, reach_of(link, own.centre)))
  if not own then
    link.element:note(what .. " has no inertial: it has no mass")
  elseif own.mass < 0 then
    link.element:fault(what .. ": " .. wrong)
  elseif strange and not (wrong and #link.body.links == 1) then
    link.element:note(what .. ": " .. strange)
  end
end

--- A body that cannot exist is a fault of its link.
local function check(body)
  local wrong = solid.wrong(body.solid)
  if wrong and body.solid.mass >= 0 then
    body.link.element:fault(title(body.link) .. ": " .. (#body.links > 1
      and "with what is fixed to it, " or "") .. wrong)
  end
end

--- Tell links which joints are on them.
local function join(robot)
  for _, link in ipairs(robot.links) do
    link.joined = {}
  end
  for _, joint in ipairs(robot.joints) do
    table.insert(joint.b.joined, joint)
    if joint.a then
      table.insert(joint.a.joined, joint)
    end
  end
end

local function new_body(link)
  local body = { link = link, links = {} }
  link.body = body
  return body
end

--- The mass of a body, from its links.
local function solid_of(body)
  local back, list = placement.inverse(body.link.at), {}
  for _, link in ipairs(body.links) do
    if link.solid then
      list[#list + 1] = link == body.link and link.solid
        or solid.placed(link.solid, placement.product(back, link.at))
    end
  end
  return solid.sum(#list > 0 and list
    or { solid.new(0, { 0, 0, 0 }, { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }) })
end

--- Note joints behind which there is no mass: nothing says how they move.
local function check_moved(robot)
  local heavy = {}
  for i = #robot.joints, 1, -1 do
    local joint = robot.joints[i]
    local own = joint.b.body
    heavy[own] = heavy[own] or own.solid.mass > 0 or own.solid.inertia[1][1] > 0
    if joint.a then
      heavy[joint.a.body] = heavy[joint.a.body] or heavy[own]
    end
    if not heavy[own] and not joint.kind.rigid then
      joint.element:note(("joint %s: nothing behind it has mass: unless a loop holds it, its "
        .. "motion is undetermined"):format(errors.show(joint.name)))
    end
  end
end

--- The bodies of a robot, in the order of their links; links know theirs as `link.body`.
---@param robot table
---@param fuse boolean
---@return sarrus.RobotBody[]
function bodies.of(robot, fuse)
  local list = {}
  join(robot)
  for _, joint in ipairs(robot.joints) do
    local inner = fuse and joint.kind.rigid and joint.a
    if inner then
      joint.b.body, joint.fused = inner.body, true
    else
      list[#list + 1] = new_body(joint.b)
    end
    table.insert(joint.b.body.links, joint.b)
  end
  for _, link in ipairs(robot.links) do
    if not link.massless then
      look_at(link)
    end
  end
  for _, body in ipairs(list) do
    body.solid = solid_of(body)
    check(body)
    body.ground = body.solid.mass == 0 and body.link.joint.kind.rigid
      and (not body.link.joint.a or body.link.joint.a.body.ground) or false
  end
  check_moved(robot)
  return list
end

return bodies
