--- Surfaces of solids as triangles with normals, for files that know nothing else.

local triangles = {}

---@class sarrus.Triangles
---@field points number[] x, y, z of each corner, three corners after three
---@field normals number[] of each corner
local Triangles = {}
Triangles.__index = Triangles

local AROUND, UP = 24, 12 -- sides of what is round

---@return sarrus.Triangles
function triangles.new()
  return setmetatable({ points = {}, normals = {} }, Triangles)
end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

local function less(a, b)
  return { a[1] - b[1], a[2] - b[2], a[3] - b[3] }
end

--- a + x u + y v + z w
local function sum(a, x, u, y, v, z, w)
  local p = {}
  for k = 1, 3 do
    p[k] = a[k] + x * u[k] + (y and y * v[k] or 0) + (z and z * w[k] or 0)
  end
  return p
end

local function norm(a)
  return math.sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
end

local function unit(a)
  local size = norm(a)
  return size > 0 and { a[1] / size, a[2] / size, a[3] / size } or { 0, 0, 1 }
end

--- A triangle; without normals of its own it is flat.
function Triangles:add(a, b, c, na, nb, nc)
  local flat = not na and unit(cross(less(b, a), less(c, a)))
  for i, p in ipairs { a, b, c } do
    local n = flat or (i == 1 and na or i == 2 and nb or nc)
    for k = 1, 3 do
      self.points[#self.points + 1], self.normals[#self.normals + 1] = p[k], n[k]
    end
  end
end

function Triangles:quad(a, b, c, d, na, nb, nc, nd)
  self:add(a, b, c, na, nb, nc)
  self:add(a, c, d, na, nc, nd)
end

--- Two unit vectors across one, right-handed with it.
local function across(w)
  local least = 1
  for k = 2, 3 do
    least = math.abs(w[k]) < math.abs(w[least]) and k or least
  end
  local e = { 0, 0, 0 }
  e[least] = 1
  local u = unit(cross(w, e))
  return u, cross(w, u)
end

--- A box about a place, by its axes and its size along them.
function Triangles:box(at, axes, size)
  for i = 1, 3 do
    local j, k = i % 3 + 1, (i + 1) % 3 + 1
    for _, side in ipairs { -1, 1 } do
      local function corner(s, t)
        return sum(at, side * size[i] / 2, axes[i], side * s * size[j] / 2, axes[j],
          t * size[k] / 2, axes[k])
      end
      self:quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))
    end
  end
end

--- What turns about the line from a place along w: rings { along, radius, slope of the normal }.
local function revolve(self, at, w, rings)
  local u, v = across(w)
  local function point(ring, i)
    local angle = 2 * math.pi * i / AROUND
    local c, s = math.cos(angle), math.sin(angle)
    local p = sum(at, ring[1], w, ring[2] * c, u, ring[2] * s, v)
    return p, unit(sum({ 0, 0, 0 }, ring[3], w, ring[4] * c, u, ring[4] * s, v))
  end
  for r = 1, #rings - 1 do
    for i = 0, AROUND - 1 do
      local a, na = point(rings[r], i)
      local b, nb = point(rings[r], i + 1)
      local c, nc = point(rings[r + 1], i + 1)
      local d, nd = point(rings[r + 1], i)
      if rings[r][2] > 0 then
        self:add(a, b, c, na, nb, nc)
      end
      if rings[r + 1][2] > 0 then
        self:add(a, c, d, na, nc, nd)
      end
    end
  end
end

--- A cylinder between two places.
function Triangles:cylinder(from, to, radius)
  local d = less(to, from)
  local length = norm(d)
  revolve(self, from, unit(d), {
    { 0, 0, -1, 0 }, { 0, radius, -1, 0 }, { 0, radius, 0, 1 }, { length, radius, 0, 1 },
    { length, radius, 1, 0 }, { length, 0, 1, 0 },
  })
end

--- All places within a radius of a line; of one place, a ball.
function Triangles:capsule(from, to, radius)
  local d, rings = less(to, from), {}
  local length = norm(d)
  for side = 0, 1 do
    for i = 0, UP / 2 do
      local angle = math.pi / 2 * (side - 1 + 2 * i / UP)
      local s, c = math.sin(angle), math.abs(math.cos(angle))
      c = c < 1e-9 and 0 or c
      rings[#rings + 1] = { side * length + radius * s, radius * c, s, c }
    end
  end
  revolve(self, from, unit(d), rings)
end

function Triangles:sphere(at, radius)
  self:capsule(at, at, radius)
end

--- A convex polygon of the plane z = 0, as thick as said.
function Triangles:prism(points, thickness)
  local function lift(p, z)
    return { p[1], p[2], z }
  end
  local z = thickness / 2
  for i, p in ipairs(points) do
    local q = points[i % #points + 1]
    self:quad(lift(p, -z), lift(q, -z), lift(q, z), lift(p, z))
    if i > 2 then
      local a, b = points[1], points[i - 1]
      self:add(lift(a, z), lift(b, z), lift(p, z))
      self:add(lift(a, -z), lift(p, -z), lift(b, -z))
    end
  end
end

--- A square about a place, seen from both sides.
function Triangles:sheet(at, normal, size)
  local u, v = across(unit(normal))
  local h = size / 2
  local a, b = sum(at, -h, u, -h, v), sum(at, h, u, -h, v)
  local c, d = sum(at, h, u, h, v), sum(at, -h, u, h, v)
  self:quad(a, b, c, d)
end

--- Triangles as they are, three points after three.
function Triangles:mesh(points)
  for i = 1, #points - 2, 3 do
    self:add(points[i], points[i + 1], points[i + 2])
  end
end

return triangles
