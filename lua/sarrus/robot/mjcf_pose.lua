--- Where an element of an MJCF file is.

local placement = require "sarrus.robot.placement"
local rotation = require "sarrus.expr.rotation"

local mjcf_pose = {}

local LETTERS = { x = 1, y = 2, z = 3 }

local function norm(d)
  return math.sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3])
end

--- A unit vector; nil and a fault where there is no direction.
---@param element sarrus.Element
---@param d number[]
---@return number[]?
function mjcf_pose.unit(element, d)
  local size = norm(d)
  if size < 1e-12 then
    return element:fault(("%s: an axis of length %.3g has no direction"):format(element:title(),
      size))
  end
  return { d[1] / size, d[2] / size, d[3] / size }
end

local readers = {}

function readers.quat(element)
  local q = element:numbers("quat", 4)
  if q and q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4] < 1e-24 then
    return element:fault(("%s: quat is zero, so no rotation"):format(element:title()))
  end
  return q and rotation.of_quaternion(q)
end

function readers.axisangle(element, settings)
  local x = element:numbers("axisangle", 4)
  local axis = x and mjcf_pose.unit(element, x)
  return axis and rotation.about(axis, settings.angle * x[4])
end

--- Small letters turn about the axes as they have become, capital ones about those of the frame.
function readers.euler(element, settings)
  local x, turn = element:numbers("euler", 3), rotation.identity()
  for k = 1, x and 3 or 0 do
    local letter = settings.eulerseq:sub(k, k)
    local one = placement.about(LETTERS[letter:lower()], settings.angle * x[k])
    turn = letter:lower() == letter and rotation.product(turn, one) or rotation.product(one, turn)
  end
  return turn
end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

function readers.xyaxes(element)
  local n = element:numbers("xyaxes", 6)
  local x = n and mjcf_pose.unit(element, n)
  if not x then
    return nil
  end
  local along = x[1] * n[4] + x[2] * n[5] + x[3] * n[6]
  local y = mjcf_pose.unit(element,
    { n[4] - along * x[1], n[5] - along * x[2], n[6] - along * x[3] })
  return y and rotation.transpose { x, y, cross(x, y) }
end

function readers.zaxis(element)
  local d = element:numbers("zaxis", 3)
  d = d and mjcf_pose.unit(element, d)
  return d and placement.z_to(d)
end

local NAMES = { "quat", "axisangle", "euler", "xyaxes", "zaxis" }

--- The orientation that an element gives.
---@param element sarrus.Element
---@param settings table of the compiler
---@return number[][]
function mjcf_pose.orientation(element, settings)
  local found
  for _, name in ipairs(NAMES) do
    if element:string(name) and found then
      element:fault(("%s has two orientations"):format(element:title()))
    elseif element:string(name) then
      found = readers[name](element, settings) or rotation.identity()
    end
  end
  return found or rotation.identity()
end

--- The placement that an element gives.
---@param element sarrus.Element
---@param settings table
---@return sarrus.Placement
function mjcf_pose.of(element, settings)
  return placement.new(mjcf_pose.orientation(element, settings),
    element:numbers("pos", 3, 3, { 0, 0, 0 }))
end

--- The letters of the compiler's eulerseq; nil and a fault.
---@param element sarrus.Element
---@return string
function mjcf_pose.sequence(element)
  local text = element:string("eulerseq", "xyz")
  if not text:find("^[xyzXYZ][xyzXYZ][xyzXYZ]$") then
    element:fault(("<compiler>: eulerseq = %q, want three of x, y, z, X, Y, Z"):format(text))
    return "xyz"
  end
  return text
end

return mjcf_pose
