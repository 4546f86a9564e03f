-- What the random tests of piecewise forces compare with, against closed forms and shorter steps.
local branches = dofile("spec/random/tools/branches.lua")
local draw = dofile("spec/random/tools/draw.lua")
local near = dofile("spec/check.lua").near

describe("motions branch by branch", function()
  it("are those of two springs", function()
    -- Half turns of either spring, pi / w each, in turn.
    for _, k in ipairs { 1, 9, 1e3 } do
      local problem = { mass = { 1 }, q = { 0 }, v = { 1 },
        force = function(q, _, _, fn) return { -fn.max(k * q[1], q[1]) } end }
      local w, turn = math.sqrt(k), math.pi + math.pi / math.sqrt(k)
      for t = 0.3, 20, 0.7 do
        local state, phase = branches.run(problem, t), t % turn
        local above = phase < math.pi / w
        near(above and math.sin(w * phase) / w or -math.sin(phase - math.pi / w), state.q[1], 1e-13)
      end
    end
  end)

  it("are those of a preloaded spring", function()
    -- x'' = -sign(x): parabolas of the length 2 v.
    local problem = { mass = { 1 }, q = { 0 }, v = { 1 },
      force = function(q, _, _, fn) return { -fn.sign(q[1]) } end }
    for t = 0.3, 20, 0.7 do
      local phase = t % 2
      local x = phase - phase * phase / 2
      near(t % 4 < 2 and x or -x, branches.run(problem, t).q[1], 1e-13)
    end
  end)

  it("do not depend on the steps", function()
    local class = dofile("spec/random/onesided.lua")
    for seed = 1, 20 do
      local problem = class.draw(draw.new(seed))
      local whole, half = branches.run(problem, 1), branches.run(problem, 1, 0.5)
      assert.are.equal(whole.switches, half.switches)
      local off, size = branches.difference(half.q, whole.q)
      assert.is_true(off < 1e-11 * size, seed)
    end
  end)
end)
