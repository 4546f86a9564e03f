--- Ensembles: many runs of one model or system, side by side.

local core = require "sarrus.core"
local engine = require "sarrus.ensemble.engine"
local errors = require "sarrus.base.errors"
local event = require "sarrus.sim.event"
local fields = require "sarrus.base.fields"
local mechanism = require "sarrus.model.mechanism"
local sheet = require "sarrus.ensemble.sheet"
local sims = require "sarrus.sim"

---@class sarrus.Run
---@field t number|number[] the end of the run, or with `every` the instants
---@field code string? why it failed, such as "SINGULAR"
---@field message string? the same in words
---@field [string] number|number[] the values of a channel, by its label

---@class sarrus.Ensemble
---@field runs integer how many
---@field channels { label: string, unit: string }[] in order
---@field [integer] sarrus.Run
local methods = {}

local Ensemble = { __name = "sarrus.ensemble" }

local reserved = { t = true, code = true, message = true, run = true }

-- Reading ----------------------------------------------------------------------------------------

--- A run answers what it is asked, and remembers it.
local function new_run(own, i)
  local failed, fresh = own.engine.failures[i] or {}, {}
  return setmetatable(fresh, { __name = "sarrus.run", __index = function(_, key)
    if key == "code" or key == "message" then
      return failed[key]
    end
    local column = key == "t" and 0 or own.index[key]
    if not column then
      errors.raise(("the run has no channel %s%s"):format(errors.show(key),
        errors.suggest(key, own.labels)))
    end
    local value = own.engine:value(i, column)
    rawset(fresh, key, value)
    return value
  end })
end

function Ensemble.__index(self, key)
  if methods[key] then
    return methods[key]
  elseif type(key) ~= "number" then
    errors.raise(("an ensemble has no field %s%s"):format(errors.show(key),
      errors.suggest(key, { "runs", "channels", "csv" })))
  elseif key >= 1 and key <= self.runs and key == math.floor(key) then
    self.own.read[key] = self.own.read[key] or new_run(self.own, key)
    return self.own.read[key]
  end
end

function Ensemble.__len(self)
  return self.runs
end

function Ensemble:__tostring()
  local count = 0
  for _ in pairs(self.own.engine.failures) do
    count = count + 1
  end
  return ("ensemble of %s: %s, %d failed"):format(self.own.what, errors.count(self.runs, "run"),
    count)
end

--- Write all runs as CSV: the run, the time, the channels, and code and message where it failed; a
--- line for each run, or with `every` for each instant of each run.
---@param path string
---@return true? done
---@return string? message
---@return string? code IO
function methods:csv(path)
  errors.check_self(self, Ensemble, "csv", "ensemble")
  return sheet.write("ensemble:csv", path, self.channels, self.runs, function(i)
    return self[i]
  end)
end

-- Making -----------------------------------------------------------------------------------------

local subjects = {
  ["sarrus.model"] = mechanism.system,
  ["sarrus.system"] = function(system) return system end,
  ["sarrus.dae"] = function(dae) return dae end,
}

--- The subject behind a model, a system or a DAE; nil for anything else.
local function subject_of(value)
  local meta = type(value) == "table" and getmetatable(value)
  local find = type(meta) == "table" and subjects[rawget(meta, "__name")]
  return find and find(value)
end

--- A simulation at the start of a run.  Nobody hears its warnings: a model does not look for them.
local function start_run(value, start)
  if getmetatable(value).__name ~= "sarrus.model" then
    return value:started(start, true)
  end
  value.frozen = true
  local sim, message, code = mechanism.started(value, start, true)
  return sim, message, code
end

local function positive(value, path, fault)
  local number = fields.number(value, path, fault)
  if number and number <= 0 then
    fault(path .. ": " .. errors.show(number) .. " is not positive")
  end
  return number
end

