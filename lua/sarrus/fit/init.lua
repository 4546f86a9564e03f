--- Parameters from data: runs whose residuals are least.

local core = require "sarrus.core"
local covariance = require "sarrus.fit.covariance"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local least_squares = require "sarrus.fit.least_squares"
local measured = require "sarrus.fit.measured"
local parameters = require "sarrus.fit.parameters"
local report = require "sarrus.fit.report"

local fit = {}

-- What scripts give ------------------------------------------------------------------------------

local own_fields = {
  { 1, fields.any },
  { "parameters", parameters.kind, required = true },
  { "data", measured.kind },
  { "residuals", fields.callable },
  { "noise", fields.table, default = {} },
  { "fixed", fields.table, default = {} },
  { "iterations", fields.integer(0, 10000), default = 100 },
}

local subjects = { ["sarrus.model"] = true, ["sarrus.system"] = true }

--- What is the fit's own, and what is for `simulate`.
local function split(given)
  local own, start = {}, {}
  for _, field in ipairs(own_fields) do
    own[field[1]] = given[field[1]]
  end
  for key, value in pairs(given) do
    if own[key] == nil then
      start[key] = value
    end
  end
  return own, start
end

local function check(given)
  if type(given) ~= "table" then
    errors.raise("fit: " .. errors.got(given) .. ", want a table of fields")
  end
  local own, start = split(given)
  local checked = fields.check(own_fields, own, "fit")
  local meta = type(checked[1]) == "table" and getmetatable(checked[1])
  if not meta or not subjects[rawget(meta, "__name") or ""] then
    errors.raise(("fit: %s, want a model or a system first: { model, parameters = … }"):format(
      errors.got(checked[1])))
  elseif (checked.data == nil) == (checked.residuals == nil) then
    errors.raise("fit: give either data or residuals")
  elseif #checked.parameters == 0 then
    errors.raise("fit: parameters: there are none")
  elseif start.sensitivity ~= nil then
    errors.raise("fit: sensitivity: fit asks for its own")
  end
  start.parameters = checked.fixed
  return checked, start
end

--- Known noise by channel, as a list; nil where none is given.
local function noise_of(checked)
  local data, list = checked.data, {}
  if not data or next(checked.noise) == nil then
    return nil
  end
  local known = {}
  for i, label in ipairs(data.labels) do
    local x = checked.noise[label]
    if type(x) ~= "number" or not (x > 0 and x < math.huge) then
      errors.raise(("fit: noise[%s]: %s, want a positive number"):format(errors.show(label),
        errors.got(x)))
    end
    list[i], known[label] = x, true
  end
  for label in pairs(checked.noise) do
    if not known[label] then
      errors.raise(("fit: noise: no data of %s%s"):format(errors.show(label),
        errors.suggest(label, data.labels)))
    end
  end
  return list
end

-- Residuals --------------------------------------------------------------------------------------

