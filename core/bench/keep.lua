-- lua5.4 core/bench/keep.lua <all.txt >rows.txt: of rows, those that the table and the plot need.
local rows = dofile "core/bench/rows.lua"
local all, notes = rows.read()

local kept = {}
local function keep(entry)
  if entry and not kept[entry] then
    kept[entry] = true
    print(entry.line)
  end
end

for _, note in ipairs(notes) do
  print("note|" .. note)
end
for _, problem in ipairs(rows.problems) do
  for _, program in ipairs(rows.programs) do
    keep(rows.best(all, problem, program, math.huge)) -- it ran, if it reached nothing
    keep(rows.touches(problem) and rows.closest(all, problem, program))
    for _, wanted in ipairs(rows.errors(problem)) do
      keep(rows.best(all, problem, program, wanted))
      keep(program == "sarrus" and rows.best(all, problem, program, wanted, rows.automatic))
    end
  end
end
for _, panels in ipairs { rows.panels, rows.contact_panels, rows.stiff_panels } do
  for _, panel in ipairs(panels) do
    for _, program in ipairs(rows.programs) do
      for _, entry in ipairs(rows.colors[program] and rows.front(all, panel[1], program) or {}) do
        keep(entry)
      end
    end
  end
end
