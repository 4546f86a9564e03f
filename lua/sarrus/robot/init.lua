--- Robots from files: `sarrus.import "arm.urdf"` is a list of parts for a model.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local items = require "sarrus.robot.items"
local loops = require "sarrus.robot.loops"
local parts = require "sarrus.robot.parts"
local reports = require "sarrus.robot.report"
local xml = require "sarrus.robot.xml"

local robot = {}

---@class sarrus.ImportOptions
---@field contacts boolean|{ friction?: number, restitution?: number }|nil shapes touch; default false
---@field floating boolean? the root of a URDF moves freely; default it is fixed to the ground
---@field fuse boolean? links fixed to each other become one body; default true
---@field loops table[]? joints that close loops: { "name", "link a", "link b", type =, at =, … }

---@class sarrus.ImportedParts
---@field [integer] sarrus.Part
---@field name string of the robot
---@field gravity number[] of the file; of a URDF {0, 0, -9.81}
---@field notes string[] what was ignored or changed, by line
---@field frames table<string, { body: string, position: number[], orientation: number[] }> links, and sites of MJCF, in the drawing

-- The readers, by the root element of the file.
local READERS = { robot = "sarrus.robot.urdf", mujoco = "sarrus.robot.mjcf" }

local law = fields.record { { "friction", fields.number }, { "restitution", fields.number } }

local function contacts(value, path, fault)
  if type(value) == "boolean" then
    return value and {} or false
  elseif type(value) == "table" then
    return law(value, path, fault)
  end
  return fault(path .. ": " .. errors.got(value) .. ", want true, false or { friction = … }")
end

local function check(path, options)
  if type(path) ~= "string" then
    errors.raise("import: " .. errors.got(path) .. ", want the path of a URDF or MJCF file")
  end
  return fields.check({
    { "contacts", contacts, default = false },
    { "floating", fields.boolean, default = false },
    { "fuse", fields.boolean, default = true },
    { "loops", fields.list(fields.any), default = {} },
  }, options == nil and {} or options, "import")
end

local function reader_of(root)
  local name = READERS[root.name]
  if not name then
    root:fault(("%s: want <robot> of a URDF or <mujoco> of an MJCF file"):format(root:title()))
    return nil
  end
  return require(name)
end

--- What a file describes, as items; nil, message, code.
---@param path string
---@param options? sarrus.ImportOptions
---@return table? result
---@return string? message
---@return string? code
function robot.read(path, options)
  local checked, report = check(path, options), reports.new()
  local root, message, code = xml.read(path, report)
  if not root then
    return nil, message, code
  end
  local reader = reader_of(root)
  local found = reader and reader.read(root, checked)
  local result
  if found and not report:message() then
    loops.put(found, checked.loops)
    result = items.of(found, checked)
  end
  if report:message() then
    return nil, report:message(), "FORMAT"
  end
  xml.leftovers(root, reader.REASONS)
  result.notes, result.path = report:note_lines(), path
  return result
end

--- Read a URDF or MJCF file into a list of parts that a model takes among its others.
---@param path string
---@param options? sarrus.ImportOptions
---@return sarrus.ImportedParts? parts
---@return string? message
---@return string? code IO, FORMAT or LIMIT
function robot.import(path, options)
  local result, message, code = robot.read(path, options)
  if not result then
    return nil, message, code
  end
  return parts.of(result)
end

return robot
