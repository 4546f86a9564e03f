--- Kinds of fields that parts share (see fields.lua for what a kind is).

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local later = require "sarrus.base.later"
local colors = later "sarrus.model.part.colors"

local kinds = {}

local got, show = errors.got, errors.show

-- Names ------------------------------------------------------------------------------------------

local MOST_BYTES = 200

local function is_utf8(text)
  local i = 1
  while i <= #text do
    local c = text:byte(i)
    local more = c < 0x80 and 0 or c >= 0xC2 and c < 0xE0 and 1 or c >= 0xE0 and c < 0xF0 and 2
      or c >= 0xF0 and c < 0xF5 and 3
    if not more then
      return false
    end
    for k = 1, more do
      local d = text:byte(i + k)
      if not d or d < 0x80 or d > 0xBF then
        return false
      end
    end
    i = i + more + 1
  end
  return true
end

--- What is wrong with a name, or nil.
---@param name any
---@return string?
function kinds.name_fault(name)
  if name == nil then
    return "the name is missing: it stands first, { \"name\", … }"
  elseif type(name) ~= "string" then
    return "the name: " .. got(name) .. ", want string"
  elseif name == "" then
    return "the name is empty"
  elseif name == "ground" then
    return "the name \"ground\" is taken: it is the fixed frame"
  elseif #name > MOST_BYTES then
    return ("the name has %d bytes, at most %d are allowed"):format(#name, MOST_BYTES)
  elseif name:find("[%c.%z]") then
    return "the name " .. show(name) .. " has a point or a control character in it"
  elseif not is_utf8(name) then
    return "the name " .. show(name) .. " is no valid UTF-8"
  end
end

-- Scalars ----------------------------------------------------------------------------------------

--- The first symbol in an expression that is not allowed; nil if all are.
local function stranger(e, allowed)
  return expr.find(e, function(node)
    return node.op == "symbol" and not allowed[node.kind]
  end)
end

local function scalar_of(allowed, words)
  return function(value, path, fault)
    if not expr.is(value) then
      return fields.number(value, path, fault)
    end
    local symbol = stranger(value, allowed)
    if symbol then
      return fault(("%s: an expression of %s, want one of %s"):format(path, tostring(symbol),
        words))
    end
    return value
  end
end

--- A number, or an expression of parameters.
kinds.scalar = scalar_of({}, "parameters")
--- A number, or an expression of parameters and time.
kinds.of_time = scalar_of({ time = true }, "parameters and time")

--- What a kind accepts, or a function that a script gives in its place.
---@param kind function
function kinds.or_function(kind)
  return function(value, path, fault)
    return fields.is_callable(value) and not expr.is(value) and value or kind(value, path, fault)
  end
end

local function positive(words, test, kind)
  return function(value, path, fault)
    local x = (kind or kinds.scalar)(value, path, fault)
    if type(x) == "number" and not test(x) then
      return fault(("%s = %s; must be %s"):format(path, show(x), words))
    end
    return x
  end
end

kinds.positive = positive("positive", function(x) return x > 0 end)
kinds.not_negative = positive("0 or positive", function(x) return x >= 0 end)
kinds.not_negative_of_time = positive("0 or positive", function(x) return x >= 0 end, kinds.of_time)
kinds.not_zero = positive("other than 0", function(x) return x ~= 0 end)

--- A mass in kg.
function kinds.mass(value, path, fault)
  local x = kinds.scalar(value, path, fault)
  if type(x) == "number" and x < 0 then
    return fault(("%s = %s kg; must be 0 or positive. Did you swap a sign or forget to set it?")
      :format(path, show(x)))
  end
  return x
end

-- Vectors ----------------------------------------------------------------------------------------

local function vector_of(kind)
  return function(dimension)
    return function(value, path, fault)
      if type(value) ~= "table" or expr.is(value) then
        return fault(("%s: %s, want a list of %d numbers"):format(path, got(value), dimension))
      end
      local length = fields.length(value, path, fault)
      if length == 5 - dimension then
        return fault(("%s: %d components in a %s model, want %d"):format(path, length,
          dimension == 2 and "planar" or "spatial", dimension))
      elseif not length then
        return nil
      end
      local failed = false
      local list = fields.list(kind, dimension)(value, path, function(message)
        failed = true
        fault(message)
      end)
      return not failed and list or nil
    end
  end
end

--- A vector of numbers.
---@type fun(dimension: integer): function
kinds.numbers = vector_of(fields.number)
--- A vector of numbers or expressions of parameters and time.
---@type fun(dimension: integer): function
kinds.vector_of_time = vector_of(kinds.of_time)
--- A vector of numbers or expressions of parameters.
---@type fun(dimension: integer): function
kinds.vector = vector_of(kinds.scalar)
--- A place or direction of the drawing.
---@type fun(dimension: integer): function
kinds.place = kinds.vector

--- The edges of a box are positive.
---@param size number[]
---@param fault fun(message: string)
function kinds.check_edges(size, fault)
  for i, x in ipairs(size) do
    if x <= 0 then
      fault(("size[%d] = %s; must be positive"):format(i, show(x)))
    end
  end
end

--- A direction, made a unit vector.
---@param dimension integer
function kinds.axis(dimension)
  local place = kinds.place(dimension)
  return function(value, path, fault)
    local d = place(value, path, fault)
    if not d then
      return nil
    end
    local square = 0
    for i = 1, dimension do
      square = square + d[i] * d[i]
    end
    local norm = drawing.sqrt(square)
    if type(norm) == "number" and norm < 1e-12 then
      return fault(("%s: the vector has length %s, so no direction"):format(path, show(norm)))
    end
    for i = 1, dimension do
      d[i] = d[i] / norm
    end
    return d
  end
end

--- The field of an axis to turn about; in the plane it may be left out, and is z.
---@param dimension integer
---@return table
function kinds.turning(dimension)
  local axis = kinds.axis(3)
  return { "axis", function(value, path, fault)
    local flat = dimension == 2 and type(value) == "table" and rawget(value, 2) ~= nil
      and rawget(value, 3) == nil
    local d = not flat and axis(value, path, fault)
    if dimension == 3 or d == nil then
      return d
    elseif flat or d[3] ~= 1 then
      fault(path .. ": in a planar model bodies turn about {0, 0, 1}"
        .. (d and d[3] == -1 and "; exchange A and B for the other sense" or ""))
    end
  end, required = dimension == 3 }
end

local function is_share(x)
  return type(x) == "number" and x >= 0 and x <= 1
end

--- A colour: its name or "#rrggbb", or red, green and blue from 0 to 1, which become the latter.
function kinds.color(value, path, fault)
  if type(value) == "table" and is_share(value[1]) and is_share(value[2])
    and is_share(value[3]) then
    local bytes = {}
    for i = 1, 3 do
      bytes[i] = ("%02x"):format(math.floor(255 * value[i] + 0.5))
    end
    return "#" .. table.concat(bytes)
  elseif type(value) == "string" and (value:find("^#%x%x%x$") or value:find("^#%x%x%x%x%x%x$")) then
    return value
  elseif type(value) == "string" and value:find("^%a+$") then
    return colors.known[value:lower()] and value
      or fault(("%s: no colour has the name %s%s"):format(path, show(value),
        errors.suggest(value:lower(), colors.list)))
  end
  fault(path .. ": " .. got(value) .. ', want a name, "#rrggbb", or three numbers from 0 to 1')
end

--- Where a joint is: one place for both bodies, or { a = place, b = place }.
---@param dimension integer
function kinds.at(dimension)
  local place = kinds.place(dimension)
  return function(value, path, fault)
    if type(value) == "table" and (rawget(value, "a") ~= nil or rawget(value, "b") ~= nil) then
      return fields.record {
        { "a", place, required = true },
        { "b", place, required = true },
      }(value, path, fault)
    end
    local p = place(value, path, fault)
    return p and { a = p, b = p }
  end
end

return kinds
