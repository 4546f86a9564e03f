local sarrus = require "sarrus"
local sin = sarrus.sin

local nan, huge = 0 / 0, math.huge

--- A declaration with some fields changed; false takes one out.
local function with(fields, changes)
  local result = {}
  for key, value in pairs(fields) do
    result[key] = value
  end
  for key, value in pairs(changes or {}) do
    result[key] = value or nil
  end
  return result
end

local plain = {
  name = "robot",
  coordinates = { "x", "theta" },
  mass = function() return { { 1, 0 }, { 0, 1 } } end,
  force = function(q) return { -q.x, 0 } end,
}

local declare_line
local function declare(changes)
  declare_line = debug.getinfo(1, "l").currentline + 1
  local system = sarrus.system(with(plain, changes))
  return system
end

local decompose_line
local function decompose(system, changes)
  local given = with({ q = { 1, 0 }, v = { 0, 1 }, order = 4 }, changes)
  decompose_line = debug.getinfo(1, "l").currentline + 1
  local solution, message, code = system:decompose(given)
  return solution, message, code
end

local function line_of(f)
  return debug.getinfo(f, "S").linedefined
end

--- The text of a failure, every line of which must begin with this file and the line.
local function failure(line, f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok)
  local texts = {}
  for part in (message .. "\n"):gmatch("(.-)\n") do
    local place, text = part:match("system_spec%.lua:(%d+): (.*)$")
    assert.are.equal(type(line) == "function" and line() or line, tonumber(place), part)
    texts[#texts + 1] = text
  end
  return table.concat(texts, "\n")
end

local function at_declare() return declare_line end
local function at_decompose() return decompose_line end

--- The declaration itself is refused, at the line of the call.
local function refuses(changes, text)
  assert.are.equal('system "robot": ' .. text, failure(at_declare, declare, changes))
end

--- A function of the declaration fails while it is traced, at its own line.
local function trips(f, text, field)
  local line = line_of(f)
  assert.are.equal('system "robot": ' .. (field or "force") .. ": " .. text,
    failure(line, declare, { [field or "force"] = f }))
end

--- decompose refuses its arguments, at the line of the call.
local function refuses_point(system, changes, text)
  assert.are.equal('system "robot": decompose: ' .. text,
    failure(at_decompose, decompose, system, changes))
end

--- decompose returns nil, message, code.
local function fails(system, changes, code, text)
  local solution, message, got = decompose(system, changes)
  assert.is_nil(solution)
  assert.are.equal(code, got)
  assert.are.equal('system "robot": ' .. text, message)
end

describe("a system", function()
  it("takes coordinates by name too", function()
    local a = decompose(declare(), { q = { theta = 0.5, x = 2 }, v = { x = 1, theta = 0 } })
    assert.are.equal(2, a.q.x[0])
    assert.are.equal(0.5, a.q[2][0])
    assert.are.equal(1, a.v.x[0])
  end)

  it("works with one coordinate and empty lists", function()
    local one = sarrus.system {
      coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function(q) return { -q.x } end,
      constraints = function() return {} end,
      velocity_constraints = function() return {} end,
    }
    local solution = one:decompose { q = { 1 }, v = { 0 }, order = 6 }
    assert.are.equal("1 - 1/2 t^2 + 1/24 t^4 - 1/720 t^6 + O(t^7)", tostring(solution.q.x))
    assert.are.equal(0, #solution.lambda)
    assert.are.equal("system: 1 coordinate, 0 constraints", tostring(one))
  end)

  it("goes to orders 0 and 1", function()
    local pendulum = declare { constraints = function(q) return { q.x ^ 2 + q.theta ^ 2 - 1 } end }
    local zero = decompose(pendulum, { order = 0, v = { 0, 2 } })
    assert.are.equal("1 + O(t)", tostring(zero.q.x))
    assert.are.equal("2 + O(t)", tostring(zero.v.theta))
    local one = decompose(pendulum, { order = 1, v = { 0, 2 } })
    assert.are.equal("2 t + O(t^2)", tostring(one.q.theta))
    assert.are.equal("2 + O(t)", tostring(one.v.theta))
    assert.are.equal("3/2 + O(t)", tostring(one.lambda[1]))
  end)

  it("needs no force", function()
    local solution = decompose(declare { force = false })
    assert.are.equal("t + O(t^5)", tostring(solution.q.theta))
  end)

  it("is the same from its lagrangian", function()
    local solution = decompose(declare {
      mass = false, force = false,
      lagrangian = function(q, v) return (v.x ^ 2 + v.theta ^ 2 - q.x ^ 2) / 2 end,
    })
    assert.are.equal(tostring(decompose(declare())), tostring(solution))
  end)

  it("knows time and where it starts", function()
    local driven = declare { force = function(_, _, t) return { t, 6 * t } end }
    local solution = decompose(driven, { q = { 0, 0 }, v = { 0, 0 }, t = 2 })
    assert.are.equal("t^2 + 1/6 t^3 + O(t^5)", tostring(solution.q.x))
    assert.are.equal("6 t^2 + t^3 + O(t^5)", tostring(solution.q.theta))
  end)

  it("takes parameters", function()
    local k = sarrus.parameter("k", 4)
    local spring = declare {
      force = function(q) return { -k * q.x, -sarrus.parameter("d", 2) } end,
    }
    local solution = decompose(spring)
    assert.are.equal("1 - 2 t^2 + 2/3 t^4 + O(t^5)", tostring(solution.q.x))
    assert.are.equal("t - t^2 + O(t^5)", tostring(solution.q.theta))
    assert.is_truthy(spring:explain("equations"):find("k*x", 1, true))
    local two = { force = function() return { k, sarrus.parameter("k", 5) } end }
    assert.are.equal("parameter 'k' has two values, 4 and 5", failure(at_declare, declare, two))
  end)

  it("explains its equations, its tape and its structure", function()
    local p = declare { constraints = function(q) return { q.x ^ 2 + q.theta ^ 2 - 1 } end }
    assert.are.equal("robot\nmotion\n  0 = x + x'' + 2*x*lambda1\n  0 = theta'' + 2*theta*lambda1\n"
      .. "constraint\n  0 = x^2 + theta^2 - 1\n", p:explain "equations")
    assert.is_truthy(p:explain("tape"):find("k+2 F3 = x * x + theta * theta", 1, true))
    assert.are.equal("robot\nmatrix of 2 coordinates and 1 multipliers, 6 entries of 9\n"
      .. ". zero  1 constant  * changing\n  1.*  motion\n  .1*  motion\n  **.  constraint\n",
      p:explain "structure")
    assert.are.equal('system "robot": 2 coordinates, 1 constraint', tostring(p))
    local function bad() p:explain "tapes" end
    assert.are.equal([[system "robot": explain: got string "tapes" (did you mean 'tape'?), ]]
      .. 'want one of "equations", "tape", "structure"', failure(line_of(bad), bad))
  end)
end)

describe("a declaration", function()
  it("has the fields that it should", function()
    refuses({ constraint = function() end },
      "unknown field 'constraint' (did you mean 'constraints'?)")
    refuses({ coordinates = false }, "missing field 'coordinates'")
    refuses({ coordinates = {} }, "coordinates is empty: a system has at least one coordinate")
    refuses({ coordinates = { "x", "x" } }, "coordinates[2]: the name 'x' is taken")
    refuses({ coordinates = { "x", "t" } }, "coordinates[2]: the name 't' is taken")
    refuses({ coordinates = { "x", "a b" } },
      'coordinates[2]: "a b" is no name (letters, digits and _)')
    refuses({ coordinates = { "x", 3 } }, "coordinates[2]: got number 3, want string")
    refuses({ mass = false }, "give either mass or lagrangian")
    refuses({ lagrangian = function() return 0 end }, "give either mass or lagrangian")
    local function number() sarrus.system(5) end
    assert.are.equal("system: got number 5, want a table of fields",
      failure(line_of(number), number))
  end)

  it("tells all faults at once", function()
    refuses({ mass = 3, force = { 0, 0 }, Force = 1 },
      "unknown field 'Force' (did you mean 'force'?)\n"
      .. 'system "robot": mass: got number 3, want function\n'
      .. 'system "robot": force: got a table, want function')
  end)

  it("has a mass of the right shape", function()
    refuses({ mass = function() return { { 1, 0 } } end }, "mass returned 1 row, expected 2")
    refuses({ mass = function() return { { 1, 0 }, { 1 } } end },
      "mass[2] has 1 value, expected 2")
    refuses({ mass = function() return 3 end }, "mass returned 3, want a list of 2 rows")
    refuses({ mass = function() end }, "mass returned nil, want a list of 2 rows")
    refuses({ mass = function(q) return { q.x, { 0, 1 } } end },
      "mass[1] is an expression, want a row of 2")
    refuses({ mass = function() return { { 1, "0" }, { 0, 1 } } end },
      'mass[1][2] is "0", want an expression or a finite number')
  end)

  it("has a symmetric mass", function()
    refuses({ mass = function(q) return { { 1, q.x }, { 0, 1 } } end },
      "mass is not symmetric: entries [1][2] and [2][1] differ")
    refuses({ mass = function(q) return { { 1, sin(q.x) }, { sin(q.theta), 1 } } end },
      "mass is not symmetric: entries [1][2] and [2][1] differ")
    refuses({ mass = function() return { { 1, 0 }, { 1e-3, 1 } } end },
      "mass is not symmetric: entries [2][1] and [1][2] differ")
    assert.is_truthy(declare { mass = function(q)
      return { { 3, (q.x + 1) ^ 2 }, { q.x ^ 2 + 2 * q.x + 1, 3 } }
    end })
  end)

  it("has a force and constraints that are lists", function()
    refuses({ force = function() return { 1 } end }, "force returned 1 value, expected 2")
    refuses({ force = function() return { 1, 2, 3 } end }, "force returned 3 values, expected 2")
    refuses({ force = 3 }, "force: got number 3, want function")
    refuses({ constraints = function(q) return q.x end },
      "constraints returned an expression, want a list")
    refuses({ mass = false, lagrangian = function() return { 1 } end },
      "lagrangian is a table, want an expression or a finite number")
  end)

  it("has no numbers that are not finite", function()
    refuses({ mass = function() return { { 1, nan }, { 0, 1 } } end },
      "mass[1][2] is nan, want an expression or a finite number")
    refuses({ force = function() return { huge, 0 } end },
      "force[1] is inf, want an expression or a finite number")
    trips(function(q) return { q.x * huge, 0 } end,
      "attempt to multiply an expression and inf: constants must be finite")
    trips(function(q) return { nan + q.x, 0 } end,
      "attempt to add nan and an expression: constants must be finite")
  end)

  it("has velocity constraints that are affine, constraints without velocities", function()
    refuses({ velocity_constraints = function(_, v) return { v.x ^ 2 } end },
      "velocity_constraints must be affine in the velocities")
    local stolen
    refuses({ force = function(_, v) stolen = v return { 0, 0 } end,
      constraints = function() return { stolen.x } end },
      "constraints may depend on coordinates and time, "
      .. "velocity_constraints on velocities too, on nothing else")
  end)
end)

describe("a traced function", function()
  it("knows the coordinates", function()
    trips(function(q) return { q.tehta, 0 } end,
      "unknown coordinate 'tehta' (did you mean 'theta'?)")
    trips(function(_, v) return { v.Theta, 0 } end,
      "unknown velocity 'Theta' (did you mean 'theta'?)")
    trips(function(q) return { q[7], 0 } end, "unknown coordinate 7: there are 2")
    trips(function(q) return { q.x + missing, 0 } end, -- luacheck: ignore
      "attempt to add an expression and nil: is a name misspelt?")
  end)

  it("cannot compare expressions", function()
    local text = "attempt to compare expressions, which have no value yet: "
      .. "use sarrus.select, sarrus.min or sarrus.max"
    trips(function(q) return { q.x < q.theta and 0 or 1, 0 } end, text)
    trips(function(q) return { q.x <= q.theta and 0 or 1, 0 } end, text)
    local number = function(q) return { q.x < 1 and 0 or 1, 0 } end
    local message = failure(line_of(number), declare, { force = number })
    assert.is_truthy(message:find("use sarrus.select, sarrus.min or sarrus.max", 1, true), message)
  end)

  it("is told of sarrus.sin where it uses math.sin", function()
    for _, name in ipairs { "sin", "cos", "exp", "sqrt" } do
      local f = function(q) return { math[name](q.x), 0 } end
      local message = failure(line_of(f), declare, { force = f })
      assert.is_truthy(message:find("use sarrus." .. name, 1, true), message)
    end
  end)

  it("keeps its own errors", function()
    trips(function() error("my own") end, "my own")
    local object = {}
    local ok, message = pcall(declare, { force = function() error(object) end })
    assert.is_false(ok)
    assert.are.equal(object, message)
  end)
end)

describe("decompose", function()
  it("takes values of parameters", function()
    local k, a = sarrus.parameter("k", 1), sarrus.parameter("a", 1)
    local spring = sarrus.system { coordinates = { "x" }, mass = function() return { { a } } end,
      force = function(q) return { -k * q.x } end }
    local decay = sarrus.dae { differential = { "x" }, algebraic = { "y" },
      derivative = function(_, y) return { -k * y.y } end,
      constraints = function(x, y) return { y.y - a * x.x } end }
    for _, given in ipairs { {}, { k = 6 }, { k = 6, a = 2 } } do
      local ratio = (given.k or 1) / (given.a or 1)
      local s = assert(spring:decompose { q = { 1 }, v = { 0 }, order = 4, parameters = given })
      assert.are.equal(ratio ^ 2 / 24, s.q.x[4])
      s = assert(decay:decompose { x = { 1 }, order = 2, parameters = given })
      assert.are.equal(((given.k or 1) * (given.a or 1)) ^ 2 / 2, s.x.x[2])
    end
    local ok, message = pcall(spring.decompose, spring,
      { q = { 1 }, v = { 0 }, order = 4, parameters = { kk = 1 } })
    assert.is_false(ok)
    assert.truthy(message:find('system: decompose: parameters: unknown parameter "kk"; '
      .. "there are a, k", 1, true), message)
  end)

  local system = declare()

  it("takes an order from 0 to 250", function()
    local range = "a whole number from 0 to 250"
    local texts = { [-1] = "-1", [2.5] = "2.5", [251] = "251", [huge] = "inf", [-huge] = "-inf" }
    for value, text in pairs(texts) do
      refuses_point(system, { order = value }, "order: " .. text .. " is not " .. range)
    end
    refuses_point(system, { order = nan }, "order: nan is not " .. range)
    refuses_point(system, { order = "8" }, 'order: got string "8", want ' .. range)
    refuses_point(system, { order = false }, "missing field 'order'")
    refuses_point(system, { ordr = 4 }, "unknown field 'ordr' (did you mean 'order'?)")
    assert.are.equal(250, decompose(system, { order = 250 }).q.x.order)
  end)

  it("takes finite numbers for all coordinates", function()
    refuses_point(system, { q = { nan, 0 } }, "q.x: nan is not finite")
    refuses_point(system, { v = { 1, -huge } }, "v.theta: -inf is not finite")
    refuses_point(system, { t = huge }, "t: inf is not finite")
    refuses_point(system, { tolerance = nan }, "tolerance: nan is not finite")
    refuses_point(system, { tolerance = -1 }, "tolerance: -1 is negative")
    refuses_point(system, { q = 1 }, "q: got number 1, want a list of 2 numbers")
    refuses_point(system, { q = { 1, "2" } }, 'q.theta: got string "2", want number')
    refuses_point(system, { q = { 1 } },
      "q: theta is missing; the system has 2 coordinates: x, theta")
    refuses_point(system, { q = { 1, 2, 3 } },
      "q: unknown coordinate 3; the system has 2 coordinates: x, theta")
    refuses_point(system, { q = { x = 1, tehta = 2 } },
      "q: theta is missing; the system has 2 coordinates: x, theta\n"
      .. 'system "robot": decompose: q: unknown coordinate "tehta" (did you mean \'theta\'?)')
  end)

  it("says by how much a point is inconsistent", function()
    local circle = declare {
      constraints = function(q) return { q.theta - q.theta, q.x ^ 2 + q.theta ^ 2 - 1 } end,
      velocity_constraints = function(_, v) return { v.theta - 1 } end,
    }
    assert.is_truthy(decompose(circle))
    fails(circle, { q = { 1.5, 0 } }, "INCONSISTENT", "the positions violate constraint 2 by 1.25")
    fails(circle, { v = { 0.5, 1 } }, "INCONSISTENT", "the velocities violate constraint 2 by 1")
    fails(circle, { v = { 0, 3 } }, "INCONSISTENT",
      "the velocities violate velocity constraint 1 by 2")
  end)

  it("keeps the last coefficient, however large", function()
    local large = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function(_, _, t) return { sarrus.exp(400 + t) } end }
    local x = assert(large:decompose { q = { 0 }, v = { 0 }, order = 8 }).q.x
    assert.near(1, x[8] * 56 * 720 / math.exp(400), 1e-14)
  end)

  it("names the quotient whose divisor comes to zero", function()
    local towards = sarrus.system { name = "towards", coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function(_, v, t) return { v.x / t } end }
    local sim = assert(towards:simulate { q = { 1 }, v = { 1 }, t = 1 })
    local done, message, code = sim:advance(-1)
    assert.is_nil(done)
    assert.are.equal("NONFINITE", code)
    assert.is_truthy(message:find("system \"towards\": x'/t is not finite", 1, true), message)
  end)

  it("names what is outside its domain", function()
    local text = " is not finite, or outside its domain, at the given point"
    local log = declare { force = function(q) return { sarrus.log(q.x), 0 } end }
    fails(log, { q = { -1, 0 } }, "NONFINITE", "log(x)" .. text)
    local sqrt = declare { force = function(q) return { sarrus.sqrt(q.x + 1), 0 } end }
    fails(sqrt, { q = { -2, 0 } }, "NONFINITE", "sqrt(x + 1)" .. text)
    fails(sqrt, { q = { -1, 0 } }, "NONFINITE", "sqrt(x + 1)" .. text)
    local quotient = declare { force = function(q) return { 1 / q.x, 0 } end }
    fails(quotient, { q = { 0, 0 } }, "NONFINITE", "1/x" .. text)
    assert.is_truthy(decompose(log))
  end)

  it("names the equation that makes the matrix singular", function()
    local function check(changes, row)
      local solution, message, code = decompose(declare(changes))
      assert.is_nil(solution)
      assert.are.equal("SINGULAR", code)
      assert.is_truthy(message:find("system \"robot\": the matrix of the equations is singular: "
        .. row .. " depends on the others", 1, true), message)
    end
    check({ mass = function() return { { 1, 0 }, { 0, 0 } } end },
      "the equation of motion of theta")
    check({ mass = function() return { { 0, 0 }, { 0, 1 } } end }, "the equation of motion of x")
  end)

  it("is a method", function()
    local function call() system.decompose({ order = 4 }) end
    assert.are.equal("decompose: called on a table; use system:decompose(…)",
      failure(line_of(call), call))
  end)
end)

describe("a series in the same place", function()
  it("says where it cannot be divided by, or is outside a domain", function()
    local one, t = sarrus.series { 1, 2 }, sarrus.series.variable(1)
    local function text(f)
      return failure(line_of(f), f)
    end
    assert.are.equal("division by a series: the constant term is 0, it must not be",
      text(function() local s = one / t return s end))
    assert.are.equal("sarrus.log: the constant term is -1, it must be positive",
      text(function() local s = sarrus.log(t - 1) return s end))
    assert.are.equal("sarrus.sqrt: the constant term is -1, it must be positive, "
      .. "or the whole series zero",
      text(function() local s = sarrus.sqrt(t - 1) return s end))
  end)
end)

describe("a start", function()
  it("meets constraints to 1e-9 of its coordinates, in any unit", function()
    for _, size in ipairs { 1e6, 1, 1e-3, 1e-6, 1e-9 } do
      local circle = sarrus.system { name = "circle", coordinates = { "x", "y" },
        mass = function() return { { 1, 0 }, { 0, 1 } } end,
        force = function() return { 0, 0 } end,
        constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - size ^ 2 } end }
      local function near_by(off)
        return circle:decompose { q = { size * (1 + off), 0 }, v = { 0, 0 }, order = 3 }
      end
      assert.truthy(near_by(1e-10))
      local good, message, code = near_by(1e-8)
      assert.is_nil(good)
      assert.equal("INCONSISTENT", code)
      assert.truthy(message:find("the positions violate constraint 1 by ", 1, true))
    end
  end)
end)
