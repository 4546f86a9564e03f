--- Residuals of measured data: what a run has at the times of measurements, less what was measured.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local reader = require "sarrus.output.values"

local measured = {}

local numbers = fields.list(fields.number)

---@class sarrus.Measured
---@field t number[]
---@field labels string[] of channels, in order
---@field values number[][] per channel
---@field order integer[] of the times

--- A kind for fields: { t = {…}, channel = {…}, … }.
function measured.kind(value, path, fault)
  if type(value) ~= "table" then
    return fault(path .. ": " .. errors.got(value) .. ", want { t = {…}, channel = {…} }")
  end
  local labels, result = {}, { values = {}, labels = {}, order = {} }
  for label in pairs(value) do
    if label ~= "t" then
      labels[#labels + 1] = tostring(label)
    end
  end
  table.sort(labels)
  result.t = numbers(value.t, path .. ".t", fault) or {}
  if #labels == 0 or #result.t == 0 then
    fault(path .. ": there is nothing measured in it")
  end
  for i, label in ipairs(labels) do
    local list = numbers(value[label], ("%s[%s]"):format(path, errors.show(label)), fault)
    if list and #list ~= #result.t then
      fault(("%s[%s]: %d numbers, but t has %d"):format(path, errors.show(label), #list, #result.t))
    end
    result.labels[i], result.values[i] = label, list or {}
  end
  for i = 1, #result.t do
    result.order[i] = i
  end
  table.sort(result.order, function(a, b)
    return result.t[a] < result.t[b] or result.t[a] == result.t[b] and a < b
  end)
  return result
end

--- What reads the channels; raises where there is no such channel.
function measured.prepare(data, sim, what)
  local read, message = reader(sim, data.labels)
  if not read then
    errors.raise(what .. ": data: " .. message)
  elseif data.t[data.order[1]] < sim.time then
    errors.raise(("%s: data: t = %s is before the start, t = %s"):format(what,
      errors.show(data.t[data.order[1]]), errors.show(sim.time)))
  end
  data.read = read
end

--- The spread of each channel's data, about its mean; 1 where it has none.
---@return number[]
function measured.spreads(data)
  local list = {}
  for i, values in ipairs(data.values) do
    local mean, sum = 0, 0
    for _, x in ipairs(values) do
      mean = mean + x / #values
    end
    for _, x in ipairs(values) do
      sum = sum + (x - mean) ^ 2
    end
    list[i] = sum > 0 and math.sqrt(sum / #values) or 1
  end
  return list
end

--- Go through the times of measurements: f(sim, state, place of the first residual).
local function visit(data, sim, f)
  local s
  for k, i in ipairs(data.order) do
    local result, message, code = sim:advance(data.t[i])
    if result == "EVENT" then
      return nil, ("the run stops at event %s, t = %s, before the data end"):format(
        errors.show(message), errors.show(sim.time)), "EVENT"
    elseif not result then
      return nil, message, code
    end
    s = sim:state(s)
    f(s, (k - 1) * #data.labels, i)
  end
  return true
end

--- Residuals over the noise of their channels.
---@param data sarrus.Measured
---@param sim sarrus.Sim from the start
---@param noise number[] per channel
---@return number[]? residuals
---@return string? message
---@return string? code
function measured.residuals(data, sim, noise)
  local r = {}
  local done, message, code = visit(data, sim, function(s, first, i)
    for c, x in ipairs(data.read(sim, s)) do
      r[first + c] = (x - data.values[c][i]) / noise[c]
    end
  end)
  if not done then
    return nil, message, code
  end
  return r
end

--- Their derivatives by the names that the simulation follows.
---@return number[][]? rows
---@return string? message
---@return string? code
function measured.derivatives(data, sim, noise, names)
  local J = {}
  local done, message, code = visit(data, sim, function(s, first)
    for c, label in ipairs(data.labels) do
      local row = {}
      for j, name in ipairs(names) do
        row[j] = s:derivative(label, name) / noise[c]
      end
      J[first + c] = row
    end
  end)
  if not done then
    return nil, message, code
  end
  return J
end

return measured
