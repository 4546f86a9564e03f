-- lua5.4 core/bench/table.lua rows.txt: one table of CPU ms for equal error, and the bounds that
-- must hold.
local rows = dofile "core/bench/rows.lua"
local all, notes = rows.read(arg[1])

local function short(ms)
  return ms < 0.1 and ("%.4f"):format(ms) or ms < 10 and ("%.3f"):format(ms) or ("%.0f"):format(ms)
end

local function put(...)
  local cells = { ... }
  io.write(("%-12s %6s"):format(cells[1], cells[2]))
  for i = 3, #cells do
    io.write((" %14s"):format(cells[i]))
  end
  io.write("\n")
end

-- Times -------------------------------------------------------------------------------------------

local function put_times(problem, wanted)
  local own = rows.best(all, problem, "sarrus", wanted)
  local chosen = rows.best(all, problem, "sarrus", wanted, rows.automatic)
  local cells = { problem, ("%.0e"):format(wanted), own and short(own.ms) or "-",
    chosen and short(chosen.ms) or "-" }
  for i = 2, #rows.programs do
    local best = rows.best(all, problem, rows.programs[i], wanted)
    cells[#cells + 1] = best and ("%s (%s)"):format(short(best.ms),
      own and ("%.3g"):format(best.ms / own.ms) or "-")
      or all[problem][rows.programs[i]] and "-" or ""
  end
  put(table.unpack(cells))
end

--- How close each comes to a problem with contact, and after how many ms.
local function put_least(problem)
  local cells = { problem, "least" }
  for i, program in ipairs(rows.programs) do
    local closest = rows.closest(all, problem, program)
    cells[#cells + 1] = closest and ("%.1e (%s)"):format(closest.error, short(closest.ms)) or ""
    if i == 1 then
      cells[#cells + 1] = "" -- of the order chosen
    end
  end
  put(table.unpack(cells))
end

print("CPU ms of one thread for equal error, best setting of each; in brackets: ratio to sarrus.")
print("Errors are relative for squeezer and robot, metres for the others; '-': not reached")
print("before round-off, or within a few seconds; 'least': the least error there is (and when).")
put("problem", "error", "sarrus", "order chosen", table.unpack(rows.programs, 2))
for _, problem in ipairs(rows.problems) do
  for _, wanted in ipairs(all[problem] and rows.errors(problem) or {}) do
    put_times(problem, wanted)
  end
  if all[problem] and rows.touches(problem) then
    put_least(problem)
  end
end

print()
for _, note in ipairs(notes) do
  print(note)
end

-- Bounds ------------------------------------------------------------------------------------------

local engines = { "MuJoCo", "Simbody", "Bullet", "DART", "ODE" }

--- The best time of several programs, or nil.
local function best_of(problem, programs, wanted)
  local best, who
  for _, program in ipairs(programs) do
    local entry = rows.best(all, problem, program, wanted)
    if entry and (not best or entry.ms < best) then
      best, who = entry.ms, program
    end
  end
  return best, who
end

local function ran(problem, programs)
  for _, program in ipairs(programs) do
    if (all[problem] or {})[program] then
      return true
    end
  end
  return false
end

--- time of the peers / time of sarrus >= bound
local function bound(item, problem, wanted, programs, at_least)
  local own = rows.best(all, problem, "sarrus", wanted)
  local peer, who = best_of(problem, programs, wanted)
  local text = ("%d  %-11s %.0e  %-32s"):format(item, problem, wanted, table.concat(programs, " "))
  if not ran(problem, programs) or not ran(problem, { "sarrus" }) then
    print(text .. " not run")
  elseif not own then
    print(text .. " sarrus does not reach it")
  elseif not peer then
    print(text .. " none reaches it")
  else
    local ratio = peer / own.ms
    print(("%s %7.3g times the time of sarrus (%s), bound %.3g: %s"):format(text, ratio, who,
      at_least, ratio >= at_least and "met" or ("missed by %.3g"):format(at_least / ratio)))
  end
end

print()
print("What must hold:")
for _, wanted in ipairs { 1e-9, 1e-11 } do
  bound(1, "squeezer", wanted, { "SUNDIALS" }, 3)
  bound(1, "squeezer", wanted, { "GSL" }, wanted == 1e-9 and 1 / 1.15 or 1)
  bound(1, "squeezer", wanted, { "yardstick" }, 1 / 3)
end
bound(2, "robot", 1e-9, { "yardstick" }, 1 / 3)
bound(3, "chain-10", 1e-9, engines, 35)
bound(3, "chain-10", 1e-9, { "yardstick" }, 1 / 4)
bound(3, "chain-1000", 1e-9, engines, 20)
bound(4, "four-bar", 1e-6, engines, 100)
bound(5, "arm", 1e-9, { "MuJoCo" }, 10)
bound(5, "arm", 1e-9, { "Simbody" }, 5)
bound(5, "stewart", 1e-9, { "MuJoCo" }, 5)
bound(5, "stewart", 1e-9, { "Simbody" }, 5)
for _, panel in ipairs(rows.stiff_panels) do
  for _, wanted in ipairs(rows.stiff_errors) do
    if wanted <= 1e-6 then
      bound(7, panel[1], wanted, { "SUNDIALS", "Simbody" }, 1)
    end
  end
end

--- The times that a note tells, in us.
local function at_most(item, what, most)
  for _, note in ipairs(notes) do
    for us, which in (note:match("^" .. what .. ":(.*)") or ""):gmatch("([%d.]+) us([%a ]*)") do
      print(("%d  %s: %s us%s, bound %g us: %s"):format(item, what, us, which, most,
        tonumber(us) <= most and "met" or ("missed by %.3g"):format(us / most)))
    end
  end
end

at_most(6, "a bounce of a ball, in C", 20)
at_most(6, "a frame of ten boxes at rest", 1000)
