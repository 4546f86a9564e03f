--- Inverse dynamics.
local efforts = {}

function efforts.solve()
end

return efforts
