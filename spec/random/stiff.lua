--- Mechanisms with something fast in them, for 1 s, by implicit steps and by those that choose,
--- against series at 1e-13: places, rates and reactions at five times that are drawn, most of them
--- inside steps.
local stiff = dofile("spec/random/tools/stiff.lua")

-- The error is relative to what is allowed.
local class = { cases = 20, bound = 1 }

local EXACT, MOST_STEPS = 1e-13, 3000

--- Rates of what is stiff, powers of ten; 4.5 by hand takes 50,000 series steps.
class.slow, class.fast = 0.5, 3.2

--- The largest of differences beside what is allowed of them.
local function worst(off, allowed)
  return math.max(off[1] / allowed[1], off[2] / allowed[2], off[3] / allowed[3])
end

--- By how much more than itself a change of the speeds at the start changes what follows.
local function sensitivity(draw, p, u, times, exact)
  for _, one in ipairs(p.bodies) do
    for k = 1, p.dimension do
      one.velocity[k] = one.velocity[k] + draw:pick { -1, 1 } * 1e-6
    end
  end
  local moved = stiff.run(p, u, times, { method = "series", tolerance = EXACT })
  local change = stiff.differences(assert(moved), exact)
  return math.max(1, change[1] / 1e-6, change[2] / 1e-5, change[3] / 1e-4)
end

function class.case(draw)
  local p, u = stiff.draw(draw, class.slow, class.fast), stiff.units(1, 1, 1)
  local times, tolerance = draw:list(5, 0.02, p.time), draw:pick { 1e-6, 1e-8, 1e-10, 1e-12 }
  table.sort(times)
  local exact, _, _, sim = stiff.run(p, u, times,
    { method = "series", tolerance = EXACT, max_steps = MOST_STEPS })
  if not exact or stiff.singular(sim) then
    return 0
  end
  local error, allowed = 0, stiff.allowed(p, tolerance)
  for _, method in ipairs { "stiff", "auto" } do
    local found, message = stiff.run(p, u, times, { method = method, tolerance = tolerance,
      max_steps = 2 * MOST_STEPS })
    assert(found, method .. ": " .. tostring(message))
    error = math.max(error, worst(stiff.differences(found, exact), allowed))
  end
  return error <= 1 and error or error / sensitivity(draw, p, u, times, exact)
end

return class
