--- What touches, slips and sticks, as text: a line for each contact, stop and dry friction, and for
--- what is locked or released.

local changes = require "sarrus.sim.changes"
local errors = require "sarrus.base.errors"
local laws = require "sarrus.system.law"

local modes = {}

local function line(name, mode, more)
  return ("  %-32s %s%s"):format(name, mode, more or "")
end

--- A contact of a model: its mode, and how many of its points touch.
local function of_contact(state, contact)
  local reading = state:contact(contact.name)
  local count = #contact.laws
  return line(contact.name, reading.mode, count > 1 and reading.mode ~= "open"
    and (", %d of %d points"):format(#reading.points, count) or "")
end

--- The line of a law; nil where its contact has one already.
local function of_law(state, law, index, told)
  local owner = law.owner
  if owner and owner.laws then
    local text = not told[owner] and of_contact(state, owner) or nil
    told[owner] = true
    return text
  end
  local mode = laws.mode_at(state.modes, index)
  return line(law.name, law.side and mode ~= "open" and "closed" or mode)
end

--- The modes of a simulation, now.
---@param sim sarrus.Sim
---@return string
function modes.text(sim)
  local list = rawget(sim.system, "contacts") or {}
  local lines, told = { "at t = " .. errors.show(sim.time) }, {}
  local state = #list > 0 and sim:state()
  for i, law in ipairs(list) do
    lines[#lines + 1] = of_law(state, law, i, told)
  end
  for _, change in ipairs(changes.of(sim)) do
    lines[#lines + 1] = line(change.name, change.word)
  end
  if #lines == 1 then
    lines[2] = "  no contacts, limits or dry friction"
  end
  return table.concat(lines, "\n")
end

return modes
