-- Loops of spatial hinges, which are redundant, drawn with gaps or with axes a little off.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local drawings = {
  ["four-bar"] = { { 0, 0, 0 }, { 0, 1, 0 }, { 2, 2, 0 }, { 3, 0, 0 } },
  parallelogram = { { 0, 0, 0 }, { 0, 1, 0 }, { 2, 1, 0 }, { 2, 0, 0 } },
}

--- Numbers from -1 to 1 without a pattern, the same under every Lua.
local function noise(seed)
  local x = seed / 1000 + 0.5
  return function()
    x = (x * 997 + 0.123456789) % 1
    return 2 * x - 1
  end
end

--- Four bars whose joints are drawn at places(p), an `at`, with axes axis().
local function loop(p, places, axis)
  local function hinge(name, a, b, i)
    return joint.revolute { name, a, b, at = places(p[i]), axis = axis and axis() or { 0, 0, 1 } }
  end
  return sarrus.model {
    gravity = { 0, -9.81, 0 },
    body.rod { "crank", from = p[1], to = p[2], mass = 1 },
    body.rod { "coupler", from = p[2], to = p[3], mass = 1 },
    body.rod { "rocker", from = p[4], to = p[3], mass = 1 },
    hinge("A", "ground", "crank", 1), hinge("B", "crank", "coupler", 2),
    hinge("C", "coupler", "rocker", 3), hinge("D", "rocker", "ground", 4),
  }
end

--- The same, larger.
local function enlarged(p, size)
  local places = {}
  for i, q in ipairs(p) do
    places[i] = { size * q[1], size * q[2], 0 }
  end
  return places
end

--- Places that are off by up to `size`, another one for each body; and what the axial gaps add up
--- to.
local function rough(seed, size, flat)
  local random, offset = noise(seed), { 0 }
  local function off(p)
    local z = flat and 0 or size * random()
    return { p[1] + size * random(), p[2] + size * random(), p[3] + z }
  end
  return function(p)
    local a, b = off(p), off(p)
    offset[1] = offset[1] + b[3] - a[3]
    return { a = a, b = b }
  end, offset
end

--- Where the far end of the rocker is, of the two ways in which four bars close, in the one that is
--- drawn: to the left of the line from the crank's end to the rocker's pivot.
local function joint_c(angle, p)
  local function length(i, j)
    return math.sqrt((p[j][1] - p[i][1]) ^ 2 + (p[j][2] - p[i][2]) ^ 2)
  end
  local l1, l2, l3 = length(1, 2), length(2, 3), length(3, 4)
  local bx, by = l1 * math.cos(math.pi / 2 + angle), l1 * math.sin(math.pi / 2 + angle)
  local dx, dy = p[4][1] - bx, p[4][2] - by
  local d = math.sqrt(dx ^ 2 + dy ^ 2)
  local along = (d ^ 2 + l2 ^ 2 - l3 ^ 2) / (2 * d)
  local off = math.sqrt(math.max(0, l2 ^ 2 - along ^ 2))
  return bx + (along * dx - off * dy) / d, by + (along * dy + off * dx) / d
end

describe("of the two ways in which a loop closes, the one as drawn is taken", function()
  for name, far in pairs { ["four-bar"] = 3.1, parallelogram = 1.5 } do
    it("by a " .. name .. " at any angle", function()
      local p = drawings[name]
      local model = loop(p, function(q) return q end)
      for k = -31, 31, 4 do
        local angle = k * far / 31
        local s = assert(model:assemble { joints = { A = { angle = angle } } })
        local x, y = joint_c(angle, p)
        local c = s:body("rocker").position -- the middle between the pivot and the far end
        assert.near(x, 2 * c.x - p[4][1], 1e-10)
        assert.near(y, 2 * c.y - p[4][2], 1e-10)
        assert.near(angle, s:joint("A").angle, 1e-12)
      end
    end)
  end
end)

--- A crank of length `size` at an angle, and a rod to a block that slides along x.
local function slider_crank(size, rod, angle)
  local x, y = size * math.cos(angle), size * math.sin(angle)
  local reach = x + math.sqrt((size * rod) ^ 2 - y ^ 2)
  return sarrus.model {
    gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = { x, y }, mass = 1 },
    body.rod { "rod", from = { x, y }, to = { reach, 0 }, mass = 1 },
    body.box { "block", position = { reach, 0 }, size = { size / 10, size / 10 }, mass = 1 },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "rod", at = { x, y } },
    joint.revolute { "C", "rod", "block", at = { reach, 0 } },
    joint.prismatic { "S", "ground", "block", at = { reach, 0 }, axis = { 1, 0 } },
  }, reach
