--- Stiff mechanisms that are saved, restored, cloned, sampled and advanced in pieces at times that
--- are drawn, with events and controllers that act, locks, releases and impulses on the way: they
--- end with the same bits as at once, or fail with the same words.
local sarrus = require "sarrus"
local draws = dofile("spec/random/tools/draw.lua")
local pieces = dofile("spec/random/tools/pieces.lua")
local stiff = dofile("spec/random/tools/stiff.lua")

-- The error is how many numbers differ.
local class = { cases = 12, bound = 0 }

local T, SI = 1, stiff.units(1, 1, 1)

--- Go to t; where that fails, what it says.
local function go(sim, t)
  local result, message = sim:advance(t)
  return not result and message or nil
end

local function finish(sim)
  return go(sim, T)
end

--- What is done at times of its own, the same in every way to the end.
local acts = {}

function acts.impulse(draw, p)
  local name, j = draw:pick(p.bodies).name, draw:list(p.built, -0.5, 0.5)
  return function(sim) sim:impulse(name, j) end
end

function acts.lock(draw, p)
  local list = {}
  for _, one in ipairs(p.joints) do
    list[#list + 1] = (one.kind == "revolute" or one.kind == "prismatic") and one.name or nil
  end
  local name, locked = #list > 0 and draw:pick(list), false
  return function(sim)
    if name then
      locked = not locked
      sim[locked and "lock" or "unlock"](sim, name)
    end
  end
end

function acts.release(draw, p)
  local name, n = "f" .. draw:whole(1, math.max(1, #p.forces)), 0
  return function(sim)
    n = n + 1
    if #p.forces > 0 and n == 1 then
      sim:release(name)
    elseif #p.forces > 0 and n == 2 then
      sim:engage(name)
    end
  end
end

function acts.nothing()
  return function() end
end

--- The times at which the script acts are those at which every way stops.
local function go_on(draw, sim, p, interventions, way, restore)
  local message
  for _, one in ipairs(interventions) do
    for _, t in ipairs(way and pieces.times(draw, 8, T) or {}) do
      if t > sim.time and t < one.t then
        message = message or go(sim, t)
        sim = message and sim or pieces.ways[way](draw, sim, restore, finish)
      end
    end
    message = message or go(sim, one.t)
    if not message then
      acts[one.kind](draws.new(one.seed), p)(sim)
    end
  end
  return sim, message
end

function class.case(draw)
  local p = stiff.draw(draw, 0.5, draw:pick { 2, 3.5, 5 })
  local options = { method = draw:pick { "stiff", "auto" }, max_steps = 2000,
    tolerance = draw:pick { 1e-6, 1e-9, 1e-12 } }
  local watched, level = draw:pick(p.bodies), draw:between(-0.5, 0.5)
  local kick = draw:list(p.built, -0.1, 0.1)
  local function extras()
    return { sarrus.event { "crossing", when = function(s)
      return s:body(watched.name).position[1] - level
    end, action = function(sim) sim:impulse(watched.name, kick) end } },
      { sarrus.controller { period = 0.13, action = function() end } }
  end
  local model = stiff.model(p, SI)
  local function restore(record)
    local events, controllers = extras()
    return assert(model:restore(record, { events = events, controllers = controllers }))
  end
  options.events, options.controllers = extras()
  local kinds, interventions = { "impulse", "lock", "release", "nothing" }, {}
  for i = 1, 3 do
    interventions[i] = { t = i * T / 3, kind = draw:pick(kinds), seed = draw:whole(1, 1e6) }
  end
  local once, failed = go_on(draw, assert(model:simulate(options)), p, interventions)
  if failed and failed:find("steps were not enough", 1, true) then
    return 0 -- of each advance
  end
  local worst = 0
  for _, way in ipairs { "pieces", "saved", "cloned", "asked" } do
    local sim, message = go_on(draw, assert(model:simulate(options)), p, interventions, way,
      restore)
    assert(message == failed, ("%s: %s; at once: %s"):format(way, message, failed))
    worst = math.max(worst, pieces.differ(sim, once))
  end
  return worst
end

return class
