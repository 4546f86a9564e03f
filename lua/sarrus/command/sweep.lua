--- `sarrus sweep`: what a script returns, over many values of its parameters.

local axes = require "sarrus.sweep.axes"
local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local file = require "sarrus.base.file"
local journals = require "sarrus.sweep.journal"
local options = require "sarrus.command.options"
local page = require "sarrus.sweep.page"
local parts = require "sarrus.sweep.parts"
local progress = require "sarrus.command.progress"
local script = require "sarrus.command.script"
local share = require "sarrus.sweep.share"
local sweeps = require "sarrus.sweep"

local sweep = {
  summary = "simulate over many values of parameters, a row of a table for each",
  usage = "sarrus sweep script.lua --set name=values … --csv file [options] [-- arguments of the "
    .. "script]",
  about = [[
Simulates the model that the script returns for every combination of the values that are given,
and writes a table: the values, the end of the run, the channels there, and code and message
where a run fails.  Values are a list, a,b,c, a range, low:high:count, or low:high, of which
--samples draws; :log behind a range makes ratios equal.  start.J1.angle=… is where a joint
starts.  Rows are kept in a journal beside the table: the same command goes on where it was
ended.  With --part i/n it makes the i-th of n parts, which --merge puts together; under mpirun
the processes share the runs.]],
  words = math.huge,
  options = {
    { "set", "name=values", "what to go through; may be repeated", kind = axes.parse, list = true },
    { "until", "t", "simulate to this time [10 s from the start]", kind = options.number },
    { "channels", "a,b", "what is written, as J1.angle,C.force.x [coordinates and energy]; "
      .. "\\, is a comma", kind = options.words },
    { "csv", "file", "the table", kind = options.path },
    { "html", "file", "a page with the table, in which runs are seen moving", kind = options.path },
    { "jobs", "n", "threads [the processors there are]", kind = options.count(1, 1024),
      short = "j" },
    { "samples", "n", "points to draw for low:high", kind = options.count(1, 1e8) },
    { "seed", "n", "which points [1]", kind = options.count(0, 2 ^ 31 - 1) },
    { "tolerance", "x", "local error of a step [1e-12]", kind = options.tolerance },
    { "method", "m", "of steps: series, stiff, or auto, whichever is cheaper [auto]",
      kind = options.method },
    { "part", "i/n", "make the i-th of n parts", kind = axes.part },
    { "merge", "file", "put the parts that follow together into this table", kind = options.path },
    { "quiet", nil, "no progress and no summary" },
  },
  examples = {
    "sarrus sweep robot.lua --set damping=0:50:100 --until 5 --channels J1.angle --csv robot.csv",
    "sarrus sweep robot.lua --set k=1e3:1e6:7:log --set m=1,2,5 --csv robot.csv -j 8",
    "sarrus sweep robot.lua --set k=1e3:1e6:log --set m=1:5 --samples 1000 --csv robot.csv",
    "sarrus sweep robot.lua --set k=1:9:900 --csv part2.csv --part 2/4",
    "sarrus sweep --merge robot.csv part1.csv part2.csv part3.csv part4.csv",
    "mpirun -n 9 sarrus sweep robot.lua --set k=1:9:900 --csv robot.csv",
  },
}

local LENGTH = 10 -- seconds, where --until is not given

--- The script is run, unless there are only parts to be put together.
function sweep.open(path, arguments, values)
  if values.merge then
    return path
  end
  return script.run(path, arguments)
end

-- Merging ----------------------------------------------------------------------------------------