end

describe("of the two ways in which a slider crank closes, the one as drawn is taken", function()
  -- rods and angles from which Newton's method alone, or with half as many strides, is led astray
  local drawn = { { 1.601, -0.747 }, { 1.837, 0.602 }, { 1.952, -0.434 }, { 2.017, 0.0645 },
    { 1.2, 2.9 } }
  for _, size in ipairs { 1e-3, 1, 1e3 } do
    it("whatever its length, with a crank of " .. size, function()
      for _, one in ipairs(drawn) do
        local rod, angle = one[1], one[2]
        local model, reach = slider_crank(size, rod, angle)
        for k = 1, 24 do
          local x = rod - 1 + 2 * k / 24.4
          local s = assert(model:assemble { joints = { S = { length = size * x - reach } } })
          local cosine = (1 + x ^ 2 - rod ^ 2) / (2 * x)
          local sine = (angle > 0 and 1 or -1) * math.sqrt(1 - cosine ^ 2)
          local middle = s:body("crank").position
          assert.near(cosine, 2 * middle.x / size, 1e-10)
          assert.near(sine, 2 * middle.y / size, 1e-9)
        end
      end
    end)
  end
end)

local sizes = { 1e-9, 1e-6, 5e-6, 1e-3, 0.1 }

for name, p in pairs(drawings) do
  describe("a spatial " .. name, function()
    it("closes gaps in its plane", function()
      for _, size in ipairs(sizes) do
        for seed = 1, 5 do
          local model = loop(p, (rough(seed, size, true)))
          assert.equal(1, model:freedoms())
          local sim = assert(model:simulate {})
          assert(sim:advance(0.2))
          assert.is_true(sim:state():residual().position < 3e-14)
        end
      end
    end)

    it("closes gaps whatever its size", function()
      for _, size in ipairs { 1e-4, 1e-2, 1e3 } do
        for seed = 1, 5 do
          local sim = assert(loop(enlarged(p, size), (rough(seed, 0.1 * size, true))):simulate {})
          assert(sim:advance(0.1 * math.sqrt(size)))
          assert.is_true(sim:state():residual().position < 3e-14 * math.max(size, 1))
          assert.is_false(sim:state():joint("A").singular)
        end
      end
    end)

    it("names the joints and the gap across its plane, which cannot close", function()
      for _, size in ipairs(sizes) do
        for seed = 1, 5 do
          local places, offset = rough(seed, size, false)
          local state, message, code, nearest = loop(p, places):assemble {}
          assert.is_nil(state)
          assert.equal("INCONSISTENT", code)
          local square = 0
          for metres in message:gsub(" over %S+ m", ""):gmatch("([%d.][%d.e-]*) m%f[%A]") do
            square = square + tonumber(metres) ^ 2
          end
          assert.truthy(message:find('joint.revolute "[ABCD]" by '), message)
          assert.truthy(message:find("spherical or cylindrical", 1, true))
          local ratio = math.sqrt(square) / math.abs(offset[1])
          assert.is_true(ratio > 0.3 and ratio < 5, message)
          for _, bar in ipairs { "crank", "coupler", "rocker" } do -- rigid, even so
            local from, to = nearest:point(bar, { -0.5, 0, 0 }), nearest:point(bar, { 0.5, 0, 0 })
            assert.near(1, sarrus.vec.norm(to - from), 1e-14)
          end
        end
      end
    end)

    it("moves with its hinges anywhere along their axes", function()
      for seed = 1, 20 do
        local random = noise(seed)
        local model = loop(p, function(q) return { q[1], q[2], 0.3 * random() } end)
        assert.equal(1, model:freedoms())
        assert(assert(model:simulate {}):advance(0.2))
      end
    end)

    it("tells of axes that are not quite parallel", function()
      for _, case in ipairs { { 1e-15 }, { 1e-11, "warns" }, { 1e-6, "fails" } } do
        local random = noise(7)
        local model = loop(p, function(q) return q end, function()
          return { case[1] * random(), case[1] * random(), 1 }
        end)
        local sim, message, code = model:simulate {}
        local last = sim and sim:warnings()[#sim:warnings()]
        if case[2] == "fails" then
          assert.equal("SINGULAR", code)
          assert.truthy(message:find("a little off", 1, true))
        else
          assert.equal(case[2] and "nearly_redundant" or "redundant", last.code)
        end
      end
    end)
  end)
end
