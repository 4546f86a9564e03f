-- Problems with known answers.  Each is { name, system, q, v, known }, `known` a list of
-- { t, q = {…}, v = {…}, lambda = {…} } in which what is not known is left out.
-- Signs: M v' = f - G^T lambda.
local sarrus = require "sarrus"
local sin, cos, sqrt = sarrus.sin, sarrus.cos, sarrus.sqrt

local problems = {}

local GRAVITY = 9.81

--- A diagonal matrix.
local function diagonal(values)
  local rows = {}
  for i = 1, #values do
    rows[i] = {}
    for j = 1, #values do
      rows[i][j] = i == j and values[i] or 0
    end
  end
  return rows
end

-- 1: the two-link robot of the paper, q = (sin t, -2 sin t), lambda = cos t -----------------------

function problems.robot()
  local function exact(t)
    local s, c = math.sin(t), math.cos(t)
    return { t = t, q = { s, -2 * s }, v = { c, -2 * c }, lambda = { c } }
  end
  return {
    name = "two-link robot",
    q = { 0, 0 },
    v = { 1, -2 },
    known = { exact(1), exact(10) },
    exact = exact,
    system = sarrus.system {
      name = "two-link robot",
      coordinates = { "theta1", "theta2" },
      mass = function(q)
        local c = cos(q[2])
        return { { 5 + 3 * c, 1 + 3 / 2 * c }, { 1 + 3 / 2 * c, 1 } }
      end,
      force = function(q, v)
        local c1, c12 = cos(q[1]), cos(q[1] + q[2])
        return { (c1 + c12) * v[1] - 3 * q[1], c12 * v[1] + (1 - 3 / 2 * cos(q[2])) * q[1] }
      end,
      constraints = function(q) return { sin(q[1]) + sin(q[1] + q[2]) } end,
    },
  }
end

-- 2: pendulum in Cartesian coordinates ------------------------------------------------------------

--- `copies` states the constraint that many times.
function problems.pendulum(copies)
  return {
    name = "pendulum",
    q = { -1, 0 },
    v = { 0, 0 },
    period = 2.36784194757623744930,
    known = {
      { t = 10, q = { -0.27508746257611686005, -0.96141920509912506427 },
        v = { 4.1755981009517288365, -1.1947490545604752716 }, lambda = { 14.147283603033625321 } },
      { t = 100, q = { -0.18151335142703138454, -0.98338848033405750468 },
        lambda = { 14.470561488115656181 } },
    },
    energy = function(s) return (s.v[1] ^ 2 + s.v[2] ^ 2) / 2 + GRAVITY * s.q[2] end,
    largest_kinetic = GRAVITY,
    system = sarrus.system {
      name = "pendulum",
      coordinates = { "x", "y" },
      mass = function() return diagonal { 1, 1 } end,
      force = function() return { 0, -GRAVITY } end,
      constraints = function(q)
        local g = {}
        for i = 1, copies or 1 do
          g[i] = q.x ^ 2 + q.y ^ 2 - 1
        end
        return g
      end,
    },
  }
end

-- 3: Andrews' squeezing mechanism -----------------------------------------------------------------

local andrews = {
  m = { .04325, .00365, .02373, .00706, .07050, .00706, .05498 },
  I = { 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5 },
  xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072,
  c0 = 4530, l0 = .07785, mom = .033, d = .028, da = .0115, e = .02, ea = .01421, rr = .007,
  ra = .00092, ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916,
  u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421,
}

problems.andrews = andrews

local function andrews_mass(q, p)
  local m, I = p.m, p.I
  local e, z = p.e - p.ea, p.zf - p.fa
  local M = diagonal { 0, 0, m[3] * (p.sa ^ 2 + p.sb ^ 2) + I[3], m[4] * e ^ 2 + I[4], 0,
    m[6] * z ^ 2 + I[6], 0 }
  M[1][1] = m[1] * p.ra ^ 2 + m[2] * (p.rr ^ 2 - 2 * p.da * p.rr * cos(q.th) + p.da ^ 2)
    + I[1] + I[2]
  M[1][2] = m[2] * (p.da ^ 2 - p.da * p.rr * cos(q.th)) + I[2]
  M[2][2] = m[2] * p.da ^ 2 + I[2]
  M[4][5] = m[4] * (e ^ 2 + p.zt * e * sin(q.ph)) + I[4]
  M[5][5] = m[4] * (p.zt ^ 2 + 2 * p.zt * e * sin(q.ph) + e ^ 2) + m[5] * (p.ta ^ 2 + p.tb ^ 2)
    + I[4] + I[5]
  M[6][7] = m[6] * (z ^ 2 - p.u * z * sin(q.om)) + I[6]
  M[7][7] = m[6] * (z ^ 2 - 2 * p.u * z * sin(q.om) + p.u ^ 2) + m[7] * (p.ua ^ 2 + p.ub ^ 2)
    + I[6] + I[7]
  M[2][1], M[5][4], M[7][6] = M[1][2], M[4][5], M[6][7]
  return M
