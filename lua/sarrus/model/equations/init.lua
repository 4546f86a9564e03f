--- The equations of a model, part by part: coordinates, masses, forces, constraints.
---
--- Everything is only appended, so that a part that fails can be taken back.

local drive = require "sarrus.model.equations.drive"
local expr = require "sarrus.expr"
local frame = require "sarrus.model.equations.frame"
local functions = require "sarrus.expr.functions".public
local later = require "sarrus.base.later"
local vec = require "sarrus.expr.vec"
local bearing = later "sarrus.model.equations.bearing"
local laws = later "sarrus.system.law"
local stop = later "sarrus.model.equations.stop"
local trace = later "sarrus.expr.trace"

---@class sarrus.Equations
local Equations = {}
Equations.__index = Equations

local equations = {}

local lists = {
  "names", "units", "q", "mass", "forces", "constraints", "velocity_constraints", "contacts",
  "potentials", "stored", "locks", "elements",
}

--- The symbols of velocities, each made when it is asked for: most never are.
local function velocities(names)
  return setmetatable({}, { __index = function(v, i)
    local symbol = names[i] and expr.symbol("v", i - 1, names[i])
    v[i] = symbol
    return symbol
  end })
end

---@param dimension integer
---@return sarrus.Equations
function equations.new(dimension)
  local self = { dimension = dimension, force_count = 0 }
  for _, name in ipairs(lists) do
    self[name] = {}
  end
  self.v = velocities(self.names)
  local function adder(driven)
    return function(coordinate, force)
      if force ~= 0 then
        self.forces[#self.forces + 1] = { coordinate, force, driven = driven, of = self.acting }
      end
    end
  end
  self.add, self.add_driven = adder(false), adder(true)
  return setmetatable(self, Equations)
end

--- How long the lists are now.
function Equations:mark()
  local mark = {}
  for _, name in ipairs(lists) do
    mark[name] = #self[name]
  end
  return mark
end

--- Take back what came after a mark.
function Equations:rewind(mark)
  self.acting = nil
  for i = #self.names, mark.names + 1, -1 do
    self.v[i] = nil
  end
  for _, name in ipairs(lists) do
    local list = self[name]
    for i = #list, mark[name] + 1, -1 do
      list[i] = nil
    end
  end
end

--- A new coordinate.
---@param name string
---@param unit "m"|"rad" a length, or an angle or a component of a direction
---@return integer index from 1
function Equations:coordinate(name, unit)
  local i = #self.names + 1
  self.names[i], self.units[i] = name, unit
  self.q[i] = expr.symbol("q", i - 1, name)
  return i
end

local function put_constraint(list, owner, one)
  local own = { one[1], one[2], unit = one.unit, gap = one.gap, owner = owner }
  own.of, own.internal = one.of, one.internal -- few have them, and models have many constraints
  list[#list + 1] = own
  return #list
end

--- A constraint, { expression that vanishes, what it forbids, unit =, gap = } (constraint.lua);
--- `of`: the unit of what it holds where it has none itself; `internal`: no start can find it open.
---@param owner table the record of the part
---@param constraint table
---@return integer index from 1
function Equations:constraint(owner, constraint)
  return put_constraint(self.constraints, owner, constraint)
end

--- A contact; `unit`: of its gap, `owner`: the record of the part.
---@param law sarrus.ContactLaw
---@return integer index from 1
function Equations:contact(law)
  self.contacts[#self.contacts + 1] = law
  return #self.contacts
end

--- The multipliers of a contact, from 1: behind all constraints those of gaps, then those of slips.
---@param index integer
---@return { gap: integer?, slip: integer? }
function Equations:contact_multipliers(index)
  return laws.multipliers(self.contacts, index, #self.constraints + #self.velocity_constraints)
end

-- Bodies -----------------------------------------------------------------------------------------

--- A body at the symbols.
function Equations:frame(body)
  if not body.symbolic then
    body.symbolic = frame.new(body, self.dimension, self.q, self.v)
  end
  return body.symbolic
end

local function put_mass(self, i, j, mass)
  if mass ~= 0 then
    self.mass[#self.mass + 1] = { i, j, mass }
  end
end

local axis_names = { "x", "y", "z" }

--- Position, three axes that stay orthonormal, and the Euler tensor E = tr(J) / 2 - J (T26) as
--- their mass.
local function put_axes(self, body)
  local o, inertia = body.offset, body.inertia
  for i = 1, 3 do
    for k = 1, 3 do
      self:coordinate(("%s.e%d%s"):format(body.name, i, axis_names[k]), "rad")
    end
  end
  local half = (inertia[1][1] + inertia[2][2] + inertia[3][3]) / 2
  for i = 1, 3 do
    for j = 1, 3 do
      local euler = i == j and half - inertia[i][i] or -inertia[i][j]
      if type(euler) == "number" and type(half) == "number" and math.abs(euler) <= 1e-15 * half then
        euler = 0
      end
      for k = 1, 3 do
        put_mass(self, o + 3 * i + k, o + 3 * j + k, euler)
      end
    end
  end
  local at = self:frame(body)
  local axes = { at:axis(1), at:axis(2), at:axis(3) }
  for i = 1, 3 do
    for j = i, 3 do
      local product = vec.dot(axes[i], axes[j])
      self:constraint(body, { i == j and product - 1 or product, "shape", internal = true })
    end
  end
end

--- A body's coordinates, mass and weight.
---@param self sarrus.Equations
---@param body table
---@param model table
function equations.put_body(self, body, model)
  local gravity = model.gravity
  body.offset = #self.names
  for k = 1, self.dimension do
    local i = self:coordinate(body.name .. "." .. axis_names[k], "m")
    put_mass(self, i, i, body.mass)
    if gravity and gravity[k] ~= 0 then
      self.add(i, body.mass * gravity[k])
      self.potentials[#self.potentials + 1] = -(body.mass * gravity[k]) * self.q[i]
    end
  end
  if body.turns and self.dimension == 2 then
    local i = self:coordinate(body.name .. ".angle", "rad")
    put_mass(self, i, i, body.inertia)
  elseif body.turns then
    put_axes(self, body)
  end
  body.count = #self.names - body.offset
  self:frame(body)
end

-- Joints -----------------------------------------------------------------------------------------

--- Give a joint's coordinate a symbol of its own, without mass, and the constraint that defines it;
--- one that is plain needs none.
function Equations:own_symbol(joint, coordinate)
  if coordinate.index or coordinate.plain then
    return coordinate
  end
  local i = self:coordinate(joint.name .. "." .. coordinate.kind, coordinate.unit)
  local x, vanishing = self.q[i]
  if coordinate.cosine then
    vanishing = coordinate.sine * functions.cos(x) - coordinate.cosine * functions.sin(x) -- (T28)
  else
    coordinate.measured = coordinate.value
    vanishing = x - coordinate.value
  end
  coordinate.constraint = self:constraint(joint, {
    vanishing, coordinate.kind, internal = true,
    of = coordinate.cosine and "rad" or coordinate.unit,
  })
  coordinate.index, coordinate.value, coordinate.rate = i, x, self.v[i]
  return coordinate
end

--- An effort along a joint's coordinate.
local function put_effort(joint, add, effort)
  if effort == 0 then
    return
  elseif joint.coordinate.index then
    return add(joint.coordinate.index, effort)
  end
  joint.frames[2]:twist(add, effort)
  joint.frames[1]:twist(add, -effort)
end

--- The number of a force that can be let go, of which all is that is added until `acting` is nil.
local function next_force(self)
  self.force_count = self.force_count + 1
  self.acting = self.force_count
  return self.acting
end

--- The energy that it stores.
local function put_potential(self, energy, number)
  self.potentials[#self.potentials + 1] = energy
  self.stored[#self.stored + 1] = { energy, of = number }
end

--- The mass of what goes along with a joint's coordinate alone, inertia rate^2 / 2, and what that
--- takes from the joint's effort.
local function put_inertia(self, joint)
  local inertia, coordinate = joint.checked.inertia, joint.coordinate
  local entries = {}
  if coordinate.index then
    entries[1] = { coordinate.index, 1 }
  else
    for i, sign in ipairs { -1, 1 } do
      local body = joint.bodies[i]
      entries[#entries + 1] = not body.ground and { body.offset + body.count, sign } or nil
    end
  end
  local acceleration = 0
  for _, one in ipairs(entries) do
    local i, sign = one[1], one[2]
    acceleration = acceleration + sign * expr.symbol("a", i - 1, self.names[i] .. "''")
    for _, other in ipairs(entries) do
      put_mass(self, i, other[1], sign * other[2] * inertia)
    end
  end
  joint.inertial = -inertia * acceleration
end

local function put_drives(self, joint)
  local checked, coordinate = joint.checked, joint.coordinate
  if drive.acts(checked) then
    self:own_symbol(joint, coordinate)
    joint.number = next_force(self)
  end
  local driven, passive, potential = drive.effort(joint.what, checked, coordinate)
  put_effort(joint, self.add_driven, driven)
  put_effort(joint, self.add, passive)
  self.acting = nil
  joint.effort = driven == 0 and passive or passive == 0 and driven or driven + passive
  if potential ~= 0 then
    put_potential(self, potential, joint.number)
  end
  joint.motion = drive.motion(joint.what, checked)
  if joint.motion then
    joint.motion_constraint = self:constraint(joint, {
      coordinate.value - joint.motion, "motion", unit = coordinate.unit,
    })
  end
  if checked.limits then
    stop.put(self, joint,
      stop.between(coordinate.value, checked.limits, coordinate.unit, coordinate.kind))
  end
  if checked.friction then
    bearing.put(self, joint)
  end
  if checked.inertia then
    put_inertia(self, joint)
  end
end

local function put_constraints(list, joint, constraints)
  local indices = {}
  for i, one in ipairs(constraints or {}) do
    indices[i] = put_constraint(list, joint, one)
  end
  return indices
end

--- A joint's constraints, coordinates and drives.
---@param self sarrus.Equations
---@param joint table
function equations.put_joint(self, joint)
  local definition, checked = joint.definition, joint.checked
  joint.frames, joint.equations = {}, self
  for i, body in ipairs(joint.bodies or {}) do
    joint.frames[i] = self:frame(body)
  end
  local a, b = joint.frames[1], joint.frames[2]
  local of_positions, of_velocities = definition.equations, definition.velocity_equations
  joint.constraints = put_constraints(self.constraints, joint,
    of_positions and of_positions(checked, a, b, joint))
  if of_velocities then
    joint.velocity_constraints = put_constraints(self.velocity_constraints, joint,
      of_velocities(checked, a, b, joint))
  end
  for _, measured in ipairs { definition.coordinate, definition.second } do
    local coordinate = measured(checked, a, b)
    coordinate.at = measured
    joint[coordinate.kind] = coordinate
    joint.coordinate = joint.coordinate or coordinate
    joint.locks = joint.locks or {}
    self.locks[#self.locks + 1] = { coordinate = coordinate, owner = joint }
    table.insert(joint.locks, #self.locks)
    if coordinate.cosine then
      self:own_symbol(joint, coordinate)
    end
  end
  if definition.couple then
    local coupling = definition.couple(checked, joint, function(other, coordinate)
      return self:own_symbol(other, coordinate).value
    end)
    for _, i in ipairs(put_constraints(self.constraints, joint, coupling)) do
      joint.constraints[#joint.constraints + 1] = i
    end
  end
  if joint.coordinate then
    put_drives(self, joint)
  elseif definition.stops then
    stop.put(self, joint, definition.stops(checked, a, b))
  end
end

-- Forces -----------------------------------------------------------------------------------------

--- A force's share in the forces and the energy.
---@param self sarrus.Equations
---@param force table
function equations.put_force(self, force)
  force.number, force.frames = next_force(self), {}
  for i, body in ipairs(force.bodies) do
    force.frames[i] = self:frame(body)
  end
  force.definition.build(force.checked, force, {
    push = function(at, f, place)
      at:push(self.add, f, place)
    end,
    twist = function(at, torque)
      at:twist(self.add, torque)
    end,
    add = self.add,
    potential = function(energy)
      put_potential(self, energy, force.number)
    end,
    lift = function(length, rate, effort)
      self.elements[#self.elements + 1] =
        { force = force.number, length = length, rate = rate, effort = effort }
    end,
    own_symbol = function(coordinate)
      return self:own_symbol(force, coordinate)
    end,
    call = function(field, f, ...)
      return trace.call(force.what, field, f, ...)
    end,
  })
  self.acting = nil
end

-- All together -----------------------------------------------------------------------------------

local function expressions(constraints)
  local list = {}
  for i, one in ipairs(constraints) do
    list[i] = one[1]
  end
  return #list > 0 and list or nil
end

--- The lists that `system.of_equations` takes.
---@param passive? boolean without the joints' torques and forces
function Equations:lists(passive)
  for _, law in ipairs(self.contacts) do
    if law.complete then
      law.complete()
    end
  end
  local force = {}
  for i = 1, #self.names do
    force[i] = 0
  end
  for _, entry in ipairs(self.forces) do
    local i = entry[1]
    if not (passive and entry.driven) then
      force[i] = force[i] == 0 and entry[2] or force[i] + entry[2]
    end
  end
  return {
    mass = self.mass,
    force = force,
    constraints = expressions(self.constraints),
    velocity_constraints = expressions(self.velocity_constraints),
    contacts = #self.contacts > 0 and self.contacts or nil,
  }
end

--- What errors of each coordinate are compared with, at least, in a mechanism of some size.
---@param size number in m
---@return number[]
function Equations:scales(size)
  local list = {}
  for i, unit in ipairs(self.units) do
    list[i] = unit == "m" and size or 1
  end
  return list
end

--- What makes multipliers comparable in a mechanism of some size: those of lengths, which are
--- forces, count as torques.
---@param size number in m
---@return number[] positions, then velocities, then contacts, then locks
function Equations:weights(size)
  local list = {}
  for _, constraints in ipairs { self.constraints, self.velocity_constraints } do
    for _, one in ipairs(constraints) do
      list[#list + 1] = (one.unit or one.of) == "m" and size or 1
    end
  end
  local alone, gaps, slips, locks = {}, {}, {}, {}
  for _, law in ipairs(self.contacts) do
    local weight, sliding = law.unit == "m" and size or 1, law.gap and slips or alone
    gaps[#gaps + 1] = law.gap and weight
    for _ = 1, laws.slip_count(law) do
      sliding[#sliding + 1] = weight
    end
  end
  for i, lock in ipairs(self.locks) do
    locks[i] = lock.coordinate.unit == "m" and size or 1
  end
  for _, weights in ipairs { alone, gaps, slips, locks } do -- the order of law.multipliers
    for _, weight in ipairs(weights) do
      list[#list + 1] = weight
    end
  end
  return list
end

--- The kinetic energy.
function Equations:kinetic()
  local total = 0
  for _, entry in ipairs(self.mass) do
    total = total + 0.5 * entry[3] * self.v[entry[1]] * self.v[entry[2]]
  end
  return total
end

--- 1 while a force is let go: a mode behind those of the contacts.
---@param force integer
---@return sarrus.Expression
function Equations:gone(force)
  return expr.symbol("u", laws.MODES * #self.contacts + force - 1, "gone" .. force)
end

--- The potential energy, without that of forces let go.
function Equations:potential()
  local total = 0
  for _, energy in ipairs(self.potentials) do
    total = total + energy
  end
  for _, one in ipairs(self.stored) do
    total = total - self:gone(one.of) * one[1]
  end
  return total
end

-- Changes ----------------------------------------------------------------------------------------

--- What `system.of_equations` takes of that which a simulation may change: rates that it may hold,
--- forces that it may let go.
---@return sarrus.Scalar[] locks
---@return { [1]: integer, [2]: integer, [3]: sarrus.Scalar }[] shares
---@return integer forces
function Equations:changes()
  local locks, shares = {}, {}
  for i, lock in ipairs(self.locks) do
    locks[i] = lock.coordinate.rate
  end
  for _, entry in ipairs(self.forces) do
    if entry.of then
      shares[#shares + 1] = { entry.of, entry[1], entry[2] }
    end
  end
  return locks, shares, self.force_count
end

--- The multiplier of a lock, from 1: they are the last.
---@param i integer
---@return integer
function Equations:lock_multiplier(i)
  local before = #self.constraints + #self.velocity_constraints
  for _, law in ipairs(self.contacts) do
    before = before + (law.gap and 1 or 0) + laws.slip_count(law)
  end
  return before + i
end

return equations
