-- lua5.4 core/bench/plot.lua rows.txt plot.svg [contact | stiff]: work and precision, one panel per
-- problem.
local rows = dofile "core/bench/rows.lua"
local all = rows.read(arg[1])

local PANELS = rows[arg[3] and arg[3] .. "_panels" or "panels"]
local COLUMNS = arg[3] == "contact" and 4 or 3
local WIDTH, HEIGHT = 900 / COLUMNS, 240
local LEFT, TOP, RIGHT, BOTTOM = 52, 28, 18, 42
local out = {}

local function put(format, ...)
  out[#out + 1] = format:format(...)
end

local function log10(x) return math.log(x) / math.log(10) end

--- The points of a program's curve; below 1e-14 all are the same.
local function curve(problem, program)
  local points = rows.colors[program] and rows.front(all, problem, program) or {}
  for i, entry in ipairs(points) do
    points[i] = { error = math.max(entry.error, 1e-14), ms = entry.ms }
  end
  return points
end

local function range(problem)
  local low, high = math.huge, -math.huge
  for _, program in ipairs(rows.programs) do
    for _, entry in ipairs(curve(problem, program)) do
      low, high = math.min(low, log10(entry.ms)), math.max(high, log10(entry.ms))
    end
  end
  return math.floor(low), math.ceil(high)
end

local function text(x, y, size, anchor, color, words)
  put('<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s">%s</text>', x, y,
    size, anchor, color, words)
end

--- Words that read upwards, in the middle of (x, y).
local function upwards(x, y, size, color, words)
  put('<text transform="translate(%.1f %.1f) rotate(-90)" font-size="%d" text-anchor="middle" '
    .. 'fill="%s">%s</text>', x, y, size, color, words)
end

local function panel(index, problem, title, unit)
  local x0 = (index - 1) % COLUMNS * WIDTH + LEFT
  local y0 = math.floor((index - 1) / COLUMNS) * HEIGHT + TOP
  local width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
  local low, high = range(problem)
  local function x(err) return x0 + width * (-1 - log10(err)) / 13 end
  local function y(ms) return y0 + height * (high - log10(ms)) / (high - low) end
  text(x0 + width / 2, y0 - 9, 12, "middle", "#222", title)
  put('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#fff" stroke="#bbb"/>', x0, y0,
    width, height)
  for decade = low, high do
    local at = y(10 ^ decade)
    put('<path d="M%.1f %.1fh%.1f" stroke="#e8e8e8"/>', x0, at, width)
    text(x0 - 4, at + 3, 9, "end", "#555", ("%g"):format(10 ^ decade))
  end
  for decade = -14, -2, 3 do
    local at = x(10.0 ^ decade)
    put('<path d="M%.1f %.1fv%.1f" stroke="#e8e8e8"/>', at, y0, height)
    text(at, y0 + height + 12, 9, "middle", "#555", ("1e%d"):format(decade))
  end
  text(x0 + width / 2, y0 + height + 25, 10, "middle", "#555", unit)
  upwards(x0 - 38, y0 + height / 2, 10, "#555", "CPU time, ms")
  for _, program in ipairs(rows.programs) do
    local points = {}
    for _, entry in ipairs(curve(problem, program)) do
      points[#points + 1] = ("%.1f,%.1f"):format(x(entry.error), y(entry.ms))
    end
    if #points == 1 then
      local entry = curve(problem, program)[1]
      put('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>', x(entry.error), y(entry.ms),
        rows.colors[program])
    elseif #points > 0 then
      put('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g"/>',
        table.concat(points, " "), rows.colors[program], program == "sarrus" and 2.4 or 1.3)
    end
  end
end

local function shown(program)
  for _, p in ipairs(PANELS) do
    if #curve(p[1], program) > 0 then
      return true
    end
  end
  return false
end

local function legend(y)
  local x = LEFT
  for _, program in ipairs(rows.programs) do
    if shown(program) then
      put('<path d="M%.1f %dh18" stroke="%s" stroke-width="%g"/>', x, y, rows.colors[program],
        program == "sarrus" and 2.4 or 1.3)
      text(x + 23, y + 4, 11, "start", "#222", program)
      x = x + 34 + 6.5 * #program
    end
  end
  text(COLUMNS * WIDTH - RIGHT, y + 4, 10, "end", "#555",
    "lower is faster, further right more exact")
end

local height = math.ceil(#PANELS / COLUMNS) * HEIGHT + 24
put('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">',
  COLUMNS * WIDTH, height)
put('<rect width="100%%" height="100%%" fill="#fff"/>')
for i, p in ipairs(PANELS) do
  if all[p[1]] then
    panel(i, p[1], p[2], p[1] == "squeezer" and "relative error" or "error, m")
  end
end
legend(height - 14)
put("</svg>")

local file = assert(io.open(arg[2], "w"))
file:write(table.concat(out, "\n"), "\n")
file:close()
