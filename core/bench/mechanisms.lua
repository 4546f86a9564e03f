-- The problems of the benchmark: for each a name, a time to go to, a system or a model with its
-- start, what is known there, and how to measure the error.  Peers type in the same
-- numbers (peers/).
local sarrus = require "sarrus"
local known = dofile "spec/problems.lua"
local body, joint = sarrus.body, sarrus.joint

local mechanisms = {}

--- The largest distance between points, component by component.
local function apart(points, reference)
  local worst = 0
  for i, value in ipairs(reference) do
    worst = math.max(worst, math.abs(points[i] - value))
  end
  return worst
end

-- Andrews' squeezer and the robot, as equations: relative error of the positions ------------------

local function from_known(problem, t)
  local q = known.at(problem, t).q
  return {
    name = problem.name:gsub("two%-link ", ""), t = t, orders = { 12, 16, 20, 24, 28 },
    simulate = function(options) return known.simulate(problem, options) end,
    error = function(sim)
      local s, worst = sim:state(), 0
      for i, value in ipairs(q) do
        worst = math.max(worst, math.abs(s.q[i] / value - 1))
      end
      return worst
    end,
  }
end

function mechanisms.squeezer() return from_known(known.squeezer(), 0.03) end
function mechanisms.robot() return from_known(known.robot(), 10) end

--- A problem whose model is made when it is wanted; the error is that of points, in metres.
local function from_model(problem)
  local model
  problem.simulate = function(options)
    model = model or sarrus.model(problem.parts())
    return assert(model:simulate(options))
  end
  problem.error = function(sim) return apart(problem.points(sim:state()), problem.reference) end
  return problem
end

-- N uniform rods of 1 m and 1 kg, released at rest along +x: the free end -------------------------

local chain_ends = {
  [1] = { -0.99996658807186811, -0.0081745177170818237 },
  [10] = { 7.5272290155603709, -4.9062623197149913 },
  [100] = { 99.998435348544803, -0.049049999999999976 },
  [1000] = { 999.99912495620993, -0.049050000000000024 },
  [10000] = { 9999.9995742573392, -0.04905 },
}

function mechanisms.chain_parts(n)
  local parts = { name = "chain", gravity = { 0, -9.81 } }
  for i = 1, n do
    parts[#parts + 1] = body.rod { "rod" .. i, from = { i - 1, 0 }, to = { i, 0 }, mass = 1 }
    parts[#parts + 1] = joint.revolute { "J" .. i, i == 1 and "ground" or "rod" .. i - 1,
      "rod" .. i, at = { i - 1, 0 } }
  end
  return parts
end

function mechanisms.chain(n)
  return from_model {
    name = "chain-" .. n, t = n <= 10 and 1 or 0.1, reference = chain_ends[n],
    orders = n <= 100 and { 12, 16, 20, 24, 28 } or n <= 1000 and { 12, 16, 20 } or {},
    tolerances = n >= 1000 and { 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12 },
    parts = function() return mechanisms.chain_parts(n) end,
    points = function(s)
      local tip = s:point("rod" .. n, { 0.5, 0 })
      return { tip.x, tip.y }
    end,
  }
end

-- A four-bar of spatial hinges, 3 of its 20 equations redundant: the moving joints ----------------

function mechanisms.four_bar_parts()
  local axis = { 0, 0, 1 }
  return {
    name = "four-bar", gravity = { 0, -9.81, 0 },
    body.rod { "crank", from = { 0, 0, 0 }, to = { 0, 1, 0 }, mass = 1 },
    body.rod { "coupler", from = { 0, 1, 0 }, to = { 2, 2, 0 }, mass = 1 },
    body.rod { "rocker", from = { 3, 0, 0 }, to = { 2, 2, 0 }, mass = 1 },
    joint.revolute { "A", "ground", "crank", at = { 0, 0, 0 }, axis = axis },
    joint.revolute { "B", "crank", "coupler", at = { 0, 1, 0 }, axis = axis },
    joint.revolute { "C", "coupler", "rocker", at = { 2, 2, 0 }, axis = axis },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0, 0 }, axis = axis },
  }
end

function mechanisms.four_bar()
  return from_model {
    name = "four-bar", t = 10, parts = mechanisms.four_bar_parts,
    orders = { 12, 16, 20, 24, 28 },
    reference = { 0.743160712416, 0.669112961705, 2.41201423264670, 2.15737635506417 },
    points = function(s)
      local b, c = s:point("crank", { 0.5, 0, 0 }), s:point("rocker", { math.sqrt(5) / 2, 0, 0 })
      return { b.x, b.y, c.x, c.y }
    end,
  }
