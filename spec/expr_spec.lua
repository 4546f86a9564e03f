local sarrus = require "sarrus"
local core = require "sarrus.core"
local expr = require "sarrus.expr"
local trace = require "sarrus.expr.trace"

local function symbols(...)
  return trace.symbols("q", { ... }, "coordinate")
end

describe("expressions", function()
  local q = symbols("x", "y")
  local x, y = q.x, q.y

  it("print as Lua would read them", function()
    assert.are.equal("x + 2*y", tostring(x + 2 * y))
    assert.are.equal("x - 1/2*x^2", tostring(x - x ^ 2 / 2))
    assert.are.equal("x*sin(y)", tostring(x * sarrus.sin(y)))
    assert.are.equal("-x", tostring(-x))
    assert.are.equal("x/y", tostring(x / y))
    assert.are.equal("t*x", tostring(sarrus.time * x))
    assert.are.equal("atan(y, x)", tostring(sarrus.atan(y, x)))
    assert.are.equal("select(x, y, 0)", tostring(sarrus.select(x, y, 0)))
  end)

  it("are simplified", function()
    assert.are.equal("0", tostring(x - x))
    assert.are.equal("0", tostring(0 * x))
    assert.are.equal("5*x", tostring(2 * x + 3 * x))
    assert.are.equal("x^2", tostring(x * x))
    assert.are.equal("1", tostring(x ^ 0))
  end)

  it("are read by name and by position, and by ipairs", function()
    assert.is_true(rawequal(q[1], q.x))
    local n = 0
    for i, symbol in ipairs(q) do
      n = n + 1
      assert.is_true(rawequal(q[i], symbol))
    end
    assert.are.equal(2, n)
  end)

  it("are differentiated", function()
    assert.are.equal("2*x", tostring(sarrus.diff(x ^ 2, x)))
    assert.are.equal("cos(x)", tostring(sarrus.diff(sarrus.sin(x), x)))
    assert.are.equal("0", tostring(sarrus.diff(sarrus.sin(x), y)))
    assert.are.equal(0, sarrus.diff(3, x))
    assert.are.equal("2*k", tostring(sarrus.diff(sarrus.parameter("k", 3) ^ 2,
      sarrus.parameter("k", 3))))
    assert.are.equal("x", tostring(sarrus.diff(sarrus.diff(x ^ 2 * y / 2, x), y)))
  end)

  it("know parameters by their name", function()
    local graph = expr.graph()
    graph:nodes { sarrus.parameter("k", 2) * x + sarrus.parameter("c", 1) * y
      + sarrus.parameter("k", 2) }
    assert.are.same({ { name = "k", value = 2 }, { name = "c", value = 1 } }, graph.parameters)
    assert.has_error(function()
      return tostring(sarrus.parameter("k", 2) * sarrus.parameter("k", 3))
    end)
  end)

  it("share what is shared", function()
    local graph = expr.graph()
    local s = sarrus.sin(x)
    local a = graph:nodes { s * s + y, sarrus.sin(x), s }
    assert.are.equal(a[2], a[3])
  end)

  it("keep a doubling chain short", function()
    local e = sarrus.sin(x)
    for _ = 1, 50 do
      e = e + e
    end
    assert.are.equal("1125899906842624*sin(x)", tostring(e))
  end)

  it("may be 10^5 operations long", function()
    local sum, chain = x, x
    for i = 1, 100000 do
      sum = sum + (i % 2 == 0 and x or y)
      chain = sarrus.sin(chain)
    end
    assert.are.equal("50001*x + 50000*y", tostring(sum))
    assert.is_truthy(tostring(chain):find("^sin%(sin%("))
    local graph = expr.graph()
    graph:nodes { chain }
    assert.are.equal(100001, graph.core:count())
  end)

  it("import 10^5 nodes in less than a second", function()
    local e = x
    for i = 1, 33000 do
      e = e + sarrus.sin(x * i) * y
    end
    local time, graph = dofile("spec/pace.lua").seconds(function()
      local graph = expr.graph()
      graph:nodes { e }
      return graph
    end, 3)
    assert.is_true(graph.core:count() > 99000)
    assert.is_true(time < 1, time .. " s")
  end)

  it("do not mix systems", function()
    local other = symbols("z")
    assert.has_error(function()
      return tostring(x + other.z)
    end, nil)
  end)
end)

describe("functions", function()
  local s = sarrus

  it("of numbers are numbers", function()
    assert.are.equal(0, s.sin(0))
    assert.are.equal(1, s.cosh(0))
    assert.are.equal(math.pi / 2, s.atan(1, 0))
    assert.are.equal(math.atan(2), s.atan(2))
    assert.are.equal(1e-20, s.sinh(1e-20))
    assert.are.equal(-1, s.sign(-7))
    assert.are.equal(0, s.sign(0))
    assert.are.equal(3, s.abs(-3))
    assert.are.equal(1, s.min(3, 1, 2))
    assert.are.equal(3, s.max(3, 1, 2))
    assert.are.equal(5, s.select(0, 5, 6))
    assert.are.equal(6, s.select(-1, 5, 6))
  end)

  it("of series are series", function()
    local t = s.series.variable(3)
    assert.are.equal("t - 1/6 t^3 + O(t^4)", tostring(s.sin(t)))
    assert.are.equal("t + O(t^4)", tostring(s.max(t, 0, -t)))
    assert.are.equal("t + O(t^4)", tostring(s.atan(t, 1) + t ^ 3 / 3))
  end)

  it("of expressions are expressions", function()
    local x = symbols("x").x
    for name, operands in pairs(core.arity) do
      if operands == 1 and core.functions[name] then
        assert.are.equal(name .. "(x)", tostring(s[name](x)))
      end
    end
    assert.are.equal("min(min(x, 1), 2)", tostring(s.min(x, 1, 2)))
  end)
end)

describe("tables", function()
  local data = sarrus.table { x = { 0, 1, 2, 4 }, y = { 0, 1, 1, 5 } }

  it("pass through their points and go on straight", function()
    assert.are.equal(0, data(0))
    assert.are.equal(1, data(1))
    assert.are.equal(1, data(1.5))
    assert.are.equal(5, data(4))
    assert.is_true(math.abs((data(6) - data(5)) - (data(5) - data(4))) < 1e-12)
  end)

  it("take expressions, and are differentiated", function()
    local x = symbols("x").x
    assert.are.equal("table1(x)", tostring(data(x)))
    assert.are.equal("table1'(x)", tostring(sarrus.diff(data(x), x)))
  end)

  it("give a number however often they are asked", function()
    for i = 1, 5000 do
      assert.is_true(data(i / 5000) <= 1)
    end
  end)
end)
