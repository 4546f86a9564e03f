--- Contacts: `contact.pair { "sole", "floor", "shoe", friction = 0.6 }`.
---
--- The name stands first, then shapes A and B, or bodies that have one, or lists of them: every
--- pair of one from each touches, by one law (custom: a list of bodies).  Forces are those on B.

---@class sarrus.ContactFields
---@field [1] string the name
---@field [2] string|string[] shapes A, or all bodies of a custom contact
---@field [3] string|string[]|nil shapes B; without it, every pair within the list A
---@field friction sarrus.Scalar|{ static: sarrus.Scalar, sliding: sarrus.Scalar }? default 0
---@field restitution sarrus.Scalar? default 0

---@class sarrus.CustomContactFields: sarrus.ContactFields
---@field gap fun(...: sarrus.Frame): sarrus.Scalar of frames and time; never negative
---@field slip (fun(...: sarrus.Frame): sarrus.Scalar|sarrus.Scalar[])? velocities along the surface

---@class sarrus.contact
---@field pair fun(given: sarrus.ContactFields): sarrus.Part
---@field custom fun(given: sarrus.CustomContactFields): sarrus.Part

-- What a definition says -------------------------------------------------------------------------

---@class sarrus.ContactDefinition: sarrus.ConnectionDefinition
---@field meets fun(contact, frame_of: fun(body): sarrus.Frame): sarrus.Touch[] where, see touch.lua

-- The family -------------------------------------------------------------------------------------

local declare = require "sarrus.model.part.declare"
local families = require "sarrus.model.part.family"
local law = require "sarrus.system.law"
local lint = require "sarrus.model.part.lint"
local touch = require "sarrus.model.equations.touch"

local common = { law.fields.friction, law.fields.restitution }
local axes = { [2] = { "x", "y" }, [3] = { "x", "y", "z" } }

local function names(list)
  local texts = {}
  for i, one in ipairs(list) do
    texts[i] = one.name
  end
  return table.concat(texts, ", ")
end

local function line(contact)
  local sides = contact.shapes or { contact.bodies }
  return ("  %-12s %-11s %s%s"):format(contact.name, contact.type, names(sides[1]),
    sides[2] and " - " .. names(sides[2]) or "")
end

return families.new {
  name = "contact", stage = families.STAGES.contact, optional = true,
  types = { "pair", "custom" },
  declare = function(model, part, fault)
    return declare.connection(model, part, fault, common)
  end,
  put = touch.put, line = line, lint = lint.contact,
  channels = function(model)
    return {
      { "gap", "m" }, { "normal_force", "N" }, { "friction_force", "N" },
      { "force", "N", axes[model.dimension] }, { "mode", "" },
    }
  end,
}
