--- XML files as trees of elements, each with its file and line; by expat (the module lxp).
---
--- What hostile files are made of is refused: document types, which declare entities, great depth
--- and great size.  Elements remember which of their attributes and children were asked for;
--- `xml.leftovers` notes the others, so that nothing is ignored in silence.

local core = require "sarrus.core"
local element = require "sarrus.robot.element"

local xml = {}

local MOST_BYTES, MOST_ELEMENTS, MOST_DEPTH = 67108864, 200000, 500

--- The text of a file; nil, message, code.
local function text_of(path)
  local text, why, code = core.read_file(path, MOST_BYTES + 1)
  if not text then
    return nil, path .. ": " .. why, code
  elseif text == "" then
    return nil, path .. ":1: the file is empty", "FORMAT"
  elseif #text > MOST_BYTES then
    return nil, ("%s: more than %d bytes are refused"):format(path, MOST_BYTES), "LIMIT"
  end
  return text
end

--- Callbacks for expat that build a tree, and the tree's holder.
local function builder(path, report)
  local tree = { count = 0 }
  local open, depth = nil, 0
  local function refuse(parser, message, code)
    tree.refused = tree.refused or { line = (parser:pos()), message = message, code = code }
    parser:stop()
  end
  return tree, {
    StartElement = function(parser, name, attributes)
      depth, tree.count = depth + 1, tree.count + 1
      if depth > MOST_DEPTH then
        return refuse(parser, ("elements nested deeper than %d are refused"):format(MOST_DEPTH),
          "LIMIT")
      elseif tree.count > MOST_ELEMENTS then
        return refuse(parser, ("more than %d elements are refused"):format(MOST_ELEMENTS), "LIMIT")
      end
      local one = element.new(name, attributes, path, (parser:pos()), report, open)
      tree.root, open = tree.root or one, one
    end,
    EndElement = function()
      open, depth = open.parent, depth - 1
    end,
    CharacterData = function(_, text)
      open:add_text(text)
    end,
    StartDoctypeDecl = function(parser)
      refuse(parser, "a document type (<!DOCTYPE …>) is refused: robots need no entities",
        "FORMAT")
    end,
  }
end

local function parse(lxp, path, text, report)
  local tree, callbacks = builder(path, report)
  local parser = lxp.new(callbacks)
  local good, message, line = parser:parse(text)
  if good then
    good, message, line = parser:parse()
  end
  pcall(parser.close, parser)
  if tree.refused then
    return nil, ("%s:%d: %s"):format(path, tree.refused.line, tree.refused.message),
      tree.refused.code
  elseif not good then
    return nil, ("%s:%d: this is no XML: %s"):format(path, line, message), "FORMAT"
  end
  return tree.root
end

--- The root element of a file.
---@param path string
---@param report sarrus.RobotReport
---@return sarrus.Element? root
---@return string? message
---@return string? code IO, FORMAT or LIMIT
function xml.read(path, report)
  local found, lxp = pcall(require, "lxp")
  if not found then
    return nil, ("%s: reading XML needs the module lxp, which is not installed (Debian: lua-expat; "
      .. "LuaRocks: luaexpat)"):format(path), "IO"
  end
  local text, message, code = text_of(path)
  if not text then
    return nil, message, code
  end
  return parse(lxp, path, text, report)
end

--- Note all attributes and elements that nothing asked for, below an element that was.
---@param top sarrus.Element
---@param reasons table<string, string> why, by the names of elements
function xml.leftovers(top, reasons)
  local unread = top:unread()
  if #unread > 0 then
    top:note(("%s: %s ignored"):format(top:title(), table.concat(unread, ", ")))
  end
  for _, child in ipairs(top.children) do
    if child.seen then
      xml.leftovers(child, reasons)
    else
      local reason = reasons[child.name]
      child:note(("%s ignored%s"):format(child:title(), reason and ": " .. reason or ""))
    end
  end
end

return xml