end

-- A six-joint arm, upright, passive, pushed over by the rates of its joints: the hand -------------

-- Each link: length, mass, the axis of the joint before it, and the rate of that joint.
local links = {
  { 0.4, 8, { 0, 0, 1 }, 1 }, { 0.5, 6, { 0, 1, 0 }, 0.5 }, { 0.4, 4, { 0, 1, 0 }, -0.7 },
  { 0.2, 2, { 0, 0, 1 }, 2 }, { 0.2, 1, { 0, 1, 0 }, 1 }, { 0.1, 0.5, { 0, 0, 1 }, -1 },
}

function mechanisms.arm()
  local rates = {}
  for i, link in ipairs(links) do
    rates["J" .. i] = { angle = 0, rate = link[4] }
  end
  local problem = from_model {
    name = "arm", t = 1, orders = { 12, 16, 20, 24, 28 },
    reference = { -0.2771114873201, 0.1933751384552, 0.1252826407991 },
    parts = function()
      local parts, height = { name = "arm", gravity = { 0, 0, -9.81 } }, 0
      for i, link in ipairs(links) do
        local length, mass = link[1], link[2]
        local across, along = mass * (length ^ 2 / 12 + 0.05 ^ 2 / 4), mass * 0.05 ^ 2 / 2
        parts[#parts + 1] = body.rigid { "link" .. i, position = { 0, 0, height + length / 2 },
          mass = mass, inertia = { across, across, along } }
        parts[#parts + 1] = joint.revolute { "J" .. i, i == 1 and "ground" or "link" .. i - 1,
          "link" .. i, at = { 0, 0, height }, axis = link[3] }
        height = height + length
      end
      return parts
    end,
    points = function(s)
      local hand = s:point("link6", { 0, 0, 0.05 })
      return { hand.x, hand.y, hand.z }
    end,
  }
  local simulate = problem.simulate
  problem.simulate = function(options)
    options.joints = rates
    return simulate(options)
  end
  return problem
end

-- A Stewart platform on springs and dampers, shaken by its legs: the platform ---------------------

function mechanisms.stewart()
  local function circle(radius, degrees, height)
    local a = math.rad(degrees)
    return { radius * math.cos(a), radius * math.sin(a), height }
  end
  local function between(p, q, x)
    return { p[1] + x * (q[1] - p[1]), p[2] + x * (q[2] - p[2]), p[3] + x * (q[3] - p[3]) }
  end
  local base, top = { 50, 70, 170, 190, 290, 310 }, { 10, 110, 130, 230, 250, 350 }
  return from_model {
    name = "stewart", t = 1, orders = { 12, 16, 20, 24, 28 },
    reference = { 0.0123058389349141, -0.0065657764316989, 0.9879318379195375 },
    parts = function()
      local parts = { name = "Stewart platform", gravity = { 0, 0, -9.81 },
        body.rigid { "platform", position = { 0, 0, 1 }, mass = 20,
          inertia = { 1.25, 1.25, 2.5 } } }
      for i = 1, 6 do
        local low, high = circle(1, base[i], 0), circle(0.5, top[i], 1)
        local x, y, z = high[1] - low[1], high[2] - low[2], high[3] - low[3]
        local across, other = { -y, x, 0 }, { -x * z, -y * z, x * x + y * y }
        local function leg(length, speed, t)
          return -5000 * length - 100 * speed + 100 * sarrus.sin(5 * t + i)
        end
        for _, part in ipairs {
          body.rigid { "cylinder" .. i, position = between(low, high, 0.3), mass = 2,
            inertia = { 0.06, 0.06, 0.06 } },
          body.rigid { "piston" .. i, position = between(low, high, 0.7), mass = 1,
            inertia = { 0.03, 0.03, 0.03 } },
          joint.universal { "foot" .. i, "ground", "cylinder" .. i, at = low,
            axes = { across, other } },
          joint.prismatic { "leg" .. i, "cylinder" .. i, "piston" .. i,
            at = between(low, high, 0.6), axis = { x, y, z }, force = leg },
          joint.spherical { "ball" .. i, "piston" .. i, "platform", at = high },
        } do
          parts[#parts + 1] = part
        end
      end
      return parts
    end,
    points = function(s)
      local p = s:body("platform").position
      return { p.x, p.y, p.z }
    end,
  }
end

return mechanisms
