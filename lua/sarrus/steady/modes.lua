--- Modes: the motions about an equilibrium, or about a steady motion, of which every other small
--- one is a sum.

local errors = require "sarrus.base.errors"
local file = require "sarrus.base.file"
local later = require "sarrus.base.later"
local results = require "sarrus.base.result"
local page = later "sarrus.steady.page"

---@class sarrus.Mode
---@field frequency number in Hz, of the same mode without its damping; 0 where nothing oscillates
---@field damping number ratio: 1 and more do not oscillate, below 0 it grows
---@field eigenvalue { re: number, im: number } in 1/s, im >= 0
---@field shape table<string, number> what the coordinates do, 1 the largest (lengths count relative to the size of the model)
---@field quadrature table<string, number> a quarter of a period before: Re((shape + i quadrature) e^(eigenvalue t))
---@field most string? the coordinate that is 1

local new_mode = results.kind("a mode",
  { "frequency", "damping", "eigenvalue", "shape", "quadrature", "most" })

-- What coordinates of the core do in a mode, { re =, im = }, and its place among equal ones.
local displacements, places = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

---@class sarrus.Modes
---@field [integer] sarrus.Mode
---@field state sarrus.ModelState about which they are
local Modes = { __name = "sarrus.modes" }
Modes.__index = Modes

local modes = {}

--- Frequency and damping ratio of an eigenvalue.
local function measures(re, im)
  local size = math.sqrt(re * re + im * im)
  if im == 0 then
    return 0, re == 0 and 0 or re < 0 and 1 or -1
  end
  return size / (2 * math.pi), re == 0 and 0 or -re / size
end

--- The phase at which the largest component is real, and that component.
local function leading(list)
  local most, best = 0, nil
  for _, one in ipairs(list) do
    local size = one.re * one.re + one.im * one.im
    if size > most * (1 + 1e-9) then -- of equally large ones the first
      most, best = size, one
    end
  end
  return best
end

--- x / z, of complex numbers.
local function ratio(re, im, z)
  local size = z.re * z.re + z.im * z.im
  return (re * z.re + im * z.im) / size, (im * z.re - re * z.im) / size
end

--- A mode from an eigenvalue, what each coordinate does, relative to scale, and the displacement of
--- positions, real and imaginary.
---@param pair { [1]: number, [2]: number }
---@param seen { name: string, scale: number, re: number, im: number }[]
---@param d { re: number[], im: number[] }
---@return sarrus.Mode
function modes.mode(pair, seen, d)
  local scaled = {}
  for i, one in ipairs(seen) do
    scaled[i] = { re = one.re / one.scale, im = one.im / one.scale, own = one }
  end
  local lead, shape, quadrature = leading(scaled), {}, {}
  local z = lead and lead.own or { re = 1, im = 0 }
  for _, one in ipairs(seen) do
    shape[one.name], quadrature[one.name] = ratio(one.re, one.im, z)
  end
  local displacement = { re = {}, im = {} }
  for i = 1, #d.re do
    displacement.re[i], displacement.im[i] = ratio(d.re[i], d.im[i], z)
  end
  local frequency, damping = measures(pair[1], pair[2])
  local mode = new_mode {
    frequency = frequency, damping = damping,
    eigenvalue = { pair[1], pair[2], re = pair[1], im = pair[2] },
    shape = shape, quadrature = quadrature, most = lead and lead.own.name,
  }
  displacements[mode] = displacement
  return mode
end

--- What the core's coordinates do in a mode.
---@param mode sarrus.Mode
---@return { re: number[], im: number[] }
function modes.displacement(mode)
  return displacements[mode]
end

--- The list of modes: by frequency, those that do not oscillate first, the fastest growing before.
---@param s sarrus.ModelState
---@param list sarrus.Mode[]
---@return sarrus.Modes
function modes.new(s, list)
  for i, mode in ipairs(list) do
    places[mode] = i
  end
  table.sort(list, function(a, b)
    if a.frequency ~= b.frequency then
      return a.frequency < b.frequency
    elseif a.eigenvalue.re ~= b.eigenvalue.re then
      return a.eigenvalue.re > b.eigenvalue.re
    end
    return places[a] < places[b]
  end)
  list.state = s
  return setmetatable(list, Modes)
end

--- A line for each mode.
function Modes:__tostring()
  local lines = { ("modes of %s at t = %s"):format(self.state.model.what,
    errors.show(self.state.t)) }
  for i, mode in ipairs(self) do
    lines[i + 1] = ("  %d  %.6g Hz, damping %.4g, most of all %s"):format(i, mode.frequency,
      mode.damping, tostring(mode.most))
  end
  return table.concat(lines, "\n")
end

--- Write a page that shows each mode moving in a browser: one file that needs nothing else.
---@param path string
---@param given? { title?: string, amplitude?: number }
---@return true? done
---@return string? message
---@return string? code IO
function Modes:html(path, given)
  errors.check_self(self, Modes, "html", "modes")
  local text = page.of(self, given)
  return file.write("modes:html", path, text)
end

return modes
