-- Stiff systems: steps as long as the motion allows, and the same answers; what is told of bad
-- input.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local g = 9.81

--- A mass on a spring, started at its static stretch so that it does not vibrate; `ratio` of
--- damping.
local function spring_pendulum(k, ratio)
  local l = 1 + g * math.cos(1) / k
  local place = { l * math.sin(1), -l * math.cos(1) }
  return sarrus.model {
    name = "spring pendulum", gravity = { 0, -g },
    body.point { "mass", position = place, mass = 1 },
    force.spring { "spring", "ground", "mass", from = { 0, 0 }, to = place, stiffness = k,
      length = 1, damping = 2 * ratio * math.sqrt(k) },
  }
end

--- Six masses of 1 kg, 1 m apart, on springs of 1e8 N/m.
local function chain()
  local parts = { name = "chain", gravity = { 0, -g } }
  local before, at = "ground", { 0, 0 }
  for i = 1, 6 do
    local name, to = "m" .. i, { i * math.sin(1), -i * math.cos(1) }
    parts[#parts + 1] = body.point { name, position = to, mass = 1 }
    parts[#parts + 1] = force.spring { "s" .. i, before, name, from = at, to = to,
      stiffness = 1e8, damping = 2e4 }
    before, at = name, to
  end
  return sarrus.model(parts)
end

local function slider_crank()
  local wrist = { math.sqrt(8), 0 }
  return sarrus.model {
    name = "slider-crank", gravity = { 0, -g },
    body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
    body.rod { "rod", from = { 0, 1 }, to = wrist, mass = 2 },
    body.box { "piston", position = wrist, size = { 0.4, 0.3 }, mass = 3 },
    joint.revolute { "main", "ground", "crank", at = { 0, 0 } },
    force.bushing { "pin", "crank", "rod", at = { 0, 1 }, stiffness = 1e8, damping = 1e4 },
    joint.revolute { "wrist", "rod", "piston", at = wrist },
    joint.prismatic { "cylinder", "ground", "piston", at = wrist, axis = { 1, 0 } },
  }
end

--- Two links, the end of the second on a guide; gains that give rates of kd / J and kp / kd.
local function guided_arm(kp, kd)
  return sarrus.model {
    name = "guided arm", gravity = { 0, -g },
    body.rod { "upper", from = { 0, 0 }, to = { 0.8, 0.6 }, mass = 1 },
    body.rod { "lower", from = { 0.8, 0.6 }, to = { 1.6, 0 }, mass = 1 },
    joint.revolute { "shoulder", "ground", "upper", at = { 0, 0 }, torque = function(angle, rate, t)
      return kp * (0.2 * sarrus.sin(2 * t) - angle) + kd * (0.4 * sarrus.cos(2 * t) - rate)
    end },
    joint.revolute { "elbow", "upper", "lower", at = { 0.8, 0.6 } },
    joint.slot { "guide", "ground", "lower", at = { 1.6, 0 }, axis = { 1, 0 } },
  }
end

--- The stiff flyball governor of IFToMM (A05): springs in the place of coupler rods.
local function governor()
  local beta, spin, density = math.pi / 6, 2 * math.pi, 3000
  local parts = {
    name = "governor", gravity = { 0, 0, -g },
    body.box { "shaft", position = { 0, 0, 0.5 }, size = { 0.01, 0.01, 1 }, density = density,
      spin = { 0, 0, spin } },
    body.box { "slider", position = { 0, 0, 0.5 }, size = { 0.1, 0.1, 0.1 }, density = density,
      spin = { 0, 0, spin } },
    joint.revolute { "bearing", "ground", "shaft", at = { 0, 0, 0 }, axis = { 0, 0, 1 } },
    joint.prismatic { "guide", "shaft", "slider", at = { 0, 0, 0.5 }, axis = { 0, 0, 1 } },
  }
  for _, side in ipairs { 1, -1 } do
    local rod, ball = "rod" .. side, "ball" .. side
    local function along(s)
      return { side * (0.05 + s * math.cos(beta)), 0, 1 - s * math.sin(beta) }
    end
    for _, part in ipairs {
      body.box { rod, position = along(0.5), size = { 1, 0.01, 0.01 }, density = density,
        orientation = { axis = { 0, side, 0 }, angle = beta }, spin = { 0, 0, spin },
        velocity = { 0, spin * along(0.5)[1], 0 } },
      body.point { ball, position = along(1), mass = 5, velocity = { 0, spin * along(1)[1], 0 } },
      joint.custom { "tip" .. side, { rod, ball }, equations = function(a, b)
        local d = a:point { side * 0.5, 0, 0 } - b:point()
        return { d.x, d.y, d.z }
      end },
      joint.revolute { "hinge" .. side, "shaft", rod, at = along(0), axis = { 0, 1, 0 } },
      force.spring { "spring" .. side, "slider", rod, from = { side * 0.05, 0, 0.5 },
        to = along(0.5), stiffness = 8e5, damping = 4e4, length = 0.5 },
    } do
      parts[#parts + 1] = part
    end
  end
  return sarrus.model(parts)
end

--- What `read` answers at the end, steps since `layer`, and all steps.
local function run(subject, given, layer, t, read)
  local sim = assert(subject:simulate(given))
  assert(sim:advance(layer))
  local before = sim:stats().steps
  assert(sim:advance(t))
  return read(sim:state()), sim:stats().steps - before, sim:stats().steps
end

local function place(s)
  return { s:body("mass").x, s:body("mass").y }
end

--- Where the mass is after 10 s.
local function swing(k, ratio, method, tolerance)
  local p, _, steps = run(spring_pendulum(k, ratio),
    { tolerance = tolerance, method = method }, 0, 10, place)
  return p, steps
end

local function apart(p, q)
  return math.max(math.abs(p[1] - q[1]), math.abs(p[2] - q[2]))
end

--- The same in polar coordinates, the stretch itself and the angle, by series: where the force is
--- k (l - 1), rounding of l alone moves the mass by 3e-9 in 10 s, whatever the tolerance (k = 1e8).
local function polar(k, ratio)
  local system = sarrus.system {
    coordinates = { "stretch", "angle" },
    lagrangian = function(q, v)
      local l = 1 + q.stretch
      return (v.stretch ^ 2 + l ^ 2 * v.angle ^ 2) / 2 + g * l * sarrus.cos(q.angle)
        - k * q.stretch ^ 2 / 2
    end,
    force = function(_, v) return { -2 * ratio * math.sqrt(k) * v.stretch, 0 } end,
  }
  return assert(system:simulate { q = { g * math.cos(1) / k, 1 }, tolerance = 1e-13,
    method = "series" })
end

local function polar_place(s)
  local l = 1 + s.q.stretch
  return { l * math.sin(s.q.angle), -l * math.cos(s.q.angle) }
end

describe("a spring pendulum", function()
  -- On a rod, and with a spring of 1e8: what a spring moves it by is 1/k, but for 1/k^1.5.
  local rod, stretched
  setup(function()
    rod = run(sarrus.model {
      gravity = { 0, -g },
      body.point { "mass", position = { math.sin(1), -math.cos(1) }, mass = 1 },
      joint.distance { "rod", "ground", "mass", from = { 0, 0 },
        to = { math.sin(1), -math.cos(1) } },
    }, {}, 0, 10, place)
  end)

  local function known(k, ratio)
    if k <= 1e8 then
      local sim = polar(k, ratio)
      assert(sim:advance(10))
      stretched = polar_place(sim:state())
      return stretched
    end
    local part = 1e8 / k
    return { rod[1] + (stretched[1] - rod[1]) * part, rod[2] + (stretched[2] - rod[2]) * part }
  end

  it("takes as many steps whatever its stiffness", function()
    local least, most = math.huge, 0
    for _, k in ipairs { 1e4, 1e6, 1e8, 1e10, 1e12 } do
      for _, ratio in ipairs { k < 1e8 and 0.1 or 0.01, 1 } do
        local exact = known(k, ratio)
        -- k = 1e4 is not stiff: series are chosen, which at this tolerance are 1.6e-10 off.
        for _, method in ipairs(k > 1e4 and { "auto", "stiff" } or { "stiff" }) do
          local p, steps = swing(k, ratio, method, 1e-10)
          assert.is_true(apart(p, exact) < 1e-10, ("%g %g %s: %g"):format(k, ratio, method,
            apart(p, exact)))
          assert.is_true(steps <= 140, steps)
          if method == "stiff" and k >= 1e6 then
            least, most = math.min(least, steps), math.max(most, steps)
          end
        end
      end
    end
    assert.is_true(most <= 1.1 * least, ("%d to %d steps"):format(least, most))
  end)

  it("is where it should be inside of steps", function()
    local sim = assert(spring_pendulum(1e8, 1):simulate { tolerance = 1e-10 })
    local series, worst = polar(1e8, 1), 0
    for t, s in sim:samples(10, 0.01) do
      assert(series:advance(t))
      worst = math.max(worst, apart(place(s), polar_place(series:state())))
    end
    assert.is_true(worst < 1e-8, worst)
  end)

  it("that vibrates is followed, not damped", function()
    local at = { math.sin(1), -math.cos(1) }
    local model = sarrus.model {
      gravity = { 0, -g }, body.point { "mass", position = at, mass = 1 },
      force.spring { "spring", "ground", "mass", from = { 0, 0 }, to = at, stiffness = 1e6 },
    }
    for _, method in ipairs { "auto", "stiff" } do
      local sim = assert(model:simulate { method = method })
      local energy = sim:state():energy().total
      assert(sim:advance(10))
      assert.near(1, sim:state():energy().total / energy, 1e-6)
    end
  end)
end)

describe("implicit steps are long enough", function()
  --- At most so many, and what series of a finer tolerance say.
  local function compare(model, given, layer, t, most, error, read)
    local start = { joints = given.joints, tolerance = 1e-12, method = "series" }
    local exact, _, of_series = run(model, start, layer, t, read)
    for _, method in ipairs { "auto", "stiff" } do
      given.method = method
      local found, steps, all = run(model, given, layer, t, read)
      assert.is_true(steps <= most, ("%s: %d steps"):format(method, steps))
      assert.near(exact, found, error)
      assert.is_true(all < of_series / 20)
    end
  end

  it("with a chain", function()
    compare(chain(), { tolerance = 1e-10 }, 0.2, 2.1, 100, 1e-9,
      function(s) return s:body("m6").x end)
  end)

  it("with a slider-crank that has a bushing", function()
    compare(slider_crank(), { tolerance = 1e-10, joints = { main = { rate = -2 } } }, 0.2, 5, 160,
      1e-9, function(s) return s:joint("main").angle end)
  end)

  it("with a drive whose force keeps the steps of series short", function()
    local k, mass = 1e8, 2
    local towed = sarrus.model {
      gravity = { 0, -g }, body.rigid { "sledge", position = { 0, 0 }, mass = mass, inertia = 1 },
      body.rigid { "tractor", position = { 1, 0 }, mass = 1, inertia = 1 },
      joint.prismatic { "rail", "ground", "sledge", at = { 0, 0 }, axis = { 1, 0 } },
      joint.prismatic { "drive", "ground", "tractor", at = { 1, 0 }, axis = { 1, 0 },
        motion = sarrus.time ^ 2 / 2 },
      force.spring { "rope", "sledge", "tractor", from = { 0, 0 }, to = { 1, 0 }, stiffness = k,
        length = 1, damping = 2 * math.sqrt(mass * k) },
    }
    for _, tolerance in ipairs { 1e-8, 1e-10, 1e-12 } do
      local sim = assert(towed:simulate { tolerance = tolerance })
      assert(sim:advance(4))
      local x = sim:state():body("sledge").x
      assert.is_true(math.abs(x - (8 - mass / k)) < 1e-11, x)
      assert.is_true(sim:stats().steps < 100, sim:stats().steps) -- series alone: 5000
    end
  end)

  it("with the gains of an arm", function()
    local function read(s)
      return s:joint("shoulder").angle
    end
    compare(guided_arm(1e6, 1e4), { tolerance = 1e-10 }, 0.5, 4, 60, 1e-10, read)
    for _, method in ipairs { "auto", "stiff" } do
      local model, found = guided_arm(1e8, 1e6), {}
      for i, tolerance in ipairs { 1e-10, 1e-13 } do
        local steps
        found[i], steps = run(model, { tolerance = tolerance, method = method }, 0.5, 4, read)
        assert.is_true(i == 2 or steps <= 60, steps)
      end
      assert.near(found[2], found[1], 1e-10)
    end
  end)

  it("with the flyball governor", function()
    compare(governor(), { tolerance = 1e-10 }, 0.2, 10, 178, 1e-8,
      function(s) return s:joint("guide").length end)
  end)

  -- eps y'' = (1 - y^2) y' - y from (2, 0); its digits at t = 2 are those of the IVP test set.
  it("with Van der Pol's equation", function()
    local eps, exact = 1e-6, 1.706167732170483
    local dae = sarrus.dae {
      differential = { "y", "z" }, algebraic = {},
      derivative = function(x) return { x.z, ((1 - x.y ^ 2) * x.z - x.y) / eps } end,
      constraints = function() return {} end,
    }
    local system = sarrus.system {
      coordinates = { "y" }, mass = function() return { { eps } } end,
      force = function(q, v) return { (1 - q.y ^ 2) * v.y - q.y } end,
    }
    for _, method in ipairs { "auto", "stiff" } do
      local y, _, steps = run(dae, { x = { 2, 0 }, tolerance = 1e-9, method = method }, 0, 2,
        function(s) return s.x.y end)
      assert.near(exact, y, 1e-8)
      assert.is_true(steps <= 250, steps)
      y, _, steps = run(system, { q = { 2 }, tolerance = 1e-9, method = method }, 0, 2,
        function(s) return s.q.y end)
      assert.near(exact, y, 1e-8)
      assert.is_true(steps <= 250, steps)
    end
  end)
end)

describe("bad input of stiff systems", function()
  local function press(law)
    return sarrus.model {
      name = "press", gravity = { 0, -g },
      body.box { "ram", position = { 0, 0 }, size = { 0.1, 0.1 }, mass = 1 },
      joint.prismatic { "guide", "ground", "ram", at = { 0, 0 }, axis = { 0, 1 }, force = law },
    }
  end

  --- A failure, its time left out.
  local function failure(model, method)
    local sim, message, code = model:simulate { method = method, max_steps = 2000 }
    if sim then
      local _
      _, message, code = sim:advance(1)
    end
    return code .. ": " .. message:gsub("%(t = [%d.e-]+%)", "(t = …)")
  end

  it("a force that has no value at the start is shown", function()
    local model = press(function(length, rate)
      return -1e8 * sarrus.log(length - 1) - 1e4 * rate
    end)
    for _, method in ipairs { "auto", "stiff" } do
      assert.equal('NONFINITE: model "press": log(guide.length - 1) is not finite, or outside its '
        .. "domain (t = …)", failure(model, method))
    end
  end)

  it("a force that ends is shown", function()
    local model = press(function(length, rate, t)
      return -1e8 * length * sarrus.sqrt(1e-2 - t ^ 2) - 1e4 * rate
    end)
    for _, method in ipairs { "auto", "stiff" } do
      assert.equal('STEP: model "press": the steps became too small; ram.y keeps them small: '
        .. "sqrt(0.01 - t^2) grows without bound there, or ends (t = …)", failure(model, method))
    end
  end)

  it("a gain of the wrong sign names what runs away", function()
    local model = press(function(length, rate) return 1e8 * length - 1e3 * rate end)
    assert.equal('STEP: model "press": the steps became too small; ram.y keeps them small: does '
      .. "the motion blow up there, or is a spring or a gain very stiff? (t = …)",
      failure(model, "auto"))
    assert.equal('STEP: model "press": 2000 steps were not enough; ram.y keeps them small; raise '
      .. "max_steps or the tolerance (t = …)", failure(model, "stiff"))
  end)

  local function misuse(given)
    local _, message = pcall(function() return press(0):simulate(given) end)
    return (message:gsub("^.-:%d+: ", ""))
  end

  it("a method that there is not", function()
    assert.equal('model "press": simulate: method: got string "stif" (did you mean \'stiff\'?), '
      .. 'want one of "auto", "series", "stiff"', misuse { method = "stif" })
  end)

  it("an order or a step of implicit steps", function()
    for name, value in pairs { order = 20, step = 0.1 } do
      assert.equal('model "press": simulate: ' .. name
        .. ' goes with method = "series"; "stiff" chooses its own',
        misuse { method = "stiff", [name] = value })
    end
  end)
end)
