--- Eigenvalues as commands print them: pairs in one line, with what they mean.

--- What an eigenvalue means for a motion.
local function meaning(value)
  if value.im ~= 0 then
    local size = math.sqrt(value.re ^ 2 + value.im ^ 2)
    return ("%.6g Hz, damping %.4g"):format(size / (2 * math.pi), value.re == 0 and 0
      or -value.re / size)
  elseif value.re == 0 then
    return "nothing brings it back, nothing drives it on"
  end
  return ("%s in %.4g s"):format(value.re < 0 and "dies away" or "grows", 1 / math.abs(value.re))
end

--- A line for each eigenvalue, and for each pair.
---@param values { re: number, im: number }[]
---@return string[]
return function(values)
  local lines, count, last = {}, 0, nil
  for _, value in ipairs(values) do
    if value.im >= 0 then
      local text = ("  %.10g%s"):format(value.re, value.im > 0
        and (" +- %.10gi"):format(value.im) or "")
      local line = ("%s: %s"):format(text, meaning(value))
      count = line == last and count + 1 or 1
      lines[count > 1 and #lines or #lines + 1] = count == 1 and line
        or ("%s (%d times)"):format(line, count)
      last = line
    end
  end
  return lines
end
