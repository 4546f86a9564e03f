--- `sarrus linearise`: the linear model about an equilibrium or a steady motion.

local eigenvalues = require "sarrus.command.eigenvalues"
local json = require "sarrus.output.json"
local options = require "sarrus.command.options"
local script = require "sarrus.command.script"
local simulation = require "sarrus.command.simulation"
local warnings = require "sarrus.command.warnings"

local linearise = {
  summary = "print the linear model of small motions, and its eigenvalues",
  usage = "sarrus linearise script.lua [options] [-- arguments of the script]",
  about = [[
Prints A, B, C and D of x' = A x + B u, y = C x + D u: of a model about the equilibrium that is
found from the drawing, of a simulation about the state in which the script leaves it.]],
  words = 1,
  options = {
    { "here", nil, "of a model: about the drawing itself" },
    { "set", "name=value", "give a parameter another value; may be repeated",
      kind = options.assignment, list = true },
    { "inputs", "a,b", "parameters that drive it", kind = options.words },
    { "outputs", "a,b", "channels that are measured, as J1.angle,C.force.x", kind = options.words },
    { "json", nil, "print all as JSON" },
  },
  examples = {
    "sarrus linearise crane.lua",
    "sarrus linearise crane.lua --inputs load --outputs hoist.force.y",
    "sarrus linearise bicycle.lua --json",
  },
}

--- A matrix with names of its rows, a line each.
local function matrix(name, rows, labels, lines)
  if #rows == 0 or #rows[1] == 0 then
    return
  end
  lines[#lines + 1] = name
  for i, row in ipairs(rows) do
    local texts = {}
    for j, x in ipairs(row) do
      texts[j] = ("%14.7g"):format(x)
    end
    lines[#lines + 1] = ("%s  %s"):format(table.concat(texts), labels[i])
  end
end

local function describe(linear)
  local lines = { "states: " .. table.concat(linear.states, ", ") }
  matrix("A", linear.A, linear.states, lines)
  matrix("B", linear.B, linear.states, lines)
  matrix("C", linear.C, linear.outputs, lines)
  matrix("D", linear.D, linear.outputs, lines)
  lines[#lines + 1] = "eigenvalues, 1/s"
  for _, line in ipairs(eigenvalues(linear.eigenvalues)) do
    lines[#lines + 1] = line
  end
  if not linear.steady then
    lines[#lines + 1] = "it does not stay in this state: eigenvalues tell of its next moments alone"
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Numbers and names, as JSON takes them.
local function plain(linear)
  local values = {}
  for i, value in ipairs(linear.eigenvalues) do
    values[i] = { value.re, value.im }
  end
  return {
    A = linear.A, B = linear.B, C = linear.C, D = linear.D, states = linear.states,
    inputs = linear.inputs, outputs = linear.outputs, eigenvalues = values, steady = linear.steady,
  }
end

--- Where the model is to be linearised.
local function place(subject, values, model, sim)
  local s = sim:state()
  if script.kind(subject) == "simulation" or values.here then
    return s
  end
  local found, message, code = model:equilibrium(s)
  return found, message, code
end

--- What `linearise` says of wrong names, in terms of the command line.
local function in_words(message)
  return (("\n" .. message):gsub("\n[^\n]-: linearise: (%a+)%[%d+%]: ", "\n--%1: "):sub(2))
end

function linearise.perform(subject, values)
  local sim, message, code = simulation(subject, values)
  if not sim then
    return code, message
  end
  local model = rawget(sim.system, "model")
  if not model then
    return 1, ("%s: only models can be linearised"):format(sim.system.what)
  end
  local s, why, failed = place(subject, values, model, sim)
  local good, linear = true, nil
  if s then
    good, linear, why, failed = pcall(model.linearise, model, { at = s, inputs = values.inputs,
      outputs = values.outputs })
  end
  if not good and script.exit_code(linear) == 1 then
    return "usage", in_words(tostring(linear))
  elseif not good then
    error(linear, 0)
  elseif not linear then
    return 1, ("%s [%s]"):format(why, failed)
  end
  warnings(model:warnings())
  io.stdout:write(values.json and json.encode(plain(linear)) .. "\n" or describe(linear))
  return 0
end

return linearise
