local sarrus = require "sarrus"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local trace = require "sarrus.expr.trace"

--- The message that f raises, without the place, which must be in this file.
local function message(f)
  local ok, problem = pcall(f)
  assert.is_false(ok)
  assert.are.equal("string", type(problem))
  local place, text = problem:match("^([^\n]-errors_spec%.lua:%d+): (.*)$")
  assert.is_truthy(place, "no place in: " .. problem)
  return text
end

local function line_of(f)
  local _, problem = pcall(f)
  return tonumber(problem:match("errors_spec%.lua:(%d+): "))
end

describe("places", function()
  it("are the innermost line outside sarrus", function()
    local here = debug.getinfo(1, "l").currentline
    local function inner()
      local e = sarrus.sin({})
      return e
    end
    assert.are.equal(here + 2, line_of(inner))
    assert.are.equal(here + 6, line_of(function() local _ = sarrus.time + nil end))
    assert.are.equal(here + 7, line_of(function() local _ = sarrus.adomian.polynomials(3, 1) end))
  end)

  it("are found inside traced functions", function()
    local here = debug.getinfo(1, "l").currentline
    assert.are.equal(here + 3, line_of(function()
      sarrus.adomian.polynomials(function(u)
        local e = u + nil
        return e
      end, 2)
    end))
  end)
end)

describe("suggestions", function()
  it("name near misses", function()
    assert.are.equal(" (did you mean 'at'?)", errors.suggest("att", { "axis", "at" }))
    assert.are.equal(" (did you mean 'theta1'?)", errors.suggest("thta1", { "theta2", "theta1" }))
    assert.are.equal(" (did you mean 'mass'?)", errors.suggest("amss", { "mass" }))
    assert.are.equal(" (did you mean 'Mass'?)", errors.suggest("mass", { "Mass" }))
  end)

  it("are silent about the rest", function()
    assert.are.equal("", errors.suggest("stiffness", { "damping", "rest" }))
    assert.are.equal("", errors.suggest("x", { "y", "z" }))
    assert.are.equal("", errors.suggest(3, { "y" }))
  end)
end)

describe("names that are not there", function()
  it("are told with the near miss, else with those that there are", function()
    assert.are.equal([[unknown body "amr" (did you mean 'arm'?)]],
      errors.unknown("body", "amr", { "base", "arm" }))
    assert.are.equal('unknown body "x"; there are base, arm',
      errors.unknown("body", "x", { "base", "arm" }))
    assert.are.equal('unknown body "x"; there is base', errors.unknown("body", "x", { "base" }))
    assert.are.equal("unknown body 3; there are none", errors.unknown("body", 3, {}))
    local many = {}
    for i = 1, 11 do
      many[i] = "link" .. i
    end
    assert.are.equal('unknown body "x"', errors.unknown("body", "x", many))
  end)
end)

