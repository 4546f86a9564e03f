--- Ways to the end of a simulation that must not matter: in pieces, saved and restored, cloned,
--- asked on the way.
local pieces = {}

--- At most so many times before `to`, in order.
function pieces.times(draw, most, to)
  local list = draw:list(draw:whole(1, most), 0, to)
  table.sort(list)
  return list
end

--- A simulation that is advanced on, in place of this one; `restore` makes one of a record, `go`
--- lets one go to its end.
pieces.ways = {}

function pieces.ways.pieces(_, sim)
  return sim
end

function pieces.ways.saved(_, sim, restore)
  local record = sim:save()
  local again = restore(record)
  assert(again:save() == record, "the record of what was restored is another one")
  return again
end

function pieces.ways.cloned(draw, sim, _, go)
  local twin = sim:clone()
  if draw:chance(0.5) then
    sim, twin = twin, sim
  end
  go(twin) -- does not matter to the other one
  return sim
end

function pieces.ways.asked(draw, sim)
  local from, to = sim:span()
  for _ = 1, 3 do
    sim:at(draw:between(from, to)):energy()
  end
  return sim
end

--- How many numbers of two simulations differ.
function pieces.differ(one, other)
  local a, b, count = one:state(), other:state(), one.time == other.time and 0 or 1
  for _, list in ipairs { "q", "v" } do
    for i = 1, #a[list] do
      count = count + (a[list][i] == b[list][i] and 0 or 1)
    end
  end
  return count
end

-- All of them ------------------------------------------------------------------------------------

--- Go to t, as many calls as that takes; where it fails, what it says.
local function go(sim, t, budget)
  local result, message
  repeat
    result, message = sim:advance(t, budget)
  until result ~= "BUDGET"
  return not result and message or nil
end

--- Read at once, and advanced by budgets.
local function hurried(_, sim)
  sim:reader { "energy.total" }:read()
  return sim
end

--- In how many numbers a model ends otherwise at `to` by one of these ways than at once, at most,
--- and what it failed with; that it fails with other words raises.
function pieces.worst(draw, model, start, to)
  local once = assert(model:simulate(start))
  local failed, worst = go(once, to), 0
  local function restore(record)
    return assert(model:restore(record))
  end
  local function finish(sim)
    return go(sim, to)
  end
  for _, way in ipairs { "pieces", "saved", "cloned", "asked", "hurried" } do
    local sim, message = assert(model:simulate(start)), nil
    local budget = way == "hurried" and { seconds = draw:chance(0.5) and 0 or 2e-4 } or nil
    for _, t in ipairs(pieces.times(draw, 12, to)) do
      message = message or go(sim, t, budget)
      sim = message and sim or (pieces.ways[way] or hurried)(draw, sim, restore, finish)
    end
    message = message or go(sim, to)
    assert(message == failed, ("%s: %s; at once: %s"):format(way, message, failed))
    worst = math.max(worst, pieces.differ(sim, once))
  end
  return worst, failed
end

return pieces
