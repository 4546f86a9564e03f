-- The two-link robot of the paper: its series, and the example that prints them.
local sarrus = require "sarrus"
local shell = dofile("spec/shell.lua")
local sin, cos = sarrus.sin, sarrus.cos

local robot = sarrus.system {
  name = "two-link robot",
  coordinates = { "theta1", "theta2" },
  mass = function(q)
    local c = cos(q[2])
    return { { 5 + 3 * c, 1 + 3 / 2 * c }, { 1 + 3 / 2 * c, 1 } }
  end,
  force = function(q, v)
    local c1, c12 = cos(q.theta1), cos(q.theta1 + q.theta2)
    return { (c1 + c12) * v[1] - 3 * q[1], c12 * v.theta1 + (1 - 3 / 2 * cos(q[2])) * q[1] }
  end,
  constraints = function(q) return { sin(q.theta1) + sin(q.theta1 + q.theta2) } end,
}

local function factorial(n)
  return n < 2 and 1 or n * factorial(n - 1)
end

--- The coefficient of t^k in sin t and in cos t.
local function sine(k)
  return k % 2 == 0 and 0 or (k % 4 == 1 and 1 or -1) / factorial(k)
end
local function cosine(k)
  return k % 2 == 1 and 0 or (k % 4 == 0 and 1 or -1) / factorial(k)
end

describe("the robot of the paper", function()
  it("comes out digit for digit", function()
    local solution = assert(robot:decompose { q = { 0, 0 }, v = { 1, -2 }, order = 8 })
    assert.are.equal("t - 1/6 t^3 + 1/120 t^5 - 1/5040 t^7 + O(t^9)", tostring(solution.q.theta1))
    assert.are.equal("-2 t + 1/3 t^3 - 1/60 t^5 + 1/2520 t^7 + O(t^9)", tostring(solution.q[2]))
    assert.are.equal("1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^7)", tostring(solution.lambda[1]))
    assert.are.equal("1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^8)", tostring(solution.v.theta1))
    assert.are.equal(solution.q[1], solution.q.theta1)
    assert.are.equal(solution.v[2], solution.v.theta2)
    assert.are.equal(table.concat({
      "theta1  = t - 1/6 t^3 + 1/120 t^5 - 1/5040 t^7 + O(t^9)",
      "theta2  = -2 t + 1/3 t^3 - 1/60 t^5 + 1/2520 t^7 + O(t^9)",
      "theta1' = 1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^8)",
      "theta2' = -2 + t^2 - 1/12 t^4 + 1/360 t^6 + O(t^8)",
      "lambda  = 1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^7)",
    }, "\n"), tostring(solution))
  end)

  it("has a relative error below 1e-12 to order 8", function()
    local solution = assert(robot:decompose { q = { 0, 0 }, v = { 1, -2 }, order = 8 })
    for k = 0, 8 do
      local exact = sine(k)
      assert.is_true(math.abs(solution.q[1][k] - exact) <= 1e-12 * math.abs(exact) + 1e-18)
      assert.is_true(math.abs(solution.q[2][k] + 2 * exact) <= 2e-12 * math.abs(exact) + 1e-18)
      if k <= 6 then
        exact = cosine(k)
        assert.is_true(math.abs(solution.lambda[1][k] - exact) <= 1e-12 * math.abs(exact) + 1e-15)
      end
    end
  end)

  it("stays within rounding to order 30", function()
    local solution = assert(robot:decompose { q = { 0, 0 }, v = { 1, -2 }, order = 30 })
    for k = 0, 30 do
      local allowed = 1e-17 * 0.5 ^ -k
      assert.is_true(math.abs(solution.q[1][k] - sine(k)) <= allowed, "theta1, order " .. k)
      assert.is_true(math.abs(solution.q[2][k] + 2 * sine(k)) <= allowed, "theta2, order " .. k)
    end
    assert.are.equal(30, solution.q[1].order)
    assert.are.equal(29, solution.v[1].order)
    assert.are.equal(28, solution.lambda[1].order)
  end)

  it("is the same bits every time", function()
    local a = assert(robot:decompose { q = { 0.3, -0.6 }, v = { 1, -2 }, order = 30 })
    local b = assert(robot:decompose { q = { 0.3, -0.6 }, v = { 1, -2 }, order = 30 })
    assert.is_true(a.q[1] == b.q[1] and a.lambda[1] == b.lambda[1])
  end)
end)

describe("examples/robot.lua", function()
  local expected = [[
components: the Adomian decomposition, one power of t each
  0  0              0              1
  1  t              -2 t           0
  2  0              0              -1/2 t^2
  3  -1/6 t^3       1/3 t^3        0
  4  0              0              1/24 t^4
  5  1/120 t^5      -1/60 t^5      0
  6  0              0              -1/720 t^6
  7  -1/5040 t^7    1/2520 t^7

solution
theta1  = t - 1/6 t^3 + 1/120 t^5 - 1/5040 t^7 + O(t^9)
theta2  = -2 t + 1/3 t^3 - 1/60 t^5 + 1/2520 t^7 + O(t^9)
theta1' = 1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^8)
theta2' = -2 + t^2 - 1/12 t^4 + 1/360 t^6 + O(t^8)
lambda  = 1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^7)

error against the exact solution
  t = 0.1  theta1 2.7e-15  theta2 5.5e-15  lambda 2.5e-13
  t = 0.2  theta1 1.4e-12  theta2 2.8e-12  lambda 6.3e-11
  t = 0.4  theta1 7.2e-10  theta2 1.4e-09  lambda 1.6e-08
]]

  --- The interpreter that runs this spec.
  local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

  it("prints the paper's solution", function()
    local output = shell.run('eval "$(.ci/env)"; ' .. interpreter .. " examples/robot.lua")
    assert.are.equal(expected, (output:gsub(" +\n", "\n")))
  end)

  it("is short", function()
    local lines = 0
    for _ in io.lines("examples/robot.lua") do
      lines = lines + 1
    end
    assert.is_true(lines < 60)
  end)
end)
