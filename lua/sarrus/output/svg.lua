--- Pieces of SVG: numbers, words and their widths, elements.

local svg = {}

--- A whole number of units of 10^-decimals as text: (-1250, 2) is "-12.50".  No locale is asked.
---@param n number
---@param decimals integer
---@return string
function svg.fixed(n, decimals)
  local digits = ("%.0f"):format(math.abs(n))
  if decimals > 0 then
    digits = ("0"):rep(decimals + 1 - #digits) .. digits
    digits = digits:sub(1, -decimals - 1) .. "." .. digits:sub(-decimals)
  end
  return (n < 0 and "-" or "") .. digits
end

--- A length in the picture, to a hundredth.
---@param x number
---@return string
function svg.length(x)
  local text = svg.fixed(math.floor(x * 100 + 0.5), 2):gsub("%.?0+$", "")
  return text == "-0" and "0" or text
end

--- Text for a document.
---@param text string
---@return string
function svg.escape(text)
  return (text:gsub('[&<>"%c]', function(c)
    return ("&#%d;"):format(c == "\n" and 32 or c:byte() < 32 and 32 or c:byte())
  end))
end

-- Words ------------------------------------------------------------------------------------------

-- In parts of the size of the font, as wide as in any usual one.
local widths = {}
for class, width in pairs {
  ["ijlI.,:;'|! "] = 0.33, ["frt()[]{}/-"] = 0.41, ["mwMW%@"] = 0.96, ["0123456789"] = 0.64,
} do
  for c in class:gmatch(".") do
    widths[c] = width
  end
end

--- About how wide a text is; raised parts, `10^{6}`, are smaller.
---@param text string
---@param size number of the font
---@return number
function svg.width(text, size)
  local total = 0
  for plain, raised in (text .. "^{}"):gmatch("(.-)%^{(.-)}") do
    for c in plain:gmatch("[\1-\127\194-\244][\128-\191]*") do
      total = total + (widths[c] or c:find("%u") and 0.7 or 0.61)
    end
    total = total + 0.46 * #raised:gsub("[\128-\191]", "")
  end
  return total * size
end

--- The inside of a text element; `10^{6}` raises the 6.
---@param text string
---@return string
function svg.words(text)
  local parts, raised_before = {}, false
  for plain, raised in (text .. "^{}"):gmatch("(.-)%^{(.-)}") do
    if plain ~= "" then
      local space, rest = plain:match("^( ?)(.*)$") -- some programs drop a space that comes first
      parts[#parts + 1] = not raised_before and svg.escape(plain)
        or ('<tspan dx="%s" dy="4">%s</tspan>'):format(space == "" and "0" or "4", svg.escape(rest))
      raised_before = false
    end
    if raised ~= "" then
      parts[#parts + 1] = ('<tspan dy="-4" font-size="8">%s</tspan>'):format(svg.escape(raised))
      raised_before = true
    end
  end
  return table.concat(parts)
end

-- Elements ---------------------------------------------------------------------------------------

--- `<name a="1" …>inside</name>`; attributes are a list of names and values, numbers as lengths.
---@param name string
---@param attributes (string|number)[]
---@param inside? string
---@return string
function svg.element(name, attributes, inside)
  local words = { "<" .. name }
  for i = 1, #attributes, 2 do
    local value = attributes[i + 1]
    words[#words + 1] = (' %s="%s"'):format(attributes[i],
      type(value) == "number" and svg.length(value) or value)
  end
  words[#words + 1] = inside and (">%s</%s>"):format(inside, name) or "/>"
  return table.concat(words)
end

return svg
