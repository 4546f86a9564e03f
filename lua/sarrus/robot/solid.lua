--- Solids: { mass, centre, inertia }, the inertia about the centre, all in the axes of some frame.

local kind_of_inertia = require "sarrus.model.part.inertia" (3)
local placement = require "sarrus.robot.placement"
local rotation = require "sarrus.expr.rotation"

local solid = {}

---@class sarrus.Solid
---@field mass number
---@field centre number[]
---@field inertia number[][]

---@param mass number
---@param centre number[]
---@param inertia number[][]
---@return sarrus.Solid
function solid.new(mass, centre, inertia)
  return { mass = mass, centre = centre, inertia = inertia }
end

local function diagonal(a, b, c)
  return { { a, 0, 0 }, { 0, b, 0 }, { 0, 0, c } }
end

--- m (|d|^2 - d d^T): what a point mass at d adds to an inertia.
local function of_point(mass, d)
  local square = d[1] * d[1] + d[2] * d[2] + d[3] * d[3]
  local m = {}
  for i = 1, 3 do
    m[i] = {}
    for j = 1, 3 do
      m[i][j] = mass * ((i == j and square or 0) - d[i] * d[j])
    end
  end
  return m
end

--- A solid of one frame, seen from the frame that this one is placed in.
---@param self sarrus.Solid
---@param at sarrus.Placement
---@return sarrus.Solid
function solid.placed(self, at)
  local r = at.rotation
  local turned = rotation.product(rotation.product(r, self.inertia), rotation.transpose(r))
  for i = 1, 2 do
    for j = i + 1, 3 do
      local mean = (turned[i][j] + turned[j][i]) / 2
      turned[i][j], turned[j][i] = mean, mean
    end
  end
  return solid.new(self.mass, placement.point(at, self.centre), turned)
end

--- Several solids of one frame as one; one alone keeps its digits.
---@param list sarrus.Solid[]
---@return sarrus.Solid
function solid.sum(list)
  if #list == 1 then
    return list[1]
  end
  local mass, centre = 0, { 0, 0, 0 }
  for _, one in ipairs(list) do
    mass = mass + one.mass
  end
  for _, one in ipairs(mass > 0 and list or {}) do
    for k = 1, 3 do
      centre[k] = centre[k] + one.mass / mass * one.centre[k]
    end
  end
  local inertia = diagonal(0, 0, 0)
  for _, one in ipairs(list) do
    local d = {}
    for k = 1, 3 do
      d[k] = one.centre[k] - centre[k]
    end
    local point = of_point(one.mass, d)
    for i = 1, 3 do
      for j = 1, 3 do
        inertia[i][j] = inertia[i][j] + one.inertia[i][j] + point[i][j]
      end
    end
  end
  return solid.new(mass, centre, inertia)
end

--- The same body with another mass.
---@param self sarrus.Solid
---@param mass number
---@return sarrus.Solid
function solid.scaled(self, mass)
  local factor, inertia = mass / self.mass, {}
  for i, row in ipairs(self.inertia) do
    inertia[i] = { factor * row[1], factor * row[2], factor * row[3] }
  end
  return solid.new(mass, self.centre, inertia)
end

-- Bodies of even density, about their own middle -------------------------------------------------

function solid.box(density, size)
  local x, y, z = size[1], size[2], size[3]
  local m = density * x * y * z
  return solid.new(m, { 0, 0, 0 }, diagonal(m * (y * y + z * z) / 12, m * (x * x + z * z) / 12,
    m * (x * x + y * y) / 12))
end

function solid.ellipsoid(density, half)
  local x, y, z = half[1], half[2], half[3]
  local m = density * 4 / 3 * math.pi * x * y * z
  return solid.new(m, { 0, 0, 0 }, diagonal(m * (y * y + z * z) / 5, m * (x * x + z * z) / 5,
    m * (x * x + y * y) / 5))
end

function solid.sphere(density, radius)
  return solid.ellipsoid(density, { radius, radius, radius })
