--- A model as text: bodies, joints, forces, freedoms, redundancies.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local later = require "sarrus.base.later"
local mechanism = later "sarrus.model.mechanism"

local explain = {}

local function value(x)
  return expr.is(x) and tostring(x) or type(x) == "number" and ("%.6g"):format(x) or errors.show(x)
end

local function vector(list)
  local texts = {}
  for i, x in ipairs(list) do
    texts[i] = value(x)
  end
  return "{" .. table.concat(texts, ", ") .. "}"
end

--- A body.
function explain.body(body)
  local text = ("  %-12s %-9s mass %s  at %s"):format(body.name, body.type, value(body.mass),
    vector(body.position))
  if type(body.inertia) == "table" and not expr.is(body.inertia) then
    local i = body.inertia
    return text .. "  inertia " .. vector { i[1][1], i[2][2], i[3][3] }
  end
  return body.inertia and text .. "  inertia " .. value(body.inertia) or text
end

local function names(list)
  local texts = {}
  for i, one in ipairs(list) do
    texts[i] = one.name
  end
  return table.concat(texts, " - ")
end

--- A joint.
function explain.joint(joint)
  local count = #joint.constraints + #(joint.velocity_constraints or {})
    + (joint.motion_constraint and 1 or 0)
  local extras = {}
  for _, field in ipairs { "motion", "torque", "force", "stiffness", "damping", "limits", "cone",
    "friction" } do
    if joint.checked[field] ~= nil then
      extras[#extras + 1] = field
    end
  end
  return ("  %-12s %-11s %-22s %s%s"):format(joint.name, joint.type,
    names(joint.bodies or joint.joints), errors.count(count, "equation"),
    #extras > 0 and ", " .. table.concat(extras, ", ") or "")
end

--- A force.
function explain.force(force)
  return ("  %-12s %-11s %s"):format(force.name, force.type, names(force.bodies))
end

--- A readable summary.
---@param model sarrus.Model
---@return string
function explain.model(model)
  local lines = { ("%s, %s, gravity %s"):format(model.name,
    model.dimension == 2 and "planar" or "spatial",
    model.gravity and vector(model.gravity) or "none") }
  for _, family in ipairs(families.all()) do
    for i, record in ipairs(rawget(model, family.list) or {}) do
      lines[#lines + 1] = i == 1 and family.list or nil
      lines[#lines + 1] = family.line(record)
    end
  end
  local sim, message = mechanism.simulate(model, {})
  if not sim then
    lines[#lines + 1] = "does not start: " .. message
    return table.concat(lines, "\n")
  end
  local equations = model.equations
  lines[#lines + 1] = table.concat({
    errors.count(#equations.names, "coordinate"),
    errors.count(#equations.constraints + #equations.velocity_constraints, "constraint"),
    errors.count(model:freedoms(), "freedom"),
  }, ", ")
  for _, warning in ipairs(sim:warnings()) do
    lines[#lines + 1] = warning.code .. ": " .. warning.message
  end
  return table.concat(lines, "\n")
end

--- What touches, slips and sticks where the drawing starts.
---@param model sarrus.Model
---@return string
function explain.modes(model)
  local sim, message = mechanism.simulate(model, {})
  return sim and sim:explain "modes" or "does not start: " .. message
end

return explain