--- What a script's own residuals are for a run.
local function asked(f, sim, count)
  local good, list = core.call(f, sim)
  if not good then
    return nil, ("residuals: %s"):format(tostring(list)), "CALLBACK"
  elseif type(list) ~= "table" or #list == 0 then
    return nil, ("residuals: %s, want a list of numbers"):format(errors.got(list)), "CALLBACK"
  elseif count and #list ~= count then
    return nil, ("residuals: %d numbers, and %d before"):format(#list, count), "CALLBACK"
  end
  for i, x in ipairs(list) do
    if type(x) ~= "number" or x - x ~= 0 then
      return nil, ("residuals[%d]: %s, want a finite number"):format(i, errors.got(x)), "CALLBACK"
    end
  end
  return list
end

---@class sarrus.FitTask
---@field subject table
---@field start table
---@field fitted sarrus.Fitted[]
---@field names string[]
---@field data sarrus.Measured?
---@field noise number[]?

--- A simulation with these values.
local function run(task, x, sensitivity)
  local given = parameters.start(task.start, task.fitted, x)
  if sensitivity then
    local copy = {}
    for key, value in pairs(given) do
      copy[key] = value
    end
    given, copy.sensitivity = copy, sensitivity
  end
  return task.subject:simulate(given)
end

local function residuals_of(task, x)
  local sim, message, code = run(task, x)
  if not sim then
    return nil, message, code
  end
  local r
  if task.data then
    r, message, code = measured.residuals(task.data, sim, task.noise)
  else
    r, message, code = asked(task.residuals, sim, task.count)
  end
  sim:close()
  task.count = r and #r or task.count
  return r, message, code
end

-- Steps of differences, relative: runs have 12 digits, so that derivatives have 8.
local STEP = 1e-4
local weights = { { 1, 1 / 2 }, { -1, -1 / 2 } }

--- One column of derivatives by differences; those of the first order at a bound.
local function column(task, x, r, j)
  local one = task.fitted[j]
  local h = STEP * math.max(math.abs(x[j]), 1e-3)
  local list = weights
  if x[j] + h > one.high or x[j] - h < one.low then
    list, h = { { x[j] + h > one.high and -1 or 1, 1 } }, 1e-2 * h
  end
  local result = {}
  for _, weight in ipairs(list) do
    local moved = {}
    for k, value in ipairs(x) do
      moved[k] = value
    end
    moved[j] = x[j] + weight[1] * h
    local there, message, code = residuals_of(task, moved)
    if not there then
      return nil, message, code
    end
    for i, value in ipairs(there) do
      local difference = #list == 1 and (value - r[i]) * weight[1] or value * weight[2]
      result[i] = (result[i] or 0) + difference / h
    end
  end
  return result
end

local function differences(task, x, r)
  local J = {}
  for i = 1, #r do
    J[i] = {}
  end
  for j = 1, #x do
    local own, message, code = column(task, x, r, j)
    if not own then
      return nil, message, code
    end
    for i = 1, #r do
      J[i][j] = own[i]
    end
  end
  return J
end

--- Derivatives of the residuals: exact ones of data, where runs have them, else differences.
local function derivatives_of(task, x, r)
  if task.data and not task.by_differences then
    local good, J = pcall(function()
      local sim = assert(run(task, x, task.names))
      local rows = assert(measured.derivatives(task.data, sim, task.noise, task.names))
      sim:close()
      return rows
    end)
    if good then
      return J
    end
    task.by_differences = true
  end
  return differences(task, x, r)
end

-- Answers ----------------------------------------------------------------------------------------

local function solve(task, x, most)
  local low, high = {}, {}
  for j, one in ipairs(task.fitted) do
    low[j], high[j] = one.low, one.high
  end
  return least_squares.solve {
    x = x, low = low, high = high, most = most,
    residuals = function(at) return residuals_of(task, at) end,
    derivatives = function(at, r) return derivatives_of(task, at, r) end,
  }
end

--- The noise of each channel, from what is left of it.
local function estimated_noise(task, found)
  local count, list = #task.data.labels, {}
  local freedoms = math.max(1, #found.r - #found.free) / #found.r
  for c = 1, count do
    local sum, number = 0, 0
    for i = c, #found.r, count do
      sum, number = sum + (found.r[i] * task.noise[c]) ^ 2, number + 1
    end
    list[c] = math.max(math.sqrt(sum / (number * freedoms)), 1e-14 * task.spreads[c])
  end
  return list
end

-- Channels are weighed anew by what is left of them, so often.
local MOST_WEIGHINGS = 6

--- Solve, and where the noise of several channels is not known, find that too.
local function solve_weighed(task, x, most)
  local found, message, code = solve(task, x, most)
  if not found or not task.data or task.known_noise then
    return found, message, code
  end
  local iterations = found.iterations
  for _ = 1, #task.data.labels > 1 and MOST_WEIGHINGS or 0 do
    local noise, changed = estimated_noise(task, found), 0
    for c, s in ipairs(noise) do
      changed = math.max(changed, math.abs(s / task.noise[c] - 1))
    end
    task.noise = noise
    found, message, code = solve(task, found.x, most)
    if not found then
      return nil, message, code
    end
    iterations = iterations + found.iterations
    if changed < 0.01 then
      break
    end
  end
  found.iterations = iterations
  return found
end

--- Combinations of parameters that nothing determines, in words.
local function undetermined_words(directions, names, x)
  local words = {}
  for i, direction in ipairs(directions) do
    words[i] = covariance.words(direction, names, x)
  end
  return words
end

--- Residuals in their own units, and the noise by channel.
local function unweighed(task, found)
  local sum, noise = 0, {}
  local count = task.data and #task.data.labels or 1
  for i, x in ipairs(found.r) do
    local weight = task.data and task.noise[(i - 1) % count + 1] or 1
    sum = sum + (x * weight) ^ 2
  end
  if task.data then
    local estimated = estimated_noise(task, found)
    for c, label in ipairs(task.data.labels) do
      noise[label] = task.known_noise and task.noise[c] or estimated[c]
    end
  end
  return math.sqrt(sum / #found.r), noise
end

local function answer(task, found)
  local inverse, directions = covariance.of(found.R, found.free, #found.x)
  local words = undetermined_words(directions, task.names, found.x)
  if task.data and #words > 0 then
    return nil, ("%s: fit: the data do not determine all parameters: %s to 7 digits; %s, or "
      .. "measure more"):format(task.subject.what, #words == 1 and words[1] .. " changes nothing"
      or ("neither %s changes anything"):format(table.concat(words, " nor ")),
      #words == 1 and "fix one of them" or ("fix %d of them"):format(#words)), "SINGULAR"
  end
  local open, at_bound, is_free = {}, {}, {}
  for _, direction in ipairs(directions) do
    for j, x in ipairs(direction) do
      open[j] = open[j] or math.abs(x) > 1e-6 or nil
    end
  end
  for _, j in ipairs(found.free) do
    is_free[j] = true
  end
  for j, name in ipairs(task.names) do
    at_bound[#at_bound + 1] = not is_free[j] and name or nil
  end
  local freedoms = #found.r - #found.free
  local residual, noise = unweighed(task, found)
  for i, text in ipairs(words) do
    words[i] = text .. " changes nothing"
  end
  return report.new {
    what = task.subject.what, names = task.names, values = found.x, inverse = inverse,
    variance = task.known_noise and 1 or freedoms > 0 and found.cost / freedoms or math.huge,
    known_noise = task.known_noise, freedoms = freedoms, open = open, residual = residual,
    noise = noise, iterations = found.iterations, count = #found.r, undetermined = words,
    at_bound = at_bound,
  }
end

--- The task that a script gives; or nil, message, code.
local function task_of(checked, start)
  local subject = checked[1]
  local sim, message, code = subject:simulate(start)
  if not sim then
    return nil, message, code
  end
  local task = {
    subject = subject, start = start, data = checked.data, residuals = checked.residuals,
    known_noise = noise_of(checked), names = {},
  }
  parameters.check_fixed(sim.parameters, checked.fixed, subject.what .. ": fit")
  task.fitted = parameters.find(subject, sim, checked.parameters, subject.what .. ": fit")
  for j, one in ipairs(task.fitted) do
    task.names[j] = one.name
  end
  if task.data then
    measured.prepare(task.data, sim, subject.what .. ": fit")
    task.spreads = measured.spreads(task.data)
    task.noise = task.known_noise or #task.data.labels > 1 and task.spreads or { 1 }
  end
  sim:close()
  return task
end

--- The values of parameters, and of the start, for which a run comes nearest to data, or for which
--- residuals of the script's own are least.  Everything else is as `simulate` takes it.
---@param given table { model, parameters = { "k", { "L", low =, high =, value = } }, data = { t = {…}, ["J1.angle"] = {…} } or residuals = function(run) return {…} end, noise = { ["J1.angle"] = 1e-3 }, fixed = { m = 2 }, iterations = 100, … }
---@return sarrus.Fit? fit
---@return string? message
---@return string? code SINGULAR: the data do not determine the parameters
function fit.new(given)
  local checked, start = check(given)
  local task, message, code = task_of(checked, start)
  if not task then
    return nil, message, code
  end
  local x = {}
  for j, one in ipairs(task.fitted) do
    x[j] = one.value
  end
  local found
  found, message, code = solve_weighed(task, x, checked.iterations)
  if not found then
    return nil, message, code
  end
  return answer(task, found)
end

return fit
