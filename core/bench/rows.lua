-- Reading rows: for each problem and program the settings with their errors and times, the least
-- of all runs.
local rows = {}

rows.problems = { "squeezer", "robot", "chain-1", "chain-10", "chain-100", "chain-1000",
  "chain-10000", "four-bar", "arm", "stewart" }
rows.programs = { "sarrus", "yardstick", "GSL", "SUNDIALS", "MuJoCo", "Simbody", "Bullet", "DART",
  "ODE" }

--- { [problem] = { [program] = { { setting, ms, error, steps }, … } } }, and the notes.
function rows.read(path)
  local all, notes, index = {}, {}, {}
  for line in io.lines(path) do
    local problem, program, setting, ms, err, steps =
      line:match("^([^|]+)|([^|]+)|([^|]+)|([^|]+)|([^|]+)|([^|]+)$")
    if problem then
      local key = table.concat({ problem, program, setting, err }, "|")
      local entry = index[key]
      if not entry then
        entry = { setting = setting, ms = tonumber(ms), error = tonumber(err),
          steps = tonumber(steps) }
        index[key] = entry
        all[problem] = all[problem] or {}
        all[problem][program] = all[problem][program] or {}
        table.insert(all[problem][program], entry)
      end
      entry.ms = math.min(entry.ms, tonumber(ms))
    elseif line:match("^note|") then
      notes[#notes + 1] = line:match("|(.*)")
    end
  end
  return all, notes
end

--- The fastest setting that reaches the error, of those that `accepts` takes.
function rows.best(all, problem, program, wanted, accepts)
  local best
  for _, entry in ipairs((all[problem] or {})[program] or {}) do
    if entry.error <= wanted and (not best or entry.ms < best.ms)
      and (not accepts or accepts(entry)) then
      best = entry
    end
  end
  return best
end

return rows
