--- Boxes on a rough floor that parameters push, between rests and slips, by the script, events and
--- controllers, and that are kicked: place and rate by parabolas in closed form, and events of
--- every slip and stick.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local body, shape, contact, force = sarrus.body, sarrus.shape, sarrus.contact, sarrus.force

local class = { cases = 60, bound = 1e-9 }

local G = 9.81

-- The answer -------------------------------------------------------------------------------------

--- Along the floor under a constant push for dt: place, rate, and slips and sticks on the way.
local function travel(p, piece, x, v, dt, told)
  local normal = p.mass * G - piece.up
  local bound, left = p.mu * normal, dt
  while left > 0 do
    if v == 0 then
      if math.abs(piece.along) <= bound then
        return x, 0
      end
      told[#told + 1] = "slip"
    end
    local way = v ~= 0 and (v > 0 and 1 or -1) or (piece.along > 0 and 1 or -1)
    local a = (piece.along - way * bound) / p.mass
    local stop = v ~= 0 and a * way < 0 and -v / a or math.huge
    local h = math.min(left, stop)
    x, v, left = x + v * h + a * h * h / 2, stop <= left and 0 or v + a * h, left - h
    if v == 0 and math.abs(piece.along) <= bound then
      told[#told + 1] = "stick"
    elseif v == 0 then -- it turns round, and goes on slipping
      v = (piece.along > 0 and 1 or -1) * 1e-300
    end
  end
  return x, v
end

local function answer(p)
  local x, v, told = 0, 0, {}
  for i, piece in ipairs(p.pieces) do
    local rested = v == 0
    v = v + piece.kick / p.mass
    if rested and v ~= 0 then
      told[#told + 1] = "slip"
    end
    x, v = travel(p, piece, x, v, (p.pieces[i + 1] or { at = p.until_ }).at - piece.at, told)
  end
  return x, v, table.concat(told, " ")
end

-- The simulation ---------------------------------------------------------------------------------

local function draw_case(draw)
  local p = { mu = draw:between(0.1, 0.6), mass = draw:between(0.5, 4), pieces = {},
    way = draw:pick { "script", "event", "controller" }, period = draw:between(0.2, 0.6) }
  local at = 0
  for i = 1, draw:whole(2, 5) do
    local weight = p.mass * G
    p.pieces[i] = { at = at, up = draw:chance(0.5) and weight * draw:between(-0.5, 0.5) or 0,
      along = draw:chance(0.2) and 0 or draw:signed(0.02, 0.8) * weight,
      kick = i > 1 and draw:chance(0.3) and draw:signed(0.1, 2) * p.mass or 0 }
    at = at + (p.way == "controller" and p.period * draw:whole(1, 2) or draw:between(0.2, 1))
  end
  p.until_ = at + 0.5 * p.period
  return p
end

local function model_of(p)
  local along = sarrus.parameter("along", p.pieces[1].along)
  local up = sarrus.parameter("up", p.pieces[1].up)
  return sarrus.model { gravity = { 0, -G },
    body.box { "b", position = { 0, 0.05 }, size = { 4, 0.1 }, mass = p.mass },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair { "sole", "b", "floor", friction = p.mu },
    force.applied { "push", "b", force = { along, up } } }
end

--- Begin a piece.  A kick at the floor tips the box: it is pressed by its weight in the mean, so
--- that place and rate after it are those of a box that does not tip, if it slips one way all the
--- time.  So what may turn round is kicked at its middle.
local function act(sim, piece)
  assert(sim:set { along = piece.along, up = piece.up })
  if piece.kick ~= 0 then
    local at = sim:state():body("b")
    local height = at.velocity.x * piece.kick < 0 and at.y or 0
    assert(sim:impulse("b", { piece.kick, 0 }, { at.x, height }))
  end
end

--- The piece that begins at a time, but for the first.
local function piece_at(p, t)
  for i = 2, #p.pieces do
    if math.abs(p.pieces[i].at - t) < 1e-9 then
      return p.pieces[i]
    end
  end
end

local function start(p, told)
  local given = { events = {}, controllers = {} }
  for i, change in ipairs { "slip", "stick" } do
    given.events[i] = sarrus.event { change, contact = "sole", on = change, action = function()
      told[#told + 1] = change
    end }
  end
  for i = 2, p.way == "event" and #p.pieces or 0 do
    local piece = p.pieces[i]
    given.events[i + 1] = sarrus.event { "piece " .. i,
      when = function(s) return s.t - piece.at end,
      action = function(sim) act(sim, piece) end }
  end
  given.controllers[1] = p.way == "controller" and sarrus.controller { period = p.period,
    action = function(sim, s)
      local piece = piece_at(p, s.t)
      if piece then
        act(sim, piece)
      end
    end } or nil
  return assert(model_of(p):simulate(given))
end

function class.case(draw)
  local p, told = draw_case(draw), {}
  local sim = start(p, told)
  for i = 2, p.way == "script" and #p.pieces or 0 do
    go(sim, p.pieces[i].at)
    act(sim, p.pieces[i])
  end
  go(sim, p.until_)
  local x, v, words = answer(p)
  local at = sim:state():body("b")
  if table.concat(told, " "):gsub("^slip ", ""):gsub("^slip$", "") ~=
    words:gsub("^slip ", ""):gsub("^slip$", "") then -- what slips at the start is not told
    error(("%s; told are %s, want %s"):format(p.way, table.concat(told, " "), words))
  end
  return math.max(math.abs(at.x - x), math.abs(at.velocity.x - v)) / (1 + math.abs(x))
end

return class
