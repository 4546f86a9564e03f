local core = require "sarrus.core"
local sarrus = require "sarrus"
local adomian, series = sarrus.adomian, sarrus.series

-- The functions of one variable that have series everywhere in their domain.
local smooth = {}
for name in pairs(core.smooth) do
  if core.arity[name] == 1 then
    smooth[#smooth + 1] = sarrus[name]
  end
end

local function texts(A)
  local list = {}
  for k = 0, A.order do
    list[k + 1] = tostring(A[k])
  end
  return list
end

local function near(expected, value, tolerance)
  assert.is_true(math.abs(expected - value) <= (tolerance or 1e-13) * (1 + math.abs(expected)),
    ("%.17g is not %.17g"):format(value, expected))
end

--- The value of an expression in u0, u1 …: its text is Lua.
local function value_of(expression, u)
  local source = "local u, s = ... return "
    .. tostring(expression):gsub("u(%d)_(%d+)", "u[%1][%2]"):gsub("u(%d+)", "u[%1]")
    :gsub("(%a%w+)%(", "s.%1(")
  return (loadstring or load)(source)(u, sarrus) -- luacheck: ignore
end

describe("adomian.polynomials", function()
  it("of a general function print the table", function()
    assert.are.same({
      "N(u0)",
      "u1*N'(u0)",
      "u2*N'(u0) + 1/2*u1^2*N''(u0)",
      "u3*N'(u0) + u1*u2*N''(u0) + 1/6*u1^3*N'''(u0)",
      "u4*N'(u0) + u1*u3*N''(u0) + 1/2*u2^2*N''(u0) + 1/2*u1^2*u2*N'''(u0) + 1/24*u1^4*N^(4)(u0)",
    }, texts(adomian.polynomials(nil, 4)))
  end)

  it("of a general function of two variables", function()
    local A = adomian.polynomials(nil, 1, 2)
    assert.are.equal("N(u1_0, u2_0)", tostring(A[0]))
    assert.are.equal("u1_1*N^(1,0)(u1_0, u2_0) + u2_1*N^(0,1)(u1_0, u2_0)", tostring(A[1]))
  end)

  it("of a given function are simplified", function()
    assert.are.same({ "u0^2", "2*u0*u1", "2*u0*u2 + u1^2", "2*u0*u3 + 2*u1*u2" },
      texts(adomian.polynomials(function(u) return u ^ 2 end, 3)))
    assert.are.same({ "u0^3", "3*u0^2*u1", "3*u0^2*u2 + 3*u0*u1^2",
      "3*u0^2*u3 + 6*u0*u1*u2 + u1^3" },
      texts(adomian.polynomials(function(u) return u ^ 3 end, 3)))
    assert.are.same({ "u1_0*u2_0", "u2_0*u1_1 + u1_0*u2_1" },
      texts(adomian.polynomials(function(u, v) return u * v end, 1)))
    assert.are.same({ "7", "0" }, texts(adomian.polynomials(function() return 7 end, 1)))
  end)

  it("are read from 0 to their order", function()
    local A = adomian.polynomials(nil, 2)
    assert.are.equal(2, A.order)
    assert.is_nil(A[3])
    assert.is_nil(A[-1])
    assert.are.equal("[0] = N(u0)\n[1] = u1*N'(u0)", tostring(adomian.polynomials(nil, 1)))
  end)

  it("are expressions", function()
    local A = adomian.polynomials(function(u) return u ^ 2 end, 2)
    assert.are.equal("u0^2 + 2*u0*u1", tostring(A[0] + A[1]))
  end)

  it("agree with the definition", function()
    local u = { [0] = 0.3, -0.7, 0.4, 0.25, -0.6 }
    local list = { u[0], u[1], u[2], u[3], u[4] }
    for _, N in ipairs(smooth) do
      local A, numbers = adomian.polynomials(N, 4), N(series(list))
      for k = 0, 4 do
        near(numbers[k], value_of(A[k], u))
      end
    end
  end)

  it("are exact at the ends of domains, for series too", function()
    local cases = { tanh = { 15, -30 }, asin = { 1 - 2 ^ -30, 1e-12 },
      acos = { -1 + 2 ^ -30, 1e-12 } }
    for name, points in pairs(cases) do
      for _, point in ipairs(points) do
        local numbers, components = { point, 2 ^ -32, 0, 0, 0 }, {}
        for k, x in ipairs(numbers) do
          components[k] = series { x }
        end
        local exact = sarrus[name](series(numbers))
        local A = adomian.evaluate(sarrus[name], components)
        for k = 0, 4 do
          assert.near(1, A[k][0] / exact[k], 1e-14)
        end
      end
    end
  end)

  it("agree with the definition in two variables", function()
    local function N(u, v)
      return sarrus.sin(u) * v ^ 2 + u / v
    end
    local u = { { [0] = 0.3, -0.7, 0.4, 0.25 }, { [0] = 1.1, 0.5, -0.2, 0.9 } }
    local numbers = N(series { 0.3, -0.7, 0.4, 0.25 }, series { 1.1, 0.5, -0.2, 0.9 })
    local A = adomian.polynomials(N, 3)
    for k = 0, 3 do
      near(numbers[k], value_of(A[k], u))
    end
  end)

  it("refuse misuse", function()
    local function fails(expected, ...)
      local ok, problem = pcall(adomian.polynomials, ...)
      assert.is_false(ok)
      assert.is_truthy(problem:find(expected, 1, true), problem)
    end
    fails("N: got number 3, want function", 3, 2)
    fails("n: 2.5 is not a whole number", nil, 2.5)
    fails("n: -1 is not a whole number", nil, -1)
    fails("n = 200 for 1 variable: beyond a documented limit", nil, 200)
    fails("N is nil", function() end, 2)
    fails("use sarrus.sin", function(u)
      local e = math.sin(u)
      return e
    end, 2)
  end)
end)

describe("adomian.evaluate", function()
  it("gives numbers for numbers", function()
    local A = adomian.evaluate(sarrus.exp, { 0, 1, 1 / 2, 1 / 3 })
    assert.are.equal(3, A.order)
    for k = 0, 3 do
      near(1, A[k])
    end
    assert.is_nil(A[4])
    A = adomian.evaluate(function(u, v) return u * v end, { 1, 2, 3 }, { 4, 5, 6 })
    assert.are.same({ 4, 13, 28 }, { A[0], A[1], A[2] })
    assert.are.equal(7, adomian.evaluate(function() return 7 end, { 1, 2 })[0])
  end)

  it("gives series for series, the same as at every t", function()
    local t = series.variable(30)
    local u = { 0.3 + t, t ^ 2 - 0.2, 0.5 * t, 0.1 }
    local at = 0.05
    local numbers = { u[1](at), u[2](at), u[3](at), 0.1 }
    local cases = {
      sarrus.abs, function(x) return x ^ 5 end, function(x) return x ^ -2 end,
      function(x) return x ^ 1.5 end,
      function(x) return 2 ^ x end, function(x) return (1 - x) / (2 + x * x) end,
      function(x) return sarrus.atan(x, 1 + x) end, function(x) return sarrus.max(x, -x, 0) end,
      function(x) return sarrus.select(x - 1, x, x * x) end,
      function(x) return -x * (type(x[0]) == "number" and at or t) end,
    }
    for _, N in ipairs(smooth) do
      cases[#cases + 1] = N
    end
    for _, N in ipairs(cases) do
      local A = adomian.evaluate(N, u)
      local B = adomian.evaluate(N, numbers)
      for k = 0, 3 do
        near(B[k], type(A[k]) == "number" and A[k] or A[k](at), 1e-12)
      end
    end
  end)

  it("knows of each polynomial what its components tell", function()
    local t, short = series.variable(4), series { 0, 1 }
    local A = adomian.evaluate(sarrus.exp, { 0, 1, t, short })
    assert.are.same({ 1, 1 }, { A[0], A[1] })
    assert.are.equal("1/2 + t + O(t^5)", tostring(A[2]))
    assert.are.equal("1/6 + 2 t + O(t^2)", tostring(A[3]))
    A = adomian.evaluate(sarrus.atan, { series { 0, 0 }, 0, -t }, { -1, 0, 0 })
    assert.near(-math.pi, A[0][0], 1e-15)
    assert.are.equal("t + O(t^2)", tostring(A[2]))
  end)

  it("holds where u0 vanishes", function()
    local t = series.variable(4)
    local A = adomian.evaluate(function(u) return u ^ 2 end, { t, t ^ 2, 0 })
    assert.are.equal("t^2 + O(t^5)", tostring(A[0]))
    assert.are.equal("2 t^3 + O(t^5)", tostring(A[1]))
    assert.are.equal("t^4 + O(t^5)", tostring(A[2]))
  end)

  it("refuses misuse", function()
    local function fails(expected, ...)
      local ok, problem = pcall(adomian.evaluate, ...)
      assert.is_false(ok)
      assert.is_truthy(problem:find(expected, 1, true), problem)
    end
    fails("u1: got nil", sarrus.sin, { 1, nil, 2 })
    fails("u1: nan is not finite", sarrus.sin, { 1, math.huge - math.huge })
    fails("want the components", sarrus.sin)
    fails("the list is empty", sarrus.sin, {})
    fails("want function", 3, { 1 })
    fails("the constant term is -1, it must be positive", sarrus.log, { -1, 2 })
    local t = series.variable(3)
    fails("sarrus.asin: the constant term is 1, it must lie between -1 and 1", sarrus.asin,
      { 1 + t, 2 })
    fails("sarrus.log(-1) is outside the domain", sarrus.log, { -1, t })
    fails("sqrt of series: a coefficient is not finite", sarrus.sqrt, { 0, t })
  end)
end)

describe("adomian.solve", function()
  local function check(problem, exact, tolerance)
    local sum = adomian.solve(problem).sum
    assert.are.equal(exact.order, sum.order)
    for k = 0, sum.order do
      near(exact[k], sum[k], tolerance)
    end
  end
  local t = series.variable(15)

  it("solves the equations of the literature", function()
    check({ nonlinear = function(u) return u ^ 2 end, source = function() return 1 end,
      initial = { 0 }, order = 15 }, sarrus.tanh(t))
    check({ nonlinear = function(u) return -u ^ 2 end, initial = { 1 }, order = 15 }, 1 / (1 - t))
    check({ linear = function(u) return -u end, nonlinear = function(u) return u ^ 2 end,
      initial = { 1 / 2 }, order = 15 }, 1 / (1 + sarrus.exp(-t)))
    check({ derivative = 2, nonlinear = function(u) return -2 * sarrus.exp(u) end,
      initial = { 0, 0 }, order = 15 }, -2 * sarrus.log(sarrus.cos(t)))
  end)

  it("solves Duffing's equation", function()
    local sum = adomian.solve({ derivative = 2, linear = function(u) return u end,
      nonlinear = function(u) return u ^ 3 end, initial = { 1, 0 }, order = 40 }).sum
    near(0.84798088225949892, sum(0.4)) -- cn(0.4 sqrt 2, 1/2)
    local energy = sum:derivative() ^ 2 / 2 + sum ^ 2 / 2 + sum ^ 4 / 4
    near(3 / 4, energy[0])
    for k = 1, energy.order do
      near(0, energy[k], 1e-12)
    end
  end)

  it("passes derivatives and the time", function()
    -- u'' + 2 u' + u = 2 + 4 t + t^2 has the solution t^2; u'' = -(u')^2 has log(1 + t)
    check({ derivative = 2, linear = function(u, du) return 2 * du + u end,
      source = function(s) return 2 + 4 * s + s ^ 2 end, initial = { 0, 0 }, order = 15 },
      t ^ 2, 1e-12)
    check({ derivative = 2, nonlinear = function(_, du) return du ^ 2 end, initial = { 0, 1 },
      order = 15 }, sarrus.log(1 + t), 1e-12)
    check({ linear = function(u, s) return -2 * s * u end, initial = { 1 }, order = 15 },
      sarrus.exp(t ^ 2), 1e-12)
  end)

  it("takes the time, and any series, on either side of an operator", function()
    local function nonlinear(N, exact)
      check({ nonlinear = N, initial = { exact[0] }, order = 15 }, exact, 1e-12)
    end
    local square = sarrus.exp(t ^ 2 / 2)
    nonlinear(function(u, s) return -s * u end, square)
    nonlinear(function(u) return -t * u end, square)
    nonlinear(function(u, s) return -u * s end, square)
    nonlinear(function(u, s) return s - (s + u) + 1 end, 2 * sarrus.exp(t) + 1)
    nonlinear(function(u, s) return (s - u) - s end, sarrus.exp(t))
    nonlinear(function(u, s) return -sarrus.cos(s) * u end, sarrus.exp(sarrus.sin(t)))
    nonlinear(function(u, s) return -(s + 1) / u end, sarrus.sqrt(1 + 2 * t + t ^ 2))
    nonlinear(function(u, s) return -(1 + s) ^ (u - u) * u end, sarrus.exp(t))
    nonlinear(function(u, s) return sarrus.select(s - 1, 0, -u) end, sarrus.exp(t))
  end)

  it("gives as many components as asked for", function()
    local solution = adomian.solve { nonlinear = function(u) return u ^ 2 end,
      source = function() return 1 end, initial = { 0 }, components = 3, order = 9 }
    local components = solution.components
    assert.are.equal(2, components.order)
    assert.are.equal("t + O(t^10)", tostring(components[0]))
    assert.are.equal("-1/3 t^3 + O(t^10)", tostring(components[1]))
    assert.are.equal("2/15 t^5 + O(t^10)", tostring(components[2]))
    assert.is_nil(components[3])
    assert.are.equal("t - 1/3 t^3 + 2/15 t^5 + O(t^10)", tostring(solution.sum))
  end)

  it("solves systems", function()
    local solution = adomian.solve { linear = function(u) return { -u[2], u[1] } end,
      initial = { { 0 }, { 1 } }, order = 7 }
    assert.are.equal("t - 1/6 t^3 + 1/120 t^5 - 1/5040 t^7 + O(t^8)", tostring(solution.sum[1]))
    assert.are.equal("1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^8)", tostring(solution.sum[2]))
    assert.are.equal("t + O(t^8)", tostring(solution.components[1][1]))
    assert.is_true(rawequal(solution[2].sum, solution.sum[2]))
    -- u' = v^2, v' = -u v with u^2 + v^2 = 1: tanh and sech
    solution = adomian.solve { nonlinear = function(u) return { -u[2] ^ 2, u[1] * u[2] } end,
      initial = { { 0 }, { 1 } }, order = 15 }
    for k = 0, 15 do
      near(sarrus.tanh(t)[k], solution.sum[1][k])
      near((1 / sarrus.cosh(t))[k], solution.sum[2][k])
    end
  end)

  it("has small orders too", function()
    for order = 0, 2 do
      local solution = adomian.solve { derivative = 3, linear = function(u) return u end,
        initial = { 1, 1, 1 }, order = order }
      assert.are.equal(order, solution.sum.order)
      assert.are.equal(1, solution.sum[0])
    end
  end)

  it("refuses misuse", function()
    local function fails(expected, problem)
      local ok, text = pcall(adomian.solve, problem)
      assert.is_false(ok)
      assert.is_truthy(text:find(expected, 1, true), text)
    end
    fails("linear is not linear", { linear = function(u) return u + 1 end, initial = { 0 } })
    fails("linear is not linear", { linear = function(u) return u * u end, initial = { 1 } })
    fails("unknown field 'ordr' (did you mean 'order'?)", { initial = { 0 }, ordr = 3 })
    fails("missing field 'initial'", {})
    fails("initial: 2 elements, want 1", { initial = { 0, 1 } })
    fails("initial[2]: 1 element, want 2", { derivative = 2, initial = { { 0, 1 }, { 0 } } })
    fails("linear: got number 3, want function", { linear = 3, initial = { 0 } })
    fails("order: 2.5 is not a whole number", { order = 2.5, initial = { 0 } })
    fails("what nonlinear returned: got nil, want number",
      { nonlinear = function() end, initial = { 0 } })
    fails("use sarrus.sin", { initial = { 0 }, nonlinear = function(u)
      local e = math.sin(u)
      return e
    end })
  end)
end)

describe("examples/adomian.lua", function()
  it("prints what it should", function()
    local lines, print_before = {}, print
    rawset(_G, "print", function(text)
      lines[#lines + 1] = text
    end)
    local ok, problem = pcall(dofile, "examples/adomian.lua")
    rawset(_G, "print", print_before)
    assert.is_true(ok, problem)
    local text = table.concat(lines, "\n")
    for _, line in ipairs {
      "  A2 = u2*N'(u0) + 1/2*u1^2*N''(u0)\n",
      "exp, u = (0, 1, 1/2, 1/3): 1, 1, 1, 1\n",
      "  u = t - 1/3 t^3 + 2/15 t^5 - 17/315 t^7 + 62/2835 t^9 - 1382/155925 t^11 + O(t^12)\n"
        .. "  at t = 1.5: series 0.539490, Padé 0.905150, exact 0.905148\n",
      "  at t = 1.5: series 32.171875, Padé -2.000000, exact -2.000000\n",
      "  u = 1/2 + 1/4 t - 1/48 t^3 + 1/480 t^5 - 17/80640 t^7 + 31/1451520 t^9 + O(t^10)\n",
    } do
      assert.is_truthy(text:find(line, 1, true), "missing: " .. line .. "in\n" .. text)
    end
  end)
end)
