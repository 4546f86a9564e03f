--- Where spatial shapes touch: as in touch_planar.lua.

local spatial = { meetings = {} }

spatial.works = "plane with sphere, box, capsule, cylinder, point; sphere and capsule with sphere, "
  .. "capsule, box"

return spatial
