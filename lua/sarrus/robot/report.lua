--- What is to be said of a file, by line: faults, for which it is refused, and notes, what was
--- ignored or changed.

local report = {}

local MOST = 20 -- faults in one message

---@class sarrus.RobotReport
---@field faults table[]
---@field notes table[]
local Report = {}
Report.__index = Report

---@return sarrus.RobotReport
function report.new()
  return setmetatable({ faults = {}, notes = {}, count = 0 }, Report)
end

local function put(self, list, element, message)
  self.count = self.count + 1
  list[#list + 1] = {
    file = element.file, line = element.line, order = self.count,
    text = ("%s:%d: %s"):format(element.file, element.line, message),
  }
end

--- Something for which the file is refused.
---@param element { file: string, line: integer }
---@param message string
function Report:fault(element, message)
  put(self, self.faults, element, message)
end

--- Something that was ignored or changed.
---@param element { file: string, line: integer }
---@param message string
function Report:note(element, message)
  put(self, self.notes, element, message)
end

--- The texts of a list in the order of the lines.
local function sorted(list)
  table.sort(list, function(a, b)
    if a.file ~= b.file then
      return a.file < b.file
    elseif a.line ~= b.line then
      return a.line < b.line
    end
    return a.order < b.order
  end)
  local texts = {}
  for i, one in ipairs(list) do
    texts[i] = one.text
  end
  return texts
end

---@return string[]
function Report:note_lines()
  return sorted(self.notes)
end

--- All faults in one message; nil if there are none.
---@return string?
function Report:message()
  local lines = sorted(self.faults)
  local more = #lines - MOST
  for i = #lines, MOST + 1, -1 do
    lines[i] = nil
  end
  if more > 0 then
    lines[#lines + 1] = ("and %d more"):format(more)
  end
  return #lines > 0 and table.concat(lines, "\n") or nil
end

return report
