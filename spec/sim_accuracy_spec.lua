-- The bounds of spec/accuracy.lua that are measured quickly; `make bench-accuracy` prints them all.
local accuracy = dofile("spec/accuracy.lua")

describe("a simulation keeps its bounds", function()
  for _, row in ipairs(accuracy.rows) do
    if not row.slow then
      it(("%s: %s"):format(row.point, row.what), function()
        local measured = row.measure()
        assert.is_true(measured <= row.bound, ("%.3g > %.3g"):format(measured, row.bound))
      end)
    end
  end

  it("which a wrong answer would break", function()
    local problems = dofile("spec/problems.lua")
    local pendulum = problems.pendulum()
    local sim = problems.simulate(pendulum, { tolerance = 1e-4 })
    assert(sim:advance(10))
    assert.is_true(problems.difference(sim:state().q, problems.at(pendulum, 10).q) > 1e-12)
  end)
end)