describe("values in messages", function()
  it("are short and clear", function()
    assert.are.equal('"a\\n\\"b"', errors.show('a\n"b'))
    assert.are.equal('"a\\\\b\\1"', errors.show("a\\b\1"))
    assert.are.equal("0.1", errors.show(0.1))
    assert.are.equal("2", errors.show(2.0))
    assert.are.equal("nan", errors.show(0 / 0 ~= 0 / 0 and 0 / 0 or 0))
    assert.are.equal("a table", errors.show({}))
    assert.are.equal("an expression", errors.show(sarrus.time))
    assert.are.equal("a series", errors.show(sarrus.series.variable(1)))
    assert.is_true(#errors.show(("x"):rep(1000)) < 70)
  end)
end)

describe("declarations", function()
  local specification = {
    { "name", fields.string, default = "none" },
    { "mass", fields.number, required = true },
    { "at", fields.list(fields.number, 2), required = true },
    { "frame", fields.one_of { "world", "body" } },
    { "count", fields.integer(1, 10) },
    { "action", fields.callable },
  }
  local function check(given)
    return fields.check(specification, given, 'part "a"')
  end
  local function fault(given)
    return message(function()
      check(given)
    end)
  end
  local function with(name, value)
    local given = { mass = 1, at = { 0, 0 } }
    given[name] = value
    return given
  end

  it("come back with their defaults", function()
    local values = check { mass = 2, at = { 1, 2 } }
    assert.are.same({ name = "none", mass = 2, at = { 1, 2 } }, values)
  end)

  it("say what is wrong", function()
    assert.are.equal('part "a": unknown field \'mas\' (did you mean \'mass\'?)',
      fault(with("mas", 1)))
    assert.are.equal('part "a": mass: got string "2", want number', fault(with("mass", "2")))
    assert.are.equal('part "a": mass: inf is not finite', fault(with("mass", math.huge)))
    assert.are.equal('part "a": at: 3 elements, want 2', fault(with("at", { 1, 2, 3 })))
    assert.are.equal('part "a": at[1] is missing', fault(with("at", { nil, 2 })))
    assert.are.equal('part "a": at[2]: nan is not finite',
      fault(with("at", { 1, math.huge - math.huge })))
    assert.are.equal('part "a": at: unexpected key "x" in a list',
      fault(with("at", { 1, 2, x = 1 })))
    assert.are.equal('part "a": frame: got string "wrld" (did you mean \'world\'?), want one of '
      .. '"world", "body"', fault(with("frame", "wrld")))
    assert.are.equal('part "a": count: 2.5 is not a whole number from 1 to 10',
      fault(with("count", 2.5)))
    assert.are.equal('part "a": action: got number 5, want function', fault(with("action", 5)))
    assert.are.equal('part "a": got number 3, want a table of fields', fault(3))
    assert.are.equal('part "a": missing fields \'mass\', \'at\'', fault {})
  end)

  it("tell all faults at once, up to 20", function()
    local text = fault { mass = "x", at = 3, count = 0 }
    local _, lines = text:gsub("\n", "")
    assert.are.equal(2, lines)
    local given = { mass = 1, at = { 1, 2 } }
    for i = 1, 30 do
      given[("key%02d"):format(i)] = i
    end
    text = fault(given)
    _, lines = text:gsub("\n", "")
    assert.are.equal(20, lines)
    assert.is_truthy(text:find("and 10 more", 1, true))
  end)
end)

describe("misuse of expressions", function()
  local q = trace.symbols("q", { "theta1", "theta2" }, "coordinate")

  it("names the coordinates there are", function()
    assert.are.equal("unknown coordinate 'thta1' (did you mean 'theta1'?)", message(function()
      return q.thta1
    end))
    assert.are.equal("unknown coordinate 5: there are 2", message(function()
      return q[5]
    end))
    assert.is_truthy(message(function()
      q.theta1 = 1
      q.x = 1
    end):find("read only"))
  end)

  it("is seen in operators", function()
    local e = q[1]
    local function fails(expected, f)
      assert.is_truthy(message(f):find(expected, 1, true), message(f))
    end
    fails("attempt to add an expression and nil: is a name misspelt?",
      function() local _ = e + nil end)
    fails("attempt to multiply a string and an expression", function() local _ = "2" * e end)
    fails("constants must be finite", function() local _ = e * math.huge end)
    fails("attempt to divide an expression and a table", function() local _ = e / {} end)
    fails("sarrus.select", function() local _ = e < q[2] end)
    fails("sarrus.select", function() local _ = e <= q[2] end)
    fails("use tostring", function() local _ = "e = " .. e end)
    fails("is an operator missing", function() local _ = e(1) end)
    fails("no field", function() local _ = e.x end)
    fails("no operator %", function() local _ = e % 2 end)
  end)

  it("is seen in functions", function()
    assert.are.equal('sarrus.sin: argument 1 is "x", want a number, a series or an expression',
      message(function() local _ = sarrus.sin("x") end))
    assert.are.equal("sarrus.log(-1) is outside the domain, or too large",
      message(function() local _ = sarrus.log(-1) end))
    assert.are.equal("sarrus.atan: argument 2 is nil, want a number, a series or an expression: "
      .. "is a name misspelt?", message(function() local _ = sarrus.atan(q[1], nil) end))
    assert.is_truthy(message(function() local _ = sarrus.min(1) end):find("two or more"))
    assert.is_truthy(message(function()
      local _ = sarrus.max(q[1], sarrus.series.variable(2))
    end):find("cannot mix"))
    assert.is_truthy(message(function() local _ = sarrus.diff(q[1], q[1] + 1) end):find("variable"))
    assert.is_truthy(message(function() local _ = sarrus.parameter("", 1) end):find("name"))
    assert.is_truthy(message(function() local _ = sarrus.parameter("k") end):find("finite number"))
  end)

  it("is seen in tables", function()
    local function fails(expected, given)
      local text = message(function() local _ = sarrus.table(given) end)
      assert.is_truthy(text:find(expected, 1, true), text)
    end
    fails("x must rise, but x[2] = 1 follows 1", { x = { 1, 1 }, y = { 0, 1 } })
    fails("2 values of x, but 1 of y", { x = { 1, 2 }, y = { 0 } })
    fails("two or more points", { x = { 1 }, y = { 0 } })
    fails("y[2]: nan is not finite", { x = { 1, 2 }, y = { 0, math.huge - math.huge } })
  end)

  it("is seen in names of sarrus", function()
    assert.are.equal('sarrus has no field "sine" (did you mean \'sin\'?)', message(function()
      local _ = sarrus.sine
    end))
    assert.is_nil(sarrus.on_warning)
  end)
end)

describe("tracing", function()
  local q = trace.symbols("q", { "x" }, "coordinate")

  --- The message when a function is traced.
  local function traced(f)
    return message(function()
      local result = trace.call('system "s"', "force", f, q)
      return result
    end)
  end

  it("says to use the functions of sarrus", function()
    for _, name in ipairs { "sin", "cos", "exp", "sqrt", "log", "abs" } do
      local text = traced(function(p)
        local e = math[name](p.x)
        return e
      end)
      assert.is_truthy(text:find("use sarrus." .. name, 1, true), text)
      assert.is_truthy(text:find('^system "s": force: '))
    end
    assert.is_truthy(traced(function(p)
      local e = math.floor(p.x)
      return e
    end):find("sarrus.sin", 1, true))
  end)

  it("says how to branch", function()
    assert.is_truthy(traced(function(p) return p.x < p.x * 2 end):find("sarrus.select", 1, true))
    assert.is_truthy(traced(function(p) return p.x < 1 end):find("sarrus.select", 1, true))
  end)

  it("asks about names that are nil", function()
    assert.is_truthy(traced(function()
      local p = {}
      return p.k * 2
    end):find("misspelt", 1, true))
  end)

  it("passes errors that are no strings", function()
    local problem = {}
    local ok, raised = pcall(trace.call, "s", "f", function() error(problem) end)
    assert.is_false(ok)
    assert.are.equal(problem, raised)
  end)

  it("wants a function", function()
    assert.are.equal("s: mass: got number 3, want function", message(function()
      local _ = trace.call("s", "mass", 3)
    end))
  end)

  it("checks what comes back", function()
    local function vector(value, n)
      return message(function() local _ = trace.vector("s", "force", value, n) end)
    end
    local function matrix(value)
      return message(function() local _ = trace.matrix("s", "mass", value, 2) end)
    end
    assert.are.equal("s: force returned 1 value, expected 2", vector({ 1 }, 2))
    assert.are.equal("s: force returned an expression, want a list of 2", vector(q.x, 2))
    assert.are.equal("s: force returned nil, want a list of 2", vector(nil, 2))
    assert.are.equal("s: force[1] is nil, want an expression or a finite number",
      vector({ nil, 1 }, 2))
    assert.are.equal('s: force[2] is "1", want an expression or a finite number',
      vector({ 1, "1" }, 2))
    assert.are.equal("s: mass returned 1 row, expected 2", matrix { { 1 } })
    assert.are.equal("s: mass[2] has 1 value, expected 2", matrix { { 1, 2 }, { 1 } })
    assert.are.equal("s: mass[1] is 1, want a row of 2", matrix { 1, 2 })
    assert.are.equal("s: mass[2][1] is inf, want an expression or a finite number",
      matrix { { 1, 2 }, { math.huge, 1 } })
    assert.are.same({ 1, 2 }, trace.vector("s", "force", { 1, 2 }, 2))
    assert.are.same({}, trace.vector("s", "constraints", {}))
  end)
end)
