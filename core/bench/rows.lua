-- Reading rows: for each problem and program the settings with their errors and times, the least
-- of all runs.
local rows = {}

rows.problems = { "squeezer", "robot", "chain-1", "chain-10", "chain-100", "chain-1000",
  "chain-10000", "four-bar", "arm", "stewart", "ball", "block", "rolling", "rocking", "spring",
  "springs", "gains", "bushing", "car" }
--- Those of the plots, with their titles.
rows.panels = {
  { "squeezer", "Andrews' squeezer, 0.03 s" }, { "chain-10", "chain of 10 rods, 1 s" },
  { "chain-1000", "chain of 1000 rods, 0.1 s" }, { "four-bar", "four-bar of spatial hinges, 10 s" },
  { "arm", "six-joint arm, 1 s" }, { "stewart", "Stewart platform, 1 s" },
}
rows.contact_panels = {
  { "ball", "bouncing ball, 4 s" }, { "block", "block, slides and sticks, 1 s" },
  { "rolling", "sphere, slides and rolls, 1 s" }, { "rocking", "rocking block, 2 s" },
}
rows.stiff_panels = {
  { "spring", "pendulum on a spring, 10 s" }, { "springs", "six masses on springs, 2.1 s" },
  { "gains", "two-link arm with gains, 4.5 s" }, { "bushing", "slider-crank, bushing, 5.2 s" },
  { "car", "quarter of a car, 2 s" },
}
rows.programs = { "sarrus", "yardstick", "GSL", "SUNDIALS", "MuJoCo", "Simbody", "Bullet", "DART",
  "ODE" }

--- Of the curves in the plot.
rows.colors = { sarrus = "#d62728", GSL = "#1f77b4", SUNDIALS = "#2ca02c", MuJoCo = "#9467bd",
  Simbody = "#ff7f0e", Bullet = "#8c564b", DART = "#e377c2", ODE = "#7f7f7f" }

local function is_among(panels, problem)
  for _, panel in ipairs(panels) do
    if panel[1] == problem then
      return true
    end
  end
  return false
end

--- Is it one with contact?
function rows.touches(problem) return is_among(rows.contact_panels, problem) end

--- The errors of stiff problems in the table.
rows.stiff_errors = { 1e-4, 1e-6, 1e-8, 1e-10 }

--- The errors of a problem in the table.
function rows.errors(problem)
  if rows.touches(problem) then
    return { 1e-2, 1e-4, 1e-6, 1e-12 }
  elseif is_among(rows.stiff_panels, problem) then
    return rows.stiff_errors
  end
  local other = { squeezer = { 1e-7, 1e-9, 1e-11, 1e-13 }, robot = { 1e-7, 1e-9, 1e-13 },
    ["four-bar"] = { 1e-4, 1e-6, 1e-9 } }
  return other[problem] or { 1e-6, 1e-9, 1e-12 }
end

--- { [problem] = { [program] = { { setting, ms, error, line }, … } } }, and the notes; without a
--- path from the standard input.
function rows.read(path)
  local all, notes, index = {}, {}, {}
  for line in io.lines(path) do
    local problem, program, setting, ms, err =
      line:match("^([^|]+)|([^|]+)|([^|]+)|([^|]+)|([^|]+)|[^|]+$")
    if problem then
      local key = table.concat({ problem, program, setting, err }, "|")
      local entry = index[key]
      if not entry then
        entry = { setting = setting, ms = math.huge, error = tonumber(err) }
        index[key] = entry
        all[problem] = all[problem] or {}
        all[problem][program] = all[problem][program] or {}
        table.insert(all[problem][program], entry)
      end
      if tonumber(ms) < entry.ms then
        entry.ms, entry.line = tonumber(ms), line
      end
    elseif line:match("^note|") then
      notes[#notes + 1] = line:match("|(.*)")
    end
  end
  return all, notes
end

--- Settings of sarrus that leave the order to it.
function rows.automatic(entry) return entry.setting:match("^tolerance") end

--- The settings of a program that no other beats, by error, from 0.1 to 1e-14.
function rows.front(all, problem, program)
  local sorted, kept, best = {}, {}, math.huge
  for _, entry in ipairs((all[problem] or {})[program] or {}) do
    if entry.error < 1e-1 then
      sorted[#sorted + 1] = entry
    end
  end
  table.sort(sorted, function(a, b)
    local p, q = math.max(a.error, 1e-14), math.max(b.error, 1e-14)
    return p < q or p == q and a.ms < b.ms
  end)
  for _, entry in ipairs(sorted) do
    if entry.ms < best then
      best = entry.ms
      kept[#kept + 1] = entry
    end
  end
  return kept
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

--- The setting with the least error.
function rows.closest(all, problem, program)
  local closest
  for _, entry in ipairs((all[problem] or {})[program] or {}) do
    if not closest or entry.error < closest.error
      or entry.error == closest.error and entry.ms < closest.ms then
      closest = entry
    end
  end
  return closest
end

return rows
