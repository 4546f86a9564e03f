--- Subjects: what can be simulated.  Simulations, recordings and messages know of systems, general
--- DAEs and models no more than what stands here.

local errors = require "sarrus.base.errors"

---@class sarrus.Subject
---@field name string
---@field what string how messages name it, `system "robot"`
---@field compiled userdata the core's system
---@field coordinates string[]
---@field parameters { name: string, value: number, hidden: boolean? }[]
---@field namer fun(kind: string, index: integer): string names of the core's symbols
---@field model sarrus.Model? whose equations these are
---@field contacts sarrus.ContactLaw[]? none of general DAEs
---@field explain fun(self, stage: string): string
local Subject = {}

local subject = { methods = Subject }

-- What every class defines itself ----------------------------------------------------------------

--- An empty state, for the simulation to fill.
---@type fun(self: sarrus.Subject): sarrus.State
Subject.new_state = false

--- Whether a state is one of its own, which the simulation may fill.
---@type fun(self: sarrus.Subject, s: sarrus.State): boolean
Subject.has_made = false

--- The state that events and channels see: expressions.
---@type fun(self: sarrus.Subject): sarrus.State
Subject.symbols = false

--- The core's row in words.
---@type fun(self: sarrus.Subject, row: integer?): string
Subject.row_name = false

--- What touches, slips and sticks in a simulation, now.
---@type fun(self: sarrus.Subject, sim: sarrus.Sim): string
Subject.modes_text = false

--- How the start changes with a name of `sensitivity`: fills in q and v of a tangent, whose
--- parameter is set if it is one's name.  Raises where the name stands for nothing.
---@type fun(self: sarrus.Subject, sim: sarrus.Sim, checked: table, name: string, tangent: sarrus.StartTangent): boolean, string?
Subject.start_tangent = false

--- The fields of a start that are its own, as specifications of fields.
---@type fun(self: sarrus.Subject): table[]
Subject.start_fields = false

--- A simulation from what a script gave; `apart`: for an ensemble, which takes it over.
---@type fun(self: sarrus.Subject, given: table, apart?: boolean): sarrus.Sim?, string?, string?
Subject.started = false

--- What `sim:impulse` does to each coordinate.
---@type fun(self: sarrus.Subject, sim: sarrus.Sim, ...): number[]
Subject.impulse_list = false

-- What is so where a class does not say otherwise ------------------------------------------------

--- How messages name a contact.
---@param _ integer?
---@return string
function Subject:contact_name(_)
  return "a contact"
end

--- The same, where it matters at which place.
---@param index integer?
---@return string
function Subject:touch_name(index)
  return self:contact_name(index)
end

--- The unit of how far a contact penetrates, with a blank, and what else may be wrong there.
---@param _ sarrus.Failure
---@return string unit
---@return string advice
function Subject:penetration_words(_)
  return "", ""
end

--- Which of the contacts a name stands for, in which a change is watched; raises where there is
--- none.
---@param what string who asks
---@param name any
---@param change? string
---@return integer[]
function Subject:contact_indices(what, name, change) -- luacheck: no unused
  errors.raise(("%s: %s has no contacts"):format(what, self.what))
end

--- A coordinate as scripts know it.
---@param column integer
---@return string
function Subject:coordinate_name(column)
  return self.coordinates[column]
end

--- An expression of the core as scripts know it.
---@param node integer
---@return string
function Subject:expression(node)
  return self.compiled:print_expr(node, self.namer)
end

--- Words of its own for a failure; nil where the usual ones will do (failure.lua).
---@return string?
function Subject:words(_, _)
  return nil
end

--- Tell of constraints that depend on others.
---@param sim sarrus.Sim
function Subject:tell_redundant(sim)
  for _, i in ipairs(sim.core:dependent()) do
    sim:warn("redundant", self:row_name(#self.coordinates + i)
      .. " depends on the others; its multiplier is not unique", i)
  end
end

--- Tell of a start that was moved, and of redundant constraints.
---@param sim sarrus.Sim
---@param moved fun(): boolean whether it was
function Subject:tell_start(sim, moved)
  if moved() then
    sim:warn("moved", ("the start was moved by up to %.3g to meet the constraints")
      :format(sim.core:stats().moved))
  end
  self:tell_redundant(sim)
end

--- Why parameters cannot have new values; nil if they can.  Misuse raises.
---@return sarrus.Failure?
function Subject:refuses(_, _, _)
  return nil
end

--- How to let what a name stands for go (true) or to engage it; or to hold it (true) or to let it
--- move.  Misuse raises.
---@param method string of the simulation that was called
---@param name any
---@return fun(object: userdata, on: boolean): true?, sarrus.Failure?
function Subject:releaser(method, _)
  errors.raise(method .. ": only models have parts that can be released and locked")
end

Subject.locker = Subject.releaser

--- What a simulation holds and has let go: { name =, word = "locked" or "released" }.
---@param _ sarrus.Sim
---@return table[]
function Subject:changes(_)
  return {}
end

--- A class of subjects: what it does not define itself is as above.
---@generic T: table
---@param class T
---@return T class
function subject.class(class)
  for name, method in pairs(Subject) do
    class[name] = class[name] or method or nil
  end
  return class
end

return subject
