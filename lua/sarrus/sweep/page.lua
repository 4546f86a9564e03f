--- The page of a sweep: parallel coordinates and a map over its values, and the runs moving.
---
--- The template beside this file carries the rows, the pages of some runs, and the page that these
--- fill (output/page.html), once.

local core = require "sarrus.core"
local file = require "sarrus.base.file"
local json = require "sarrus.output.json"
local pages = require "sarrus.output.page"
local svg = require "sarrus.output.svg"

local page = {}

-- Runs that are shown moving, at most, evenly among all; instants of each.
local MOVIES, FRAMES = 150, 150

-- Where this file is, as the source of its functions is named.
local folder = debug.getinfo(1, "S").source:match("^@(.*[/\\])[^/\\]*$") or ""

--- The fields of a row: its numbers, then code and message.
local function fields_of(row, numbers)
  local list, at = {}, 1
  for i = 1, numbers do
    local text, behind = row:match("^([^,]*),()", at)
    list[i], at = tonumber(text) or 0 / 0, behind
  end
  local code, message = row:match("^([^,]*),(.*)\n$", at)
  return list, code, (message:gsub('^"(.*)"$', "%1"):gsub('""', '"'))
end

--- The motion of a run for its page; nil where it does not even start.
local function movie(sweep, run)
  local sim = sweep:simulation(run)
  if not sim then
    return nil
  end
  local length, labels = math.abs(sweep.t_end - sim.time), {}
  for i, one in ipairs(sweep.channels) do
    labels[i] = one.label
  end
  local recording = sim:record { every = length > 0 and length / FRAMES or 1, channels = labels }
  sim:advance(sweep.t_end) -- as far as it comes
  local values = pages.values(recording, { title = ("run %d"):format(run) })
  sim:close()
  return values.data
end

--- The runs that are shown moving.
local function chosen(runs)
  local list, count = {}, math.min(#runs, MOVIES)
  for k = 1, count do
    list[k] = runs[count > 1 and math.floor((k - 1) * (#runs - 1) / (count - 1) + 1.5) or 1]
  end
  return list
end

--- All that the page has to know.
local function data_of(sweep, runs, rows)
  local names, columns, failed = { "run" }, {}, {}
  for _, name in ipairs(sweep.axes.names) do
    names[#names + 1] = name
  end
  local parameters = #names - 1
  names[#names + 1] = "t [s]"
  for _, one in ipairs(sweep.channels) do
    names[#names + 1] = one.unit == "" and one.label or ("%s [%s]"):format(one.label, one.unit)
  end
  for k in ipairs(names) do
    columns[k] = {}
  end
  for i, run in ipairs(runs) do
    local numbers, code, message = fields_of(rows[run], #names)
    for k, x in ipairs(numbers) do
      columns[k][i] = x
    end
    if code ~= "" then
      failed[#failed + 1] = { row = i - 1, code = code, message = message }
    end
  end
  return { title = sweep.subject.name, names = names, parameters = parameters, rows = #runs,
    values = core.base64(columns, 8), failed = failed }
end

--- Write the page of a sweep.
---@param path string
---@param sweep sarrus.Sweep
---@param runs integer[] in order
---@param rows table<integer, string> their rows
---@return true? done
---@return string? message
---@return string? code IO
function page.write(path, sweep, runs, rows)
  local movies = {}
  for _, run in ipairs(chosen(runs)) do
    local data = movie(sweep, run)
    movies[#movies + 1] = data and ('"%d":%s'):format(run, json.string(data)) or nil
  end
  local source = assert(io.open(folder .. "page.html", "rb"))
  local template = source:read("*a")
  source:close()
  local values = {
    title = svg.escape(sweep.subject.name),
    data = json.encode(data_of(sweep, runs, rows)),
    movies = "{" .. table.concat(movies, ",") .. "}",
    player = json.string(pages.template()),
  }
  return file.write("--html", path, (template:gsub("{{(%a+)}}", values)))
end

return page
