--- Overconstrained loops, thin bodies and masses of all kinds among them, ten seconds at the
--- default tolerance: energy, the balance of Newton and Euler, and reactions not much larger than
--- they must be.
local mechanism = dofile("spec/random/tools/mechanism.lua")
local balance = dofile("spec/random/tools/balance.lua")
local carried = dofile("spec/random/tools/carried.lua")
local overconstrained = dofile("spec/random/tools/overconstrained.lua")

local class = { cases = 36, bound = 1e-9 }

--- What starts faster, in J, would turn thousands of times, and is drawn anew.
local FASTEST = 1e4

--- Steps of half a second.
local MOST_STEPS = 5000

--- Reactions are the shortest of all in the scale of the masses; in that of forces not more than so
--- many times as long.
local LONGEST = 100

--- The error of reactions at a state, a tenth of which counts; not next to singular positions,
--- where they lose digits.
local function reaction_error(s, gravity, bodies, joints)
  if s:joint("j1").singular then
    return 0
  end
  local least = carried.least(s, gravity, bodies, joints)
  assert(carried.reported(s, joints) < LONGEST * least + 1e-6, "reactions are too large")
  return balance.error(3, s, gravity, bodies, joints) / 10
end

--- The error of ten seconds.
local function run(sim, gravity, bodies, joints)
  local before, off, kinetic, worst = sim:state():energy().total, 0, 0, 0
  for half = 1, 20 do
    assert(sim:advance(half / 2))
    local s = sim:state()
    local energy = s:energy()
    off = math.max(off, math.abs(energy.total - before))
    kinetic = math.max(kinetic, energy.kinetic)
    worst = math.max(worst, reaction_error(s, gravity, bodies, joints))
  end
  return math.max(worst, off / kinetic)
end

local function draw_gravity(draw)
  return draw:chance(0.5) and { 0, 0, 0 }
    or { draw:between(-3, 3), draw:between(-9, 9), draw:between(-5, 5) }
end

function class.case(draw)
  local bodies, joints = overconstrained.draw(draw)
  local gravity, rate = draw_gravity(draw), draw:between(1, 4)
  local sim = assert(mechanism.model(3, gravity, bodies, joints):simulate {
    joints = { j1 = { rate = rate } }, max_steps = MOST_STEPS })
  if sim:state():energy().kinetic > FASTEST then
    return class.case(draw)
  end
  return run(sim, gravity, bodies, joints)
end

return class
