--- What can be simulated: systems, general DAEs and models answer the same questions.

local sarrus = require "sarrus"
local subject = require "sarrus.sim.subject"

local function pendulum()
  return sarrus.model {
    gravity = { 0, -9.81 },
    sarrus.body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
    sarrus.joint.revolute { "J", "ground", "arm", at = { 0, 0 } },
  }
end

local function decay()
  return sarrus.dae { differential = { "x" }, derivative = function(x) return { -x.x } end }
end

local function ball()
  return sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
end

local function sims()
  return {
    system = assert(ball():simulate { q = { 0 } }),
    dae = assert(decay():simulate { x = { 1 } }),
    model = assert(pendulum():simulate {}),
  }
end

describe("a subject", function()
  it("has every method of the interface", function()
    for kind, sim in pairs(sims()) do
      for name in pairs(subject.methods) do
        assert.equal("function", type(sim.system[name]), kind .. " has no " .. name)
      end
    end
  end)

  it("fills states of its own only, whose readings are for its own names", function()
    local all = sims()
    all.other = assert(pendulum():simulate {})
    for kind, sim in pairs(all) do
      assert.equal("table", type(sim:state(sim:state())))
      for stranger, other in pairs(all) do
        for _, method in ipairs { "state", "at" } do
          local given = other:state()
          local good, message = pcall(function()
            if method == "state" then
              return sim:state(given)
            end
            return sim:at(0, given)
          end)
          assert.equal(kind == stranger, good, kind .. " " .. stranger)
          if not good then
            assert.equal(("%s: got the state of another, want a state of %s to fill"):format(method,
              sim.system.what), message:match("%d: (.*)$"))
          end
        end
      end
      assert.is_false(pcall(function() return sim:state(3) end))
      assert.is_false(pcall(function() return sim:at(0, {}) end))
    end
  end)

  it("without parts has none to release or to lock", function()
    local all = sims()
    for _, kind in ipairs { "system", "dae" } do
      for _, method in ipairs { "release", "engage", "lock", "unlock" } do
        local good, message = pcall(function() all[kind][method](all[kind], "J") end)
        local contact = kind == "system" and (method == "release" or method == "engage")
        assert.is_false(good)
        assert.equal(method .. (contact and ': unknown contact "J"; there are none'
          or ": only models have parts that can be released and locked"), message:match(": (.*)$"))
      end
    end
  end)

  it("without contacts has none to watch", function()
    local good, message = pcall(function()
      return decay():simulate {
        x = { 1 }, events = { sarrus.event { "hit", contact = "c", on = "touch" } },
      }
    end)
    assert.is_false(good)
    assert.equal('event "hit": dae has no contacts', message:match("%d: (.*)$"))
  end)

  it("that is misused leaves no frame in a recording", function()
    local sim = sims().model
    local recording = assert(sim:record { every = 0.1 })
    assert(sim:advance(0.25))
    local before = #recording.frames
    for _, method in ipairs { "release", "engage", "lock", "unlock" } do
      assert.is_false(pcall(function() sim[method](sim, "nothing") end))
    end
    assert.equal(before, #recording.frames)
    assert(sim:lock "J")
    assert.equal(before + 2, #recording.frames)
  end)
end)
