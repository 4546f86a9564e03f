local sarrus = require "sarrus"
local vec = sarrus.vec

describe("vectors", function()
  local a, b = vec { 1, 2, 3 }, vec(4, 5, 6)

  it("are read by position and by name", function()
    assert.are.equal(1, a.x)
    assert.are.equal(2, a.y)
    assert.are.equal(3, a.z)
    assert.are.equal(3, a[3])
    assert.is_nil(vec({ 1, 2 }).z)
    assert.are.equal(3, #a)
  end)

  it("have their operators", function()
    assert.are.equal("{ 5, 7, 9 }", tostring(a + b))
    assert.are.equal("{ -3, -3, -3 }", tostring(a - b))
    assert.are.equal("{ -1, -2, -3 }", tostring(-a))
    assert.are.equal("{ 2, 4, 6 }", tostring(2 * a))
    assert.are.equal("{ 2, 4, 6 }", tostring(a * 2))
    assert.are.equal("{ 0.5, 1, 1.5 }", tostring(a / 2))
    assert.are.equal("{ 2, 4, 6 }", tostring(a + { 1, 2, 3 }))
    assert.are.equal("{ 2, 4, 6 }", tostring({ 1, 2, 3 } + a))
  end)

  it("have products and a length", function()
    assert.are.equal(32, a:dot(b))
    assert.are.equal(32, vec.dot({ 1, 2, 3 }, { 4, 5, 6 }))
    assert.are.equal("{ -3, 6, -3 }", tostring(a:cross(b)))
    assert.are.equal(-2, vec.cross({ 1, 2 }, { 3, 4 }))
    assert.are.equal(5, vec.norm { 3, 4 })
  end)

  it("hold expressions", function()
    local t = sarrus.time
    local v = vec { t, 1 }
    assert.are.equal("{ t^2, t }", tostring(t * v))
    assert.are.equal("{ t^2, t }", tostring(v * t))
    assert.are.equal("t^2 + 1", tostring(v:dot(v)))
  end)

  it("have products that are the same sums, written out or not", function()
    local x, y = sarrus.parameter("x", 1), sarrus.parameter("y", 2)
    local p, q = vec { x, y, sarrus.time }, vec { y, sarrus.sin(x), y + 1 }
    local plain = p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
    local function both(f)
      assert.are.equal(tostring(f(plain)), tostring(f(p:dot(q))))
    end
    both(function(e) return e end)
    both(function(e) return 2 - 3 * e + x end)
    both(function(e) return e * e - e / y end)
    both(function(e) return sarrus.diff(e, x) end)
    both(function(e) return sarrus.sqrt(e) end)
    local u, w = vec { x, y }, vec { y, y }
    assert.are.equal(tostring(x * y + y * y), tostring(u:dot(w)))
  end)

  it("refuse what is none", function()
    assert.has_error(function() return vec { 1 } end)
    assert.has_error(function() return vec { 1, 2, 3, 4 } end)
    assert.has_error(function() return vec { 1, "2" } end)
    assert.has_error(function() return vec { 1, math.huge } end)
    assert.has_error(function() return a + vec { 1, 2 } end)
    assert.has_error(function() return a * b end)
    assert.has_error(function() return a / 0 end)
  end)
end)
