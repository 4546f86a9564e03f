--- What kinds of joints lead from link to link: the part that each becomes, nil for none; its field
--- for the direction; what its coordinate is called, and what acts along it.

---@class sarrus.RobotJointKind
---@field part string? the type of joint
---@field direction string?
---@field value string? nil where it has no coordinate, or several
---@field rate string?
---@field effort string?
---@field rigid boolean? nothing moves

---@type table<string, sarrus.RobotJointKind>
return {
  turning = {
    part = "revolute", direction = "axis", value = "angle", rate = "rate", effort = "torque",
  },
  sliding = {
    part = "prismatic", direction = "axis", value = "length", rate = "speed", effort = "force",
  },
  flat = { part = "planar", direction = "normal" },
  ball = { part = "spherical" },
  rigid = { part = "fixed", rigid = true },
  free = {},
}
