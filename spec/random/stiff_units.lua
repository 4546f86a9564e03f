--- Stiff mechanisms in other units than metres, seconds and kilograms: as many steps, and as many
--- digits, as in units next to those.
local stiff = dofile("spec/random/tools/stiff.lua")

-- The error is relative to what is allowed: a tenth more steps, or one; ten times the error.
local class = { cases = 20, bound = 1 }

local NEAR = { stiff.units(1, 1, 1), stiff.units(1.3, 0.8, 0.7), stiff.units(0.7, 1.2, 1.4) }
local MOST_STEPS = 3000

local function run(p, u, times, method, tolerance)
  local found, message, _, sim = stiff.run(p, u, times, { method = method, tolerance = tolerance,
    max_steps = MOST_STEPS })
  assert(found, message)
  return found, sim:stats().steps
end

--- Differences and numbers of steps in units like those of SI.
local function reference(p, times, method, tolerance, exact)
  local off, fewest, most = { 0, 0, 0 }, math.huge, 0
  for _, u in ipairs(NEAR) do
    local found, steps = run(p, u, times, method, tolerance)
    local other = stiff.differences(found, exact)
    for k = 1, 3 do
      off[k] = math.max(off[k], other[k])
    end
    fewest, most = math.min(fewest, steps), math.max(most, steps)
  end
  return off, fewest, most
end

function class.case(draw)
  local p = stiff.draw(draw, 0.5, 3)
  local method, tolerance = draw:pick { "stiff", "auto" }, draw:pick { 1e-6, 1e-9, 1e-12 }
  local u = stiff.units(10 ^ draw:between(-6, 11), 10 ^ draw:between(-6, 7),
    10 ^ draw:between(-18, 24))
  local times = draw:list(4, 0.02, p.time)
  table.sort(times)
  local exact = stiff.run(p, NEAR[1], times,
    { method = "series", tolerance = 1e-13, max_steps = MOST_STEPS })
  if not exact then
    return 0
  end
  local usual, fewest, most = reference(p, times, method, tolerance, exact)
  local found, steps = run(p, u, times, method, tolerance)
  local off, allowed = stiff.differences(found, exact), stiff.allowed(p, tolerance)
  local beyond = math.max(steps - most, fewest - steps) / math.max(1, 0.1 * fewest)
  for k = 1, 3 do -- an error may be small by chance
    beyond = math.max(beyond, off[k] / (10 * usual[k] + 0.1 * allowed[k]))
  end
  return beyond
end

return class
