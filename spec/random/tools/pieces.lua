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

return pieces
