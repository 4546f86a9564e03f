-- The paper's propositions, over random matrices and components: with A_n[N] the Adomian polynomial
-- of N at p = p_0 + p_1 + …,
--   (a)  A_n[M(p) z]          = sum_k A_{n-k}[M] z_k
--   (b)  A_n[G(p)^T lambda]   = sum_k A_{n-k}[G]^T lambda_k
local sarrus = require "sarrus"
local evaluate = sarrus.adomian.evaluate
local sin, cos, exp = sarrus.sin, sarrus.cos, sarrus.exp

local ORDER = 8
local seed = 20240229

--- Numbers in -1 … 1, the same in every run.
local function random()
  seed = (seed * 16807) % 2147483647
  return 2 * seed / 2147483647 - 1
end

local function random_list(count)
  local list = {}
  for i = 1, count do
    list[i] = random()
  end
  return list
end

--- Components of n variables: lists u_0 … u_ORDER.
local function random_components(n)
  local list = {}
  for i = 1, n do
    list[i] = random_list(ORDER + 1)
  end
  return list
end

--- A random function of the variables, nonlinear in all of them.
local function random_function()
  local a, b, c, d, e = random(), random(), random(), random(), random()
  return function(...)
    local sum, product = 0, 1
    for i = 1, select("#", ...) do
      local p = select(i, ...)
      sum = sum + (a + i) * p
      product = product * (b + p)
    end
    return sin(sum) + c * product * cos(d * sum) + e * exp(sum / 4) / (3 + cos(sum))
  end
end

local function random_matrix(rows, columns)
  local matrix = {}
  for i = 1, rows do
    matrix[i] = {}
    for j = 1, columns do
      matrix[i][j] = random_function()
    end
  end
  return matrix
end

local function joined(a, b)
  local list = {}
  for _, part in ipairs { a, b } do
    for _, item in ipairs(part) do
      list[#list + 1] = item
    end
  end
  return list
end

local function spread(list)
  return (unpack or table.unpack)(list) -- luacheck: ignore
end

--- Check A_n[sum_j m_j(p) z_j] = sum_j sum_k A_{n-k}[m_j] z_{j,k}.
local function check_row(entries, p, z)
  local n = #p
  local whole = evaluate(function(...)
    local arguments, sum = { ... }, 0
    local positions = {}
    for i = 1, n do
      positions[i] = arguments[i]
    end
    for j, entry in ipairs(entries) do
      sum = sum + entry(spread(positions)) * arguments[n + j]
    end
    return sum
  end, spread(joined(p, z)))
  local parts = {}
  for j, entry in ipairs(entries) do
    parts[j] = evaluate(entry, spread(p))
  end
  for order = 0, ORDER do
    local sum, size = 0, 1
    for j in ipairs(entries) do
      for k = 0, order do
        local term = parts[j][order - k] * z[j][k + 1]
        sum, size = sum + term, size + math.abs(term)
      end
    end
    assert.is_true(math.abs(whole[order] - sum) <= 1e-13 * size,
      ("A_%d is %.17g, the sum %.17g"):format(order, whole[order], sum))
  end
end

describe("proposition (a): A_n of M(p) z", function()
  for n = 1, 4 do
    it("is a sum of products, for " .. n .. " coordinates", function()
      for _ = 1, 5 do
        local p, z, M = random_components(n), random_components(n), random_matrix(n, n)
        for i = 1, n do
          check_row(M[i], p, z)
        end
      end
    end)
  end

  it("is linear: A_n[a M + b N] = a A_n[M] + b A_n[N]", function()
    for _ = 1, 20 do
      local p, f, g = random_components(2), random_function(), random_function()
      local a, b = random(), random()
      local sum = evaluate(function(x, y) return a * f(x, y) + b * g(x, y) end, spread(p))
      local F, G = evaluate(f, spread(p)), evaluate(g, spread(p))
      for order = 0, ORDER do
        local expected = a * F[order] + b * G[order]
        assert.is_true(math.abs(sum[order] - expected)
          <= 1e-13 * (1 + math.abs(F[order]) + math.abs(G[order])))
      end
    end
  end)
end)

describe("proposition (b): A_n of G(p)^T lambda", function()
  for n = 1, 4 do
    for m = 1, n do
      it(("is a sum of products, for %d coordinates and %d constraints"):format(n, m), function()
        local p, lambda, G = random_components(n), random_components(m), random_matrix(m, n)
        for j = 1, n do
          local column = {}
          for i = 1, m do
            column[i] = G[i][j]
          end
          check_row(column, p, lambda)
        end
      end)
    end
  end
end)

-- With p^(n) = p_n t^n the Adomian polynomials are the coefficients of the series.
describe("one power of t a component", function()
  it("makes the polynomials coefficients of M(p) z as a series", function()
    for _ = 1, 10 do
      local p, z, f = random_components(2), random_components(1), random_function()
      local product = f(sarrus.series(p[1]), sarrus.series(p[2])) * sarrus.series(z[1])
      local whole = evaluate(function(x, y, w) return f(x, y) * w end, p[1], p[2], z[1])
      for order = 0, ORDER do
        assert.is_true(math.abs(product[order] - whole[order])
          <= 1e-12 * (1 + math.abs(product[order])))
      end
    end
  end)

  it("is the right-hand side that the solver forms", function()
    -- M(p) v' = 0 with M = f(x): the series that comes out satisfies sum_k A_{n-k}[M] a_k = 0 …
    local f = function(x) return 2 + sin(x) end
    local system = sarrus.system {
      coordinates = { "x" },
      mass = function(q) return { { f(q.x) } } end,
      force = function(q, v) return { cos(q.x) * v.x } end,
    }
    local x = assert(system:decompose { q = { 0.3 }, v = { 0.7 }, order = ORDER + 2 }).q.x
    local a, p, v = {}, {}, {}
    for k = 0, ORDER do
      a[k + 1], p[k + 1], v[k + 1] = (k + 1) * (k + 2) * x[k + 2], x[k], (k + 1) * x[k + 1]
    end
    local left = evaluate(function(u, w) return f(u) * w end, p, a)
    local right = evaluate(function(u, w) return cos(u) * w end, p, v)
    for order = 0, ORDER do
      assert.is_true(math.abs(left[order] - right[order]) <= 1e-13 * (1 + math.abs(left[order])))
    end
  end)
end)
