-- Drift: the pendulum for a million steps at the tightest tolerance; `make soak` prints it.
local problems = dofile("spec/problems.lua")

local soak = {}

soak.TIGHTEST = 2.3e-15

--- Step a pendulum `count` times; `each(steps, worst)` hears every tenfold.  Returns the worst
--- constraint residuals at any step and energy error, relative to the largest kinetic energy; and
--- the latter by tenfold.
function soak.run(count, each)
  local pendulum = problems.pendulum()
  local sim = problems.simulate(pendulum, { tolerance = soak.TIGHTEST })
  local s = sim:state()
  local start = pendulum.energy(s)
  local worst, growth, mark = { position = 0, velocity = 0, energy = 0 }, {}, 100
  for k = 1, count do
    assert(sim:step())
    sim:state(s)
    local x, y, vx, vy = s.q[1], s.q[2], s.v[1], s.v[2]
    worst.position = math.max(worst.position, math.abs(x * x + y * y - 1))
    worst.velocity = math.max(worst.velocity, math.abs(2 * (x * vx + y * vy)))
    worst.energy = math.max(worst.energy,
      math.abs(pendulum.energy(s) - start) / pendulum.largest_kinetic)
    if k == mark then
      growth[#growth + 1] = worst.energy
      mark = 10 * mark
      if each then
        each(k, worst)
      end
    end
  end
  return worst, growth
end

--- The exponent p of an error that grows like steps^p, from its tenfolds.
function soak.exponent(growth)
  return math.log(growth[#growth] / growth[1]) / math.log(10) / (#growth - 1)
end

function soak.print()
  print(("%9s %12s %12s %12s"):format("steps", "position", "velocity", "energy"))
  local _, growth = soak.run(1000000, function(steps, worst)
    print(("%9d %12.1e %12.1e %12.1e"):format(steps, worst.position, worst.velocity, worst.energy))
  end)
  print(("energy error grows like steps^%.2f"):format(soak.exponent(growth)))
end

return soak