end

local function andrews_force(q, v, p)
  local m = p.m
  local e, z = p.e - p.ea, p.zf - p.fa
  local dx = p.sd * cos(q.ga) + p.sc * sin(q.ga) + p.xb - p.xc
  local dy = p.sd * sin(q.ga) - p.sc * cos(q.ga) + p.yb - p.yc
  local length = sqrt(dx ^ 2 + dy ^ 2)
  local pull = -p.c0 * (length - p.l0) / length
  return {
    p.mom - m[2] * p.da * p.rr * v.th * (v.th + 2 * v.be) * sin(q.th),
    m[2] * p.da * p.rr * v.be ^ 2 * sin(q.th),
    pull * dx * (p.sc * cos(q.ga) - p.sd * sin(q.ga))
      + pull * dy * (p.sd * cos(q.ga) + p.sc * sin(q.ga)),
    m[4] * p.zt * e * v.de ^ 2 * cos(q.ph),
    -m[4] * p.zt * e * v.ph * (v.ph + 2 * v.de) * cos(q.ph),
    -m[6] * p.u * z * v.ep ^ 2 * cos(q.om),
    m[6] * p.u * z * v.om * (v.om + 2 * v.ep) * cos(q.om),
  }
end

local function andrews_constraints(q, p)
  local X = p.rr * cos(q.be) - p.d * cos(q.be + q.th)
  local Y = p.rr * sin(q.be) - p.d * sin(q.be + q.th)
  return {
    X - p.ss * sin(q.ga) - p.xb,
    Y + p.ss * cos(q.ga) - p.yb,
    X - p.e * sin(q.ph + q.de) - p.zt * cos(q.de) - p.xa,
    Y + p.e * cos(q.ph + q.de) - p.zt * sin(q.de) - p.ya,
    X - p.zf * cos(q.om + q.ep) - p.u * sin(q.ep) - p.xa,
    Y - p.zf * sin(q.om + q.ep) + p.u * cos(q.ep) - p.ya,
  }
end

