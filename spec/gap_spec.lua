--- Gaps of shapes against plain geometry: distances to faces, edges and corners; of lines in space
--- by trying their points, whichever way both are turned.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, shape, contact = sarrus.body, sarrus.shape, sarrus.contact
local near = check.near

--- The gap of two parts where a model starts.
local function gap(parts, a, b)
  parts[#parts + 1] = contact.pair { "pair", a, b }
  local sim = assert(sarrus.model(parts):simulate {})
  return sim:state():contact("pair").gap
end

local HALF = { 0.5, 0.7, 0.9 }

--- A box and a ball of radius 0.2 whose middle is at a place.
local function ball_and_box(at)
  return gap({
    gravity = { 0, 0, 0 },
    body.box { "box", position = { 0, 0, 0 }, size = { 1, 1.4, 1.8 }, mass = 1 },
    body.sphere { "ball", position = at, radius = 0.2, mass = 1 },
  }, "box", "ball")
end

describe("gaps of a box and a ball", function()
  it("are distances to its faces, from every side", function()
    for k = 1, 3 do
      for sign = -1, 1, 2 do
        local at = { 0.1, -0.2, 0.15 }
        at[k] = sign * (HALF[k] + 0.2 + 0.25)
        near(0.25, ball_and_box(at))
      end
    end
  end)

  it("are distances to its edges and corners", function()
    for corner = 0, 7 do
      for flat = 0, 3 do -- the axis along which the ball is beside an edge; 0: none
        local at, square = {}, 0
        for k = 1, 3 do
          local sign = math.floor(corner / 2 ^ (k - 1)) % 2 == 0 and -1 or 1
          local off = k == flat and -0.1 or 0.2 + 0.1 * k
          at[k] = sign * (HALF[k] + off)
          square = square + math.max(off, 0) ^ 2
        end
        near(math.sqrt(square) - 0.2, ball_and_box(at))
      end
    end
  end)
end)

--- The least distance of two pieces of lines: of a point to the other piece it is known, and it is
--- convex along the first.
local function distance_of_lines(a, b)
  local function place(line, s)
    local p = {}
    for k = 1, 3 do
      p[k] = line[1][k] + s * (line[2][k] - line[1][k])
    end
    return p
  end
  local function to_second(p)
    local along, square = 0, 0
    for k = 1, 3 do
      local d = b[2][k] - b[1][k]
      along, square = along + d * (p[k] - b[1][k]), square + d * d
    end
    local q, sum = place(b, math.max(0, math.min(1, along / square))), 0
    for k = 1, 3 do
      sum = sum + (p[k] - q[k]) ^ 2
    end
    return math.sqrt(sum)
  end
  local low, high = 0, 1
  for _ = 1, 100 do
    local one, two = low + (high - low) / 3, high - (high - low) / 3
    if to_second(place(a, one)) < to_second(place(a, two)) then
      high = two
    else
      low = one
    end
  end
  return to_second(place(a, 0.5 * (low + high)))
end

local function capsules(a, b)
  local parts = { gravity = { 0, 0, 0 } }
  for i, line in ipairs { a, b } do
    local name = i == 1 and "a" or "b"
    parts[#parts + 1] = body.sphere { "body " .. name, position = line[1], radius = 0.01,
      mass = 1 }
    parts[#parts + 1] = shape.capsule { name, "body " .. name, from = line[1], to = line[2],
      radius = i == 1 and 0.1 or 0.05 }
  end
  return gap(parts, "a", "b")
end

describe("gaps of capsules", function()
  local lines = {
    crossing = { { { -1, 0, 0 }, { 1, 0, 0 } }, { { 0.2, -1, 0.5 }, { 0.2, 1, 0.7 } } },
    ["end to side"] = { { { -1, 0, 0 }, { 1, 0, 0 } }, { { 0.3, 0.4, 0 }, { 0.5, 2, 0.3 } } },
    ["end to end"] = { { { -1, 0, 0 }, { 1, 0, 0 } }, { { 1.5, 0.4, 0.2 }, { 3, 1, 1 } } },
    ["other end to end"] = { { { 1, 0, 0 }, { -1, 0, 0 } }, { { 3, 1, 1 }, { 1.5, 0.4, 0.2 } } },
    parallel = { { { -1, 0, 0 }, { 1, 0, 0 } }, { { -0.5, 0.6, 0 }, { 0.7, 0.6, 0 } } },
    skew = { { { 0.1, 0.2, -1 }, { 0.3, 0.1, 1.2 } }, { { 1, 1, 1 }, { 0.9, -1.1, -0.8 } } },
  }
  for name, pair in pairs(lines) do
    it(("are distances of their lines: %s"):format(name), function()
      near(distance_of_lines(pair[1], pair[2]) - 0.15, capsules(pair[1], pair[2]), 1e-7)
      near(distance_of_lines(pair[1], pair[2]) - 0.15, capsules(pair[2], pair[1]), 1e-7)
    end)
  end
end)

describe("gaps in the plane", function()
  local corners = { { -0.5, -0.3 }, { 0.6, -0.3 }, { 0.2, 0.5 } }
  local function to_triangle(at)
    return gap({
      gravity = { 0, 0 },
      body.point { "held", position = { 0, 0 }, mass = 1 },
      shape.polygon { "triangle", "ground", points = corners },
      body.disk { "disk", position = at, radius = 0.1, mass = 1 },
    }, "triangle", "disk")
  end

  it("are distances to sides and corners of a triangle", function()
    near(0.4, to_triangle { 0.1, -0.8 })
    for _, p in ipairs(corners) do -- beyond each corner, away from the middle
      local length = math.sqrt((p[1] - 0.1) ^ 2 + (p[2] + 0.03) ^ 2)
      local at = { p[1] + (p[1] - 0.1) / length, p[2] + (p[2] + 0.03) / length }
      near(0.9, to_triangle(at))
    end
  end)
end)

describe("sizes of polygons", function()
  it("are the larger of both extents, wherever they are", function()
    local forms = require "sarrus.model.drawing.form"
    for _, at in ipairs { { 0, 0 }, { -20, 30 } } do
      for _, size in ipairs { { 5, 2 }, { 2, 5 } } do
        local x, y = at[1], at[2]
        local points = { { x, y }, { x + size[1], y + 0.5 }, { x + 0.5, y + size[2] } }
        near(5, forms.polygon("p", points).size)
      end
    end
  end)
end)