--- Events that end a run; those that do more are given by `vary`.
local function events(value, path, fault)
  local list = event.list(value, path, fault)
  for i, one in ipairs(list or {}) do
    if one.action then
      fault(("%s[%d]: %s has an action, which all runs would share; let vary give it"):format(
        path, i, one.what))
    end
  end
  return list
end

--- What `sarrus.ensemble` takes, and the names of what it hands on to `simulate`.
local function specification(subject)
  local list = {
    { 1, fields.any, required = true },
    { "runs", fields.integer(1, 2 ^ 28), required = true },
    { "vary", fields.callable, required = true },
    { "t_end", fields.number, required = true },
    { "channels", engine.channels(subject, reserved) },
    { "every", positive },
    { "threads", fields.integer(1, 1024), default = core.processors() },
    { "events", events },
  }
  local handed = { "events" }
  for _, option in ipairs(sims.options) do
    list[#list + 1] = { option[1], option[2] }
    handed[#handed + 1] = option[1]
  end
  return list, handed
end

local function check(given)
  if type(given) ~= "table" then
    errors.raise("ensemble: " .. errors.got(given) .. ", want a table")
  end
  local subject = subject_of(given[1])
  if not subject then
    errors.raise(("ensemble: %s, want a model or a system first: { model, runs = … }"):format(
      errors.got(given[1])))
  end
  local what = "ensemble of " .. subject.what
  local list, handed = specification(subject)
  local checked = fields.check(list, given, what)
  checked.channels = checked.channels
    or engine.channels(subject, reserved)(engine.default_channels(subject), "channels",
      errors.raise)
  local options = {}
  for _, name in ipairs(handed) do
    options[name] = given[name]
  end
  return checked, options, what
end

--- What a script gave for run i, with the options that all have, and whether it asks the script;
--- raises where the callback fails.
local function given_for(vary, options, what, i)
  local good, start = core.call(vary, i)
  if not good then
    error({ message = ("%s: vary(%d): %s"):format(what, i, tostring(start)) }, 0)
  elseif type(start) ~= "table" then
    errors.raise(("%s: vary(%d): %s, want the start of the run, a table"):format(what, i,
      errors.got(start)))
  end
  local merged = {}
  for name, value in pairs(options) do
    merged[name] = value
  end
  for name, value in pairs(start) do
    merged[name] = value
  end
  return merged, start.events ~= nil or start.controllers ~= nil
end

--- Runs of a model or a system from starts that `vary(i)` gives: each as it would be alone, with
--- the same digits, several at a time.
---@param given { [1]: sarrus.Model|sarrus.System|sarrus.Dae, runs: integer, vary: (fun(i: integer): table), t_end: number, channels?: string[], every?: number, threads?: integer, events?: sarrus.Event[], tolerance?: number, order?: integer, step?: number, max_step?: number, max_steps?: integer, method?: "auto"|"series"|"stiff", scale?: number, t?: number, strict?: boolean }
---@return sarrus.Ensemble? ensemble
---@return string? message
---@return string? code CALLBACK: `vary` failed; CANCELLED
local function new(given)
  local checked, options, what = check(given)
  local runs = engine.new(checked)
  local index, labels = {}, { "t", "code", "message" }
  for i, one in ipairs(runs.channels) do
    index[one.label], labels[#labels + 1] = i, one.label
  end
  local good, whole = pcall(runs.run, runs, function(i)
    local start, asks = given_for(checked.vary, options, what, i)
    local sim, message, code = start_run(given[1], start)
    return sim, message, code, asks
  end)
  if not good and type(whole) == "table" then
    return nil, whole.message, "CALLBACK"
  elseif not good then
    error(whole, 0)
  elseif not whole then
    return nil, what .. ": interrupted", "CANCELLED"
  end
  return setmetatable({
    runs = checked.runs, channels = runs.channels,
    own = { what = given[1].what, engine = runs, index = index, labels = labels,
      read = setmetatable({}, { __mode = "v" }) },
  }, Ensemble)
end

return { new = new }
