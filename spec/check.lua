-- What many specs check with.
local check = {}

--- A number is within a bound of what it should be.
function check.near(expected, value, bound)
  local good = math.abs(expected - value) <= (bound or 1e-12) -- not so where one is no number
  if not good then
    error(("%.17g, want %.17g"):format(value, expected), 2)
  end
end

--- The message of a call that must raise, without its place.
function check.misuse(...)
  local ok, text = pcall(...)
  if ok then
    error("raised nothing", 2)
  end
  return (tostring(text):gsub("^[^:]*:%d+: ", ""))
end

--- All bits of the state that a simulation is in.
function check.bits(sim)
  local s, list = sim:state(), {}
  for _, numbers in ipairs { s.q, s.v, s.lambda } do
    for _, x in ipairs(numbers) do
      list[#list + 1] = ("%.17g"):format(x)
    end
  end
  return table.concat(list, " ")
end

return check