local function merge(values)
  for _, option in ipairs(sweep.options) do
    local name = option[1]
    if values[name] ~= nil and name ~= "merge" and name ~= "quiet" then
      return "usage", ("--%s does not go with --merge"):format(name)
    end
  end
  local paths = {}
  for i, path in ipairs(values) do
    paths[i] = path
  end
  local runs, message, code = parts.merge(values.merge, paths)
  if not runs then
    return 1, ("%s [%s]"):format(message, code)
  elseif not values.quiet then
    io.stdout:write(("%s: %s of %s\n"):format(values.merge, errors.count(runs, "row"),
      errors.count(#paths, "part")))
  end
  return 0
end

-- What is swept ----------------------------------------------------------------------------------

--- What makes rows other ones, in words: a journal belongs to these.
local function identity(values, subject_path, points)
  local source = io.open(subject_path, "rb")
  local text = source and source:read("*a") or ""
  if source then
    source:close()
  end
  local words = { require "sarrus"._VERSION, text, table.concat(values.arguments, "\n"),
    tostring(values["until"]), table.concat(values.channels or {}, "\n"),
    tostring(values.tolerance), tostring(values.method), tostring(values.seed),
    values.part and values.part.index .. "/" .. values.part.count or "", points:describe() }
  return table.concat(words, "\0")
end

--- The sweep that the options ask for; nil, message, code for the shell.
local function prepare(subject, values)
  local kind = script.kind(subject)
  if kind ~= "model" and kind ~= "simulation" then
    return nil, ("%s: the script returns %s, which does not say where it starts; end it with "
      .. "'return %s:simulate { … }'"):format(values[1], errors.article(kind), kind), 1
  elseif values[2] then
    return nil, ("unexpected %s; arguments of the script go after --"):format(
      errors.show(values[2])), "usage"
  elseif not values.set then
    return nil, "there is nothing to go through: give --set name=values", "usage"
  elseif not values.csv then
    return nil, "where do the rows go? give --csv file", "usage"
  end
  local points, message = axes.new(values.set, values.samples, values.seed)
  if not points then
    return nil, message, "usage"
  end
  local sim = kind == "simulation" and subject or nil
  for _, name in ipairs { "tolerance", "method" } do
    if sim and values[name] then
      return nil, ("--%s: the script returns a simulation, which has its own; return the model")
        :format(name), "usage"
    end
  end
  local new
  new, message = sweeps.new {
    model = not sim and subject or nil, sim = sim, axes = points,
    t_end = values["until"] or (sim and sim.time or 0) + LENGTH, channels = values.channels,
    threads = values.jobs or share.rank() and 1 or core.processors(),
    options = { tolerance = values.tolerance, method = values.method },
  }
  return new, message, "usage"
end

-- Progress ---------------------------------------------------------------------------------------

--- How many runs are done, instead of how far one is.
local function progress_of(done, count, quiet)
  if quiet or done >= count then
    return nil
  end
  local shown = progress.on_stderr(done, count)
  function shown:facts(runs, failed, now)
    local part, _, left = self:estimate(runs, now)
    return math.min(1, runs / count), {
      ("%3d %%"):format(math.floor(100 * runs / count)), ("%d of %d runs"):format(runs, count),
      part > 0 and left < 1e9 and progress.duration(left) .. " left" or "just begun",
      failed > 0 and ("%d failed"):format(failed) or nil,
    }
  end
  return shown
end

-- Running ----------------------------------------------------------------------------------------

--- The runs that are not in the journal yet.
local function remaining(list, journal)
  local left = {}
  for _, run in ipairs(list) do
    left[#left + 1] = not journal.rows[run] and run or nil
  end
  return left
end

--- Run what is left, each row into the journal; the signal that ended it, or a message and a code.
local function fill(work, left, journal, count, quiet)
  local done, failed = count - #left, 0
  local shown = progress_of(done, count, quiet)
  core.catch(true)
  local good, whole = pcall(work, left, function(run, row, has_failed)
    local kept, message, code = journal:add(run, row)
    if not kept then
      error({ message = ("%s [%s]"):format(message, code) }, 0)
    end
    done, failed = done + 1, failed + (has_failed and 1 or 0)
    if shown then
      shown:show(done, failed, core.seconds())
    end
  end)
  local signal = core.caught()
  core.catch(false)
  if shown then
    shown:finish()
  end
  if not good and type(whole) == "table" then
    return nil, whole.message
  elseif not good then
    error(whole, 0)
  end
  return whole, signal
end

--- The table from all rows.
local function write(path, header, list, journal)
  local lines, failed = { header }, 0
  for i, run in ipairs(list) do
    lines[i + 1] = journal.rows[run]
    failed = failed + (journal.rows[run]:find(",,\n$") and 0 or 1)
  end
  local done, message, code = file.write("sweep", path, table.concat(lines))
  return done and failed, message, code
end

--- Whether there is a table of another part where this one goes.
local function other_part(values, points)
  local there = values.part and parts.read(values.csv)
  local count, runs = points.count, values.part and axes.runs(points.count, values.part)
  local first = there and there.records[1] and tonumber(there.records[1]:match("^%d+"))
  if first and runs[1] and first ~= runs[1] and first <= count then
    return ("--csv %s is there and has other runs; give each part a table of its own"):format(
      values.csv)
  end
end

--- All rows of a sweep, by `work`, which runs a list of points.
local function produce(new, values, work)
  local points = new.axes
  local wrong = other_part(values, points)
  if wrong then
    return 1, wrong
  end
  local journal, message, code = journals.open(values.csv .. ".journal",
    identity(values, values[1], points))
  if not journal then
    return 1, ("%s [%s]"):format(message, code)
  end
  local list = axes.runs(points.count, values.part)
  local left = remaining(list, journal)
  local whole, why = fill(work, left, journal, #list, values.quiet)
  if not whole then
    journal:close()
    local known = #list - #remaining(list, journal)
    return type(why) == "number" and 128 + why or 1, type(why) == "string" and why
      or ("interrupted; %d of %d rows are in %s: the same command goes on"):format(known, #list,
        journal.path)
  end
  local header = values.part and parts.header(new.header, values.part, points.count) or new.header
  local failed
  failed, message, code = write(values.csv, header, list, journal)
  if not failed then
    journal:close()
    return 1, ("%s [%s]"):format(message, code)
  end
  if values.html then
    local done
    done, message, code = page.write(values.html, new, list, journal.rows)
    if not done then
      journal:close()
      return 1, ("%s [%s]"):format(message, code)
    end
  end
  journal:remove()
  if not values.quiet then
    io.stdout:write(("%s: %s%s%s\n"):format(values.csv, errors.count(#list, "row"),
      failed > 0 and (", %d of them of runs that failed"):format(failed) or "",
      #left < #list and (", %d of them made before"):format(#list - #left) or ""))
  end
  return 0
end

--- One of the processes that mpirun started: the first has the rows, the others run.
local function shared(new, values)
  local mpi, message = share.begin()
  if not mpi then
    return 1, message
  end
  local good, code, why = pcall(function()
    if share.rank() > 0 then
      return share.toil(mpi, function(list, told)
        return new:run(list, told)
      end) or 0
    end
    return produce(new, values, function(left, told)
      return share.serve(mpi, left, told)
    end)
  end)
  if not good then
    code, why = 1, tostring(code)
  end
  if not good or code > 128 then -- the others do not hear of it otherwise
    io.stderr:write("sarrus: ", why, "\n")
    mpi.abort(code)
  elseif share.rank() == 0 then
    share.finish(mpi)
  end
  return code, why
end

function sweep.perform(subject, values)
  if values.merge then
    return merge(values)
  end
  local new, message, code = prepare(subject, values)
  if not new then
    return code, message
  end
  if share.rank() then
    return shared(new, values)
  end
  return produce(new, values, function(left, told)
    return #left == 0 or new:run(left, told)
  end)
end

return sweep
