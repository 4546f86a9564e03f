--- Planar scenes in other units of length, time and mass: the first 3 impacts come at the same
--- times with the same impulses, to 1e-8.
local sarrus = require "sarrus"
local draw_tools = dofile("spec/random/tools/draw.lua")
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local class = { cases = 30, bound = 1e-8 }

local T, G, IMPACTS = 2, 9.81, 3

--- The scene of a seed in units: lengths L, times S, masses M.
local function scene(seed, L, S, M)
  local draw = draw_tools.new(seed)
  local V = L / S
  local parts, names = { name = "scene", gravity = { 0, -G * L / S ^ 2 } }, {}
  local tilt = draw:chance(0.5) and 0 or draw:between(-0.3, 0.3)
  parts[1] = shape.line { "floor", "ground", at = { 0, 0 },
    normal = { -math.sin(tilt), math.cos(tilt) } }
  for i = 1, draw:whole(1, 3) do
    local x = 1.2 * i
    local y = draw:between(0.6, 1.5) + x * math.max(0, math.tan(tilt))
    local given = { "b" .. i, position = { x * L, y * L }, mass = draw:between(0.5, 3) * M,
      velocity = { draw:between(-2, 2) * V, draw:between(-2, 2) * V },
      spin = draw:between(-4, 4) / S }
    names[i] = "b" .. i
    if draw:chance(0.4) then
      given.radius = draw:between(0.1, 0.4) * L
      parts[#parts + 1] = body.disk(given)
    else
      given.size = { draw:between(0.2, 0.5) * L, draw:between(0.2, 0.5) * L }
      given.angle = draw:between(0, 6)
      parts[#parts + 1] = body.box(given)
    end
  end
  if #names > 1 and draw:chance(0.3) then
    parts[#parts + 1] = joint.distance { "rope", "b1", "b2", from = { 1.2 * L, L },
      to = { 2.4 * L, L },
      limits = { 0, draw:between(2, 3) * L, restitution = draw:chance(0.5) and 0 or 0.5 } }
  end
  local mu = draw:chance(0.2) and 0 or draw:between(0, 1)
  parts[#parts + 1] = contact.pair { "c", "floor", names,
    friction = draw:chance(0.3) and { static = 1.3 * mu, sliding = mu } or mu,
    restitution = draw:chance(0.3) and 0 or draw:between(0, 0.8) }
  return sarrus.model(parts), names
end

--- What happens, in SI units: impacts, and where things are at the end of the last.
local function record(seed, L, S, M)
  local model, names = scene(seed, L, S, M)
  local sim = assert(model:simulate { max_steps = 5000,
    events = { sarrus.event { "touch", contact = "c", on = "touch", stop = true } } })
  local list = {}
  for _ = 1, IMPACTS do
    local result, message, code = sim:advance(T * S)
    if not result then
      list.failed = code .. ": " .. message
      break
    elseif result == "END" then
      break
    end
    local s = sim:state()
    list[#list + 1] = sim.time / S
    list[#list + 1] = s:contact("c").impulse / (M * L / S)
    for _, name in ipairs(names) do
      local b = s:body(name)
      list[#list + 1] = b.x / L
      list[#list + 1] = b.y / L
      list[#list + 1] = b.angle
      list[#list + 1] = b.velocity.x / (L / S)
      list[#list + 1] = b.velocity.y / (L / S)
      list[#list + 1] = b.spin * S
    end
  end
  return list, sim
end

function class.case(draw)
  local seed = draw:whole(1, 1e6)
  local L, S, M = 10 ^ draw:between(-3, 3), 10 ^ draw:between(-3, 3), 10 ^ draw:between(-6, 6)
  local a, b = record(seed, 1, 1, 1), record(seed, L, S, M)
  local note = ("seed %d L %.3g S %.3g M %.3g, %d numbers"):format(seed, L, S, M, #a)
  if (a.failed ~= nil) ~= (b.failed ~= nil) then
    return math.huge, note .. ": " .. tostring(a.failed) .. " | " .. tostring(b.failed)
  elseif #a ~= #b then
    return math.huge, note .. (" and %d"):format(#b)
  end
  local worst = 0
  for i = 1, #a do
    worst = math.max(worst, math.abs(a[i] - b[i]) / math.max(1, math.abs(a[i])))
  end
  return worst, a.failed and note .. " both: " .. a.failed or nil
end

return class