end

--- Along z.
function solid.cylinder(density, radius, length)
  local m, r2 = density * math.pi * radius * radius * length, radius * radius
  local across = m * (3 * r2 + length * length) / 12
  return solid.new(m, { 0, 0, 0 }, diagonal(across, across, m * r2 / 2))
end

--- Along z: a cylinder of that length between two half balls, whose centres of mass are 3/8 of the
--- radius beyond its ends.
function solid.capsule(density, radius, length)
  local middle, ends = solid.cylinder(density, radius, length), solid.sphere(density, radius)
  local m, r = ends.mass, radius
  local shift = m * (length * length / 4 + 3 * length * r / 8)
  local a = middle.inertia[1][1] + ends.inertia[1][1] + shift
  return solid.new(middle.mass + m, { 0, 0, 0 },
    diagonal(a, a, middle.inertia[3][3] + ends.inertia[3][3]))
end

--- What closed triangles, three points after three, enclose: the sum over tetrahedra with the
--- origin.  With S = the integral of x x^T, a tetrahedron 0 a b c of volume V has
---   S = V / 20 (a a^T + b b^T + c c^T + s s^T), s = a + b + c, and the inertia is tr(S) - S.
---@param density number
---@param points number[][]
---@return sarrus.Solid? nil where nothing is enclosed
function solid.of_triangles(density, points)
  local volume, first, second = 0, { 0, 0, 0 }, diagonal(0, 0, 0)
  for n = 1, #points, 3 do
    local a, b, c = points[n], points[n + 1], points[n + 2]
    local v = (a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3])
      + a[3] * (b[1] * c[2] - b[2] * c[1])) / 6
    volume = volume + v
    for i = 1, 3 do
      local s = a[i] + b[i] + c[i]
      first[i] = first[i] + v * s / 4
      for j = 1, 3 do
        second[i][j] = second[i][j] + v / 20 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]
          + s * (a[j] + b[j] + c[j]))
      end
    end
  end
  if volume <= 0 then
    return nil
  end
  local centre = { first[1] / volume, first[2] / volume, first[3] / volume }
  local trace = second[1][1] + second[2][2] + second[3][3]
  local far, inertia = of_point(volume, centre), {}
  for i = 1, 3 do
    inertia[i] = {}
    for j = 1, 3 do
      inertia[i][j] = density * ((i == j and trace or 0) - second[i][j] - far[i][j])
    end
  end
  return solid.new(density * volume, centre, inertia)
end

-- Checks -----------------------------------------------------------------------------------------

--- What is wrong with a solid's numbers; nil if it can exist.
---@param self sarrus.Solid
---@return string?
function solid.wrong(self)
  local message
  if self.mass < 0 then
    return ("mass = %.6g kg is negative"):format(self.mass)
  end
  kind_of_inertia(self.inertia, "inertia", function(text)
    message = message or text
  end)
  return message
end

-- A body of even density has its radius of gyration between 0.4 (a ball) and 1 (a ring) of the
-- distance of its farthest point; motors and hulls go beyond, slips in units far beyond.
local LARGE, SMALL = 3, 0.01

--- What is improbable about a solid that reaches so far from its centre; nil if nothing is.
---@param self sarrus.Solid
---@param reach number 0 where it is not known
---@return string?
function solid.strange(self, reach)
  local most = math.max(self.inertia[1][1], self.inertia[2][2], self.inertia[3][3])
  if self.mass == 0 and most == 0 then
    return nil
  elseif self.mass == 0 then
    return "it has inertia but no mass"
  elseif most == 0 then
    return "it has mass but no inertia"
  end
  local gyration = math.sqrt(most / self.mass)
  if reach > 0 and (gyration > LARGE * reach or gyration < SMALL * reach) then
    return ("its radius of gyration is %.3g m, but it reaches %.3g m from its centre of mass: are "
      .. "the units of mass and inertia right?"):format(gyration, reach)
  end
end

return solid
