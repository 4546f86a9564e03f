--- What a fit has found: values with their uncertainty, and text that a person can read.

local errors = require "sarrus.base.errors"
local states = require "sarrus.sim.state"
local strict = require "sarrus.base.strict"

---@class sarrus.Fit
---@field values table<string|integer, number> by name, or in the order of the parameters
---@field sigma table<string|integer, number> standard deviations of these
---@field interval table<string, { [1]: number, [2]: number }> of 95 % confidence
---@field covariance number[][] rows in the order of the parameters
---@field residual number root of the mean square of the residuals
---@field noise table<string, number> standard deviation of what was measured, by channel
---@field iterations integer
---@field count integer of residuals
---@field undetermined string[] combinations of parameters that change nothing
---@field at_bound string[] parameters that a bound holds
local Fit = strict({ __name = "sarrus.fit" }, "a fit", { "values", "sigma", "interval",
  "covariance", "residual", "noise", "iterations", "count", "undetermined", "at_bound" },
  { "what", "names" })

local report = {}

--- The number that a Student variable with so many degrees of freedom exceeds in 2.5 % of all
--- cases: exact for one and two, an expansion in 1 / freedoms for more (off by 1 % at three).
local function student(freedoms)
  if freedoms == 1 then
    return math.tan(0.475 * math.pi)
  elseif freedoms == 2 then
    return 0.95 * math.sqrt(2 / (1 - 0.95 ^ 2))
  end
  local z, n = 1.959963984540054, freedoms
  return z + (z ^ 3 + z) / (4 * n) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * n ^ 2)
    + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * n ^ 3)
end

--- A fit from its numbers.
---@param own table what, names, values, inverse (of J^T J), variance (nil: unknown), freedoms …
---@return sarrus.Fit
function report.new(own)
  local naming = states.naming(own.names)
  local values, sigma, interval, rows =
    setmetatable({}, naming), setmetatable({}, naming), {}, {}
  local t = own.freedoms > 0 and (own.known_noise and 1.959963984540054 or student(own.freedoms))
    or math.huge
  for i, name in ipairs(own.names) do
    rows[i] = {}
    for j = 1, #own.names do
      rows[i][j] = own.variance * own.inverse[i][j]
    end
    local open = own.variance == math.huge or own.open[i]
    values[i], sigma[i] = own.values[i], open and math.huge or math.sqrt(rows[i][i])
    local half = open and math.huge or t * sigma[i]
    interval[name] = { values[i] - half, values[i] + half }
  end
  return setmetatable({
    what = own.what, names = own.names, values = values, sigma = sigma, interval = interval,
    covariance = rows, residual = own.residual, noise = own.noise, iterations = own.iterations,
    count = own.count, undetermined = own.undetermined, at_bound = own.at_bound,
  }, Fit)
end

--- A value to the digits that its deviation leaves; none is left where a bound holds it, or where
--- the data are met exactly.
local function value_text(value, sigma, held)
  if held then
    return ("%.10g"):format(value), "held by its bound"
  elseif sigma == math.huge or sigma ~= sigma then
    return ("%.10g"):format(value), "not determined"
  elseif sigma == 0 then
    return ("%.15g"):format(value), "+- 0"
  end
  local digits = math.max(3, math.min(15,
    math.floor(math.log(math.max(math.abs(value), sigma) / sigma) / math.log(10)) + 3))
  return ("%." .. digits .. "g"):format(value), ("+- %.2g"):format(sigma)
end

--- Pairs of parameters that the data hardly tell apart.
local function correlations(self)
  local lines = {}
  for i = 1, #self.names do
    for j = i + 1, #self.names do
      local c = self.covariance[i][j] / (self.sigma[i] * self.sigma[j])
      if math.abs(c) > 0.95 and math.abs(c) <= 1.0001 then
        lines[#lines + 1] = ("%s and %s are hard to tell apart: correlation %.3f"):format(
          self.names[i], self.names[j], c)
      end
    end
  end
  return lines
end

function Fit:__tostring()
  local lines = { ("fit of %s: %s, %s, root mean square %.3g"):format(self.what,
    errors.count(self.iterations, "iteration"), errors.count(self.count, "residual"),
    self.residual) }
  local rows, widths, held = {}, { 0, 0, 0 }, {}
  for _, name in ipairs(self.at_bound) do
    held[name] = true
  end
  for i, name in ipairs(self.names) do
    local value, deviation = value_text(self.values[i], self.sigma[i], held[name])
    local range = self.interval[name]
    local finite = range[2] - range[1] > 0 and range[2] < math.huge
    rows[i] = { name, value, deviation,
      finite and ("95 %%: %.6g to %.6g"):format(range[1], range[2]) or "" }
    for k = 1, 3 do
      widths[k] = math.max(widths[k], #rows[i][k])
    end
  end
  for _, row in ipairs(rows) do
    lines[#lines + 1] = (("  %-" .. widths[1] .. "s  %" .. widths[2] .. "s %-" .. widths[3]
      .. "s  %s"):format(row[1], row[2], row[3], row[4]):gsub("%s+$", ""))
  end
  for _, list in ipairs { correlations(self), self.undetermined } do
    for _, line in ipairs(list) do
      lines[#lines + 1] = "  " .. line
    end
  end
  return table.concat(lines, "\n")
end

return report
