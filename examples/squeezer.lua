-- Andrews' squeezing mechanism: seven bodies, seven angles, six loop equations (index 3).
local sarrus = require "sarrus"
local sin, cos, sqrt = sarrus.sin, sarrus.cos, sarrus.sqrt

local m = { .04325, .00365, .02373, .00706, .07050, .00706, .05498 }
local I = { 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5 }
local xa, ya, xb, yb, xc, yc, c0, l0 = -.06934, -.00227, -.03635, .03273, .014, .072, 4530, .07785
local d, da, e, ea, rr, ra, ss, sa = .028, .0115, .02, .01421, .007, .00092, .035, .01874
local sb, sc, sd, ta, tb, u, ua, ub = .01043, .018, .02, .02308, .00916, .04, .01228, .00449
local zf, zt, ee, zz = .02, .04, e - ea, .02 - .01421
local squeezer = sarrus.system {
  name = "squeezer",
  coordinates = { "be", "th", "ga", "ph", "de", "om", "ep" },
  mass = function(q)
    local m12 = m[2] * (da ^ 2 - da * rr * cos(q.th)) + I[2]
    local m45 = m[4] * (ee ^ 2 + zt * ee * sin(q.ph)) + I[4]
    local m67 = m[6] * (zz ^ 2 - u * zz * sin(q.om)) + I[6]
    local m11 = m[1] * ra ^ 2 + m[2] * (rr ^ 2 - 2 * da * rr * cos(q.th) + da ^ 2) + I[1] + I[2]
    local m55 = m[4] * (zt ^ 2 + 2 * zt * ee * sin(q.ph) + ee ^ 2) + m[5] * (ta ^ 2 + tb ^ 2)
    local m77 = m[6] * (zz ^ 2 - 2 * u * zz * sin(q.om) + u ^ 2) + m[7] * (ua ^ 2 + ub ^ 2)
    return { { m11, m12, 0, 0, 0, 0, 0 }, { m12, m[2] * da ^ 2 + I[2], 0, 0, 0, 0, 0 },
      { 0, 0, m[3] * (sa ^ 2 + sb ^ 2) + I[3], 0, 0, 0, 0 },
      { 0, 0, 0, m[4] * ee ^ 2 + I[4], m45, 0, 0 }, { 0, 0, 0, m45, m55 + I[4] + I[5], 0, 0 },
      { 0, 0, 0, 0, 0, m[6] * zz ^ 2 + I[6], m67 },
      { 0, 0, 0, 0, 0, m67, m77 + I[6] + I[7] } }
  end,
  force = function(q, v)
    local dx = sd * cos(q.ga) + sc * sin(q.ga) + xb - xc
    local dy = sd * sin(q.ga) - sc * cos(q.ga) + yb - yc
    local pull = c0 * (l0 / sqrt(dx ^ 2 + dy ^ 2) - 1)
    return { .033 - m[2] * da * rr * v.th * (v.th + 2 * v.be) * sin(q.th),
      m[2] * da * rr * v.be ^ 2 * sin(q.th),
      pull * (dx * (sc * cos(q.ga) - sd * sin(q.ga)) + dy * (sd * cos(q.ga) + sc * sin(q.ga))),
      m[4] * zt * ee * v.de ^ 2 * cos(q.ph), -m[4] * zt * ee * v.ph * (v.ph + 2 * v.de) * cos(q.ph),
      -m[6] * u * zz * v.ep ^ 2 * cos(q.om), m[6] * u * zz * v.om * (v.om + 2 * v.ep) * cos(q.om) }
  end,
  constraints = function(q)
    local X, Y = rr * cos(q.be) - d * cos(q.be + q.th), rr * sin(q.be) - d * sin(q.be + q.th)
    return { X - ss * sin(q.ga) - xb, Y + ss * cos(q.ga) - yb,
      X - e * sin(q.ph + q.de) - zt * cos(q.de) - xa,
      Y + e * cos(q.ph + q.de) - zt * sin(q.de) - ya,
      X - zf * cos(q.om + q.ep) - u * sin(q.ep) - xa,
      Y - zf * sin(q.om + q.ep) + u * cos(q.ep) - ya }
  end,
}

local start = { tolerance = 1e-14, q = { -0.06171389001427645, 0, 0.45527981916307038,
  0.22266839016588588, 0.48736497954384255, -0.22266839016588588, 1.2305474445498212 } }
local sim = assert(squeezer:simulate(start))
assert(sim:advance(0.03))
local s, worst = sim:state(), 0
for i, exact in ipairs { 15.810771195153707, -15.756371058411839, 0.040822240119645805,
  -0.53473011634207959, 0.52440996587995407, 0.53473011634207959, 1.0480807410419379 } do
  worst = math.max(worst, math.abs(s.q[i] - exact))
  print(("%s %16.10f"):format(squeezer.coordinates[i], s.q[i]))
end
worst = math.max(worst, math.abs(s.lambda[1] / 199.17534810453863 - 1))
print("error of angles and lambda[1] below 1e-11: " .. tostring(worst < 1e-11))
return squeezer:simulate(start) -- for the command: sarrus run examples/squeezer.lua