--- `copy` is the number of a constraint that is stated twice; `p` has numbers or parameters.
function problems.squeezer(copy, p)
  p = p or andrews
  return {
    name = "squeezer",
    q = { -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885,
      0.487364979543842550, -0.222668390165885885, 1.23054744454982119 },
    v = { 0, 0, 0, 0, 0, 0, 0 },
    known = {
      { t = 0.03,
        q = { 15.810771195153707097, -15.756371058411839470, 0.040822240119645804858,
          -0.53473011634207959377, 0.52440996587995406937, 0.53473011634207959377,
          1.0480807410419378731 },
        v = { 1139.9203022591060642, -1424.3792951775400732, 11.032911910618593745,
          19.293374105032040832 },
        lambda = { 199.17534810453862819, -29.755309974971763324, 23.066543611622151129,
          31.452725275771137075, 22.642494786394378578, 11.617392352611255907 } },
      { t = 0.05, q = { 33.825867766954517332, nil, 0.11339507381259901503 },
        lambda = { 108.90548842952924680 } },
    },
    system = sarrus.system {
      name = "squeezer",
      coordinates = { "be", "th", "ga", "ph", "de", "om", "ep" },
      mass = function(q) return andrews_mass(q, p) end,
      force = function(q, v) return andrews_force(q, v, p) end,
      constraints = function(q)
        local g = andrews_constraints(q, p)
        g[#g + 1] = copy and g[copy]
        return g
      end,
    },
  }
end

-- 4: N four-bars, through positions where the Jacobian loses rank ---------------------------------

-- 2N + 1 uniform rods between joints: an upright has T = |B_i'|^2/6, a coupler (a^2 + a b + b^2)/6.
local function four_bar_lagrangian(n)
  return function(q, v)
    local L = 0
    for i = 0, n do
      local vx, vy = v["x" .. i], v["y" .. i]
      L = L + (vx ^ 2 + vy ^ 2) / 6 - GRAVITY * q["y" .. i] / 2
      if i > 0 then
        local wx, wy = v["x" .. i - 1], v["y" .. i - 1]
        L = L + (vx ^ 2 + vx * wx + wx ^ 2 + vy ^ 2 + vy * wy + wy ^ 2) / 6
          - GRAVITY * (q["y" .. i] + q["y" .. i - 1]) / 2
      end
    end
    return L
  end
end

local function four_bar_constraints(n)
  return function(q)
    local g = {}
    for i = 0, n do
      local x, y = q["x" .. i], q["y" .. i]
      g[#g + 1] = (x - i) ^ 2 + y ^ 2 - 1
      if i > 0 then
        g[#g + 1] = (x - q["x" .. i - 1]) ^ 2 + (y - q["y" .. i - 1]) ^ 2 - 1
      end
    end
    return g
  end
end

local four_bar_known = {
  [2] = {
    { t = 1, q = { -0.19502030194943509364, -0.98079920566217383260 } },
    { t = 10, q = { 0.32845811154081537865, 0.94451853817860096216 } },
  },
  [40] = {
    { t = 10, q = { 0.18051222668672839010, 0.98357274058231157488 } },
    { t = 20, q = { 0.41090115376294522215, 0.91167990097198065163 } },
  },
}

function problems.four_bars(n)
  local names, q, v = {}, {}, {}
  for i = 0, n do
    names[2 * i + 1], names[2 * i + 2] = "x" .. i, "y" .. i
    q[2 * i + 1], q[2 * i + 2] = i, 1
    v[2 * i + 1], v[2 * i + 2] = 1, 0
  end
  return {
    name = n .. " four-bars",
    q = q,
    v = v,
    known = four_bar_known[n] or {},
    singular = { 0.714355529, 1.228159393 }, -- N = 2
    system = sarrus.system {
      name = n .. " four-bars",
      coordinates = names,
      lagrangian = four_bar_lagrangian(n),
      constraints = four_bar_constraints(n),
    },
  }
end

-- 5: free rigid body, flipping about its middle axis ----------------------------------------------

--- The body's axes a, b, c in space; T = sum E_i |axis_i'|^2 / 2, Euler tensor E = tr(J)/2 - J.
function problems.free_body()
  local function dot(p, q, i, j)
    return p[i] * q[j] + p[i + 1] * q[j + 1] + p[i + 2] * q[j + 2]
  end
  return {
    name = "free body",
    q = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    v = { 0, 1, 0, -1, 0, 1.4, 0, -1.4, 0 }, -- spin x axis, spin = (1.4, 0, 1)
    known = {
      { t = 10, rates = { -0.95033425887147314201, 1.1870775298551244285,
        0.68670779942592472652 } },
      { t = 50, rates = { 0.33806664544885357356, 1.5687408722645301313,
        0.27774903849072175377 } },
    },
    --- The spin in body axes.
    rates = function(s)
      return { dot(s.q, s.v, 7, 4), dot(s.q, s.v, 1, 7), dot(s.q, s.v, 4, 1) }
    end,
    system = sarrus.system {
      name = "free body",
      coordinates = { "ax", "ay", "az", "bx", "by", "bz", "cx", "cy", "cz" },
      mass = function() return diagonal { 2.5, 2.5, 2.5, 1.5, 1.5, 1.5, 0.5, 0.5, 0.5 } end,
      constraints = function(q)
        return { dot(q, q, 1, 1) - 1, dot(q, q, 4, 4) - 1, dot(q, q, 7, 7) - 1,
          dot(q, q, 1, 4), dot(q, q, 1, 7), dot(q, q, 4, 7) }
      end,
    },
  }
end

-- 6: double pendulum of two point masses ----------------------------------------------------------

function problems.double_pendulum()
  return {
    name = "double pendulum",
    q = { 1, 0, 2, 0 },
    v = { 0, 0, 0, 0 },
    known = {
      { t = 1, q = { -0.58516839199887506894, -0.81091180346906462094, -1.4448188499434757965,
        -1.3217944613814645558 } },
      { t = 5, q = { -0.58686920981627114532, -0.80968174647180080514, -1.5507784694704428004,
        -1.0759127348126524565 } },
      { t = 10, q = { -0.53834723961222639073, -0.84272311562095892496, -1.0407657832461704861,
        -1.7073476624693274470 } },
    },
    system = sarrus.system {
      name = "double pendulum",
      coordinates = { "x1", "y1", "x2", "y2" },
      mass = function() return diagonal { 1, 1, 1, 1 } end,
      force = function() return { 0, -GRAVITY, 0, -GRAVITY } end,
      constraints = function(q)
        return { q.x1 ^ 2 + q.y1 ^ 2 - 1, (q.x2 - q.x1) ^ 2 + (q.y2 - q.y1) ^ 2 - 1 }
      end,
    },
  }
end

-- 7: Chaplygin sleigh -----------------------------------------------------------------------------

function problems.sleigh()
  return {
    name = "sleigh",
    q = { 0, 0, 0 },
    v = { 0, 0, 1 },
    known = {
      { t = 1, q = { 0.18687552015159013044, 0.14113371493796891400, 0.96076215826745889721 } },
      { t = 5, q = { -1.6803207892246667577, 2.4922103197937391432, 2.8139871378723075067 } },
    },
    system = sarrus.system {
      name = "sleigh",
      coordinates = { "x", "y", "th" },
      mass = function(q)
        local c, s = cos(q.th), sin(q.th)
        return { { 1, 0, -s / 2 }, { 0, 1, c / 2 }, { -s / 2, c / 2, 1 } }
      end,
      force = function(q, v)
        return { cos(q.th) * v.th ^ 2 / 2, sin(q.th) * v.th ^ 2 / 2, 0 }
      end,
      velocity_constraints = function(q, v) return { -v.x * sin(q.th) + v.y * cos(q.th) } end,
    },
  }
end

-- 8: equations of the decomposition literature ----------------------------------------------------

--- y' = f(y), as a velocity constraint.
local function first_order(name, y0, f, t, y)
  return {
    name = name,
    q = { y0 },
    v = { f(y0) },
    known = { { t = t, q = { y } } },
    system = sarrus.system {
      name = name,
      coordinates = { "y" },
      mass = function() return { { 1 } } end,
      velocity_constraints = function(q, v) return { v.y - f(q.y) } end,
    },
  }
end

--- y'' = f(y) from rest.
local function from_rest(name, y0, f, t, y)
  return {
    name = name,
    q = { y0 },
    v = { 0 },
    known = { { t = t, q = { y } } },
    system = sarrus.system {
      name = name,
      coordinates = { "y" },
      mass = function() return { { 1 } } end,
      force = function(q) return { f(q.y) } end,
    },
  }
end

function problems.literature()
  local function tanh(t) return 1 - 2 / (math.exp(2 * t) + 1) end
  return {
    first_order("y' = 1 - y^2", 0, function(y) return 1 - y ^ 2 end, 2, tanh(2)),
    first_order("y' = y^2", 1, function(y) return y ^ 2 end, 0.9375, 16),
    first_order("y' = y (1 - y)", 0.5, function(y) return y * (1 - y) end, 3,
      1 / (1 + math.exp(-3))),
    from_rest("y'' = 2 e^y", 0, function(y) return 2 * sarrus.exp(y) end, 1.25,
      -2 * math.log(math.cos(1.25))),
    from_rest("y'' + y + y^3 = 0", 1, function(y) return -y - y ^ 3 end, 10,
      0.79887476899741432621),
  }
end

-- Using them -----------------------------------------------------------------------------------

--- A simulation of a problem; `options` are those of simulate.
function problems.simulate(problem, options)
  local given = { q = problem.q, v = problem.v }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  return assert(problem.system:simulate(given))
end

--- The largest difference of a list from what is known of it.
function problems.difference(list, known)
  local worst = 0
  for i, value in pairs(known) do
    worst = math.max(worst, math.abs(list[i] - value))
  end
  return worst
end

--- What is known at time t.
function problems.at(problem, t)
  for _, known in ipairs(problem.known) do
    if known.t == t then
      return known
    end
  end
  error(("%s: nothing is known at t = %g"):format(problem.name, t))
end

return problems
