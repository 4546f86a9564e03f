-- Robots from files: what becomes of links, joints and what stands beside them.
local check = dofile("spec/check.lua")
local robots = dofile("spec/random/tools/robots.lua")
local shell = dofile("spec/shell.lua")
local sarrus = require "sarrus"

local near = check.near

local function import(text, suffix, options)
  return robots.with_file(text, suffix, function(path)
    local parts = assert(sarrus.import(path, options))
    for i, note in ipairs(parts.notes) do
      parts.notes[i] = note:gsub("^.*" .. suffix .. ":", "")
    end
    return parts
  end)
end

local I = '<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" '
  .. 'iyz="0"/></inertial>'

local function link(name, inner)
  return ('<link name="%s">%s</link>'):format(name, inner or I)
end

local function joint(name, kind, a, b, inner)
  return ('<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/>%s</joint>'):format(
    name, kind, a, b, inner or "")
end

local function urdf(lines, options)
  return import('<robot name="r">\n' .. table.concat(lines, "\n") .. "\n</robot>", ".urdf", options)
end

local M = '<inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.2 0.25"/>'

local function mjcf(bodies, more, options)
  return import("<mujoco>\n" .. (more or "") .. "\n<worldbody>\n" .. bodies
    .. "\n</worldbody></mujoco>", ".xml", options)
end

--- The fields of a part of a list, by its name.
local function given(parts, name)
  for _, part in ipairs(parts) do
    if part.given[1] == name then
      return part.given, part.family .. "." .. part.type
    end
  end
end

local function state(parts, start)
  local model = sarrus.model { gravity = parts.gravity, parts }
  return assert(model:simulate(start or {})):state(), model
end

describe("a URDF", function()
  it("becomes bodies with the axes of links, and joints", function()
    local parts = urdf { link "base", link("arm", (I:gsub("<mass", '<origin xyz="0 0 1" '
      .. 'rpy="0 1.5707963267948966 0"/><mass'))), joint("j", "revolute", "base", "arm",
      '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="0 3 0"/>'
      .. '<limit lower="-1" upper="2"/><dynamics damping="0.5" friction="0.25"/>') }
    local base, arm, j = given(parts, "base"), given(parts, "arm"), given(parts, "j")
    assert.same({ "base", mass = 2, position = { 0, 0, 0 }, inertia = { 0.1, 0.2, 0.25 } }, base)
    assert.same({ 1, 0, 1 }, arm.position)
    assert.same({ 0.25, 0.2, 0.1 }, arm.inertia) -- turned about y
    near(math.sqrt(0.5), arm.orientation[1])
    near(math.sqrt(0.5), arm.orientation[4])
    assert.same({ 1, 0, 0 }, j.at)
    assert.same({ -1, 0, 0 }, j.axis)
    assert.same({ -1, 2 }, j.limits)
    assert.same({ 0.5, 0.25 }, { j.damping, j.friction })
    assert.same({ "base_base", "ground", "base", at = { 0, 0, 0 } }, given(parts, "base_base"))
    assert.same({ "6: <joint \"j\">: the axis has length 3 and was made a unit vector" }, {
      (parts.notes[1]:gsub("^%d+", "6")) })
  end)

  it("has its root on the ground where it has no mass, or lets it float", function()
    local lines = { link("base", ""), link "arm", joint("j", "continuous", "base", "arm") }
    local parts = urdf(lines)
    assert.equal("ground", given(parts, "j")[2])
    assert.equal("ground", parts.frames.base.body)
    lines[1] = link "base"
    local _, model = state(urdf(lines, { floating = true }))
    assert.equal(7, model:freedoms())
  end)

  it("lets joints be planar, prismatic and floating", function()
    local _, model = state(urdf { link "a", link "b", link "c", link "d",
      joint("p", "planar", "a", "b", '<axis xyz="0 0 1"/>'),
      joint("s", "prismatic", "b", "c", "<limit/>"), joint("f", "floating", "a", "d") })
    assert.equal(3 + 1 + 6, model:freedoms())
  end)

  it("fuses links over fixed joints; frames tell where they are", function()
    local lines = { link "a", link("b", ""), link "c", link "d",
      joint("ab", "fixed", "a", "b", '<origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>'),
      joint("bc", "fixed", "b", "c", '<origin xyz="1 0 0"/>'),
      joint("cd", "continuous", "c", "d", '<origin xyz="0 0 1"/>') }
    local parts = urdf(lines)
    local a = given(parts, "a")
    assert.equal(4, a.mass)
    assert.is_true(robots.space.norm(robots.space.less({ 0, 0.5, 0.5 }, a.position)) < 1e-15)
    assert.is_nil((given(parts, "c")))
    assert.equal("a", given(parts, "cd")[2])
    assert.equal("a", parts.frames.c.body)
    assert.is_true(robots.space.norm(robots.space.less({ 0, 1, 1 }, parts.frames.c.position))
      < 1e-15)
    near(math.sqrt(0.5), parts.frames.c.orientation[4])
    near(1, parts.frames.c.position.z)
    near(-9.81, parts.gravity.z)
    local unfused = urdf(lines, { fuse = false })
    assert.equal("c", given(unfused, "cd")[2])
    assert.equal(2, given(unfused, "c").mass)
  end)

  it("keeps sixty links in a chain of fixed joints where they are", function()
    local lines, angle = { link "l0" }, math.pi / 10
    for i = 1, 60 do
      lines[#lines + 1] = link("l" .. i)
      lines[#lines + 1] = joint("j" .. i, "fixed", "l" .. i - 1, "l" .. i,
        ('<origin xyz="0.1 0 0" rpy="0 0 %.17g"/>'):format(angle))
    end
    lines[#lines + 1] = link "end"
    lines[#lines + 1] = joint("last", "continuous", "l60", "end", '<origin xyz="0.1 0 0"/>')
    local parts = urdf(lines)
    local last = given(parts, "last")
    near(0, last.at[2], 1e-14) -- three rounds
    near(0.1, last.at[1], 1e-14)
    assert.equal(122, given(parts, "l0").mass)
    local fused, unfused = state(parts, { joints = { last = { angle = 1 } } }),
      state(urdf(lines, { fuse = false }), { joints = { last = { angle = 1 } } })
    near(fused:efforts { last = 2 }.last, unfused:efforts { last = 2 }.last, 1e-11)
  end)

  it("gives names that are taken, or that models do not take, others", function()
    local parts = urdf { link "arm.1", link "ground", joint("ground", "continuous", "arm.1",
      "ground") }
    assert.equal("arm_1", given(parts, "ground_joint")[2])
    assert.equal("ground_link", given(parts, "ground_joint")[3])
    assert.same({ '2: the name "arm.1" became "arm_1"', '3: the name "ground" became "ground_link"',
      '4: the name "ground" became "ground_joint"' }, parts.notes)
  end)

  it("lets joints follow others, with ratio and offset", function()
    local s = state(urdf { link "a", link "b", link "c", joint("lead", "continuous", "a", "b"),
      joint("slide", "prismatic", "b", "c", '<axis xyz="0 0 1"/><mimic joint="lead" '
        .. 'multiplier="-0.5" offset="0.2"/><limit/>') }, { joints = { lead = { angle = 0.6,
      rate = 2 } } })
    near(0.2 - 0.3, s:joint("slide").length)
    near(-1, s:joint("slide").speed)
    near(0.6, s:joint("lead").angle)
  end)

  it("says what it does not take over, by line", function()
    local parts = urdf { link("a", I .. '<sensor name="eye"/>'), link("b", I
      .. '<visual><geometry><mesh filename="package://x/none.stl"/></geometry></visual>'),
      joint("j", "revolute", "a", "b", '<limit lower="0" upper="0" effort="3"/><calibration '
        .. 'rising="0"/>'), '<transmission name="t"><type>Odd</type></transmission>',
      '<gazebo reference="a"/>', '<surprise x="1"/>' }
    assert.same({
      '2: <sensor "eye"> ignored: sensors are no part of the mechanics',
      "3: the mesh package://x/none.stl was not found: it is not drawn",
      '4: <joint "j">: the limits of effort and velocity are not applied',
      '4: <joint "j">: lower and upper are both 0: it is held there',
      "4: <calibration> ignored: no part of the mechanics",
      '5: <transmission "t"> ignored: only simple transmissions are taken over',
      "6: <gazebo> ignored: an extension for Gazebo",
      "7: <surprise> ignored",
    }, parts.notes)
    local s = state(parts)
    near(0, s:joint("j").rate)
  end)

  it("forgives impossible masses that fused links make good, and says so", function()
    local thin = '<inertial><mass value="0.001"/><inertia ixx="0" iyy="0" izz="1e-6" ixy="0" '
      .. 'ixz="0" iyz="0"/></inertial>'
    local parts = urdf { link("frame", thin), link "base", joint("f", "fixed", "frame", "base") }
    assert.same({ '2: link "frame": inertia: the triangle inequality does not hold for the '
      .. "principal moments: 0 + 0 < 1e-06" }, parts.notes)
    near(2.001, given(parts, "frame").mass)
  end)

  it("has motors where transmissions are simple", function()
    local parts = urdf { link "a", link "b", joint("j", "continuous", "a", "b"),
      '<transmission name="t"><type>transmission_interface/SimpleTransmission</type>'
      .. '<joint name="j"/><actuator name="j"><mechanicalReduction>50</mechanicalReduction>'
      .. "</actuator></transmission>" }
    local sim = assert(sarrus.model { parts }:simulate { parameters = { j_motor = 0.1 } })
    assert(sim:advance(1)) -- 5 N m on 0.1 kg m^2 about x
    near(50, sim:state():joint("j").rate)
  end)

  it("is told where its masses are strange", function()
    local function notes(mass, moment, inner)
      return urdf({ link("a", ('<inertial><mass value="%g"/><inertia ixx="%g" iyy="%g" izz="%g" '
        .. 'ixy="0" ixz="0" iyz="0"/></inertial>%s'):format(mass, moment, moment, moment, inner
        or '<collision><geometry><sphere radius="0.1"/></geometry></collision>')) }).notes
    end
    assert.same({}, notes(1, 0.004))
    assert.same({ '2: link "a": its radius of gyration is 2 m, but it reaches 0.1 m from its '
      .. "centre of mass: are the units of mass and inertia right?" }, notes(1, 4))
    assert.same({ '2: link "a": its radius of gyration is 2e-05 m, but it reaches 0.1 m from its '
      .. "centre of mass: are the units of mass and inertia right?" }, notes(1, 4e-10))
    assert.same({ '2: link "a": it has inertia but no mass' }, notes(0, 1))
    assert.same({ '2: link "a": it has mass but no inertia' }, notes(1, 0))
    assert.same({ '2: link "a" has no inertial: it has no mass' },
      urdf({ link("a", ""), link "b", joint("j", "fixed", "a", "b") }).notes)
  end)

  -- A four-bar, the loop in the ways that there are.
  local function four_bar(extra, options)
    local function bar(length)
      return I:gsub("<mass", ('<origin xyz="%g 0 0"/><mass'):format(length / 2))
    end
    local turn = '<origin xyz="%s" rpy="0 0 %s"/><axis xyz="0 0 1"/>'
    local parts = urdf({ link("base", ""), link("crank", bar(1)), link("coupler", bar(2)),
      link("rocker", bar(2)),
      joint("A", "continuous", "base", "crank", turn:format("0 0 0", "1.5707963267948966")),
      joint("B", "continuous", "crank", "coupler", turn:format("1 0 0", "-1.5707963267948966")),
      joint("D", "continuous", "base", "rocker", turn:format("2 0 0", "1.7")), extra }, options)
    local s, model = state(parts)
    return s, model, parts
  end

  it("has its loops closed by the option, in the frames of links", function()
    local loop = { "C", "coupler", "rocker", at = { a = { 2, 0, 0 }, b = { 2, 0, 0 } } }
    local s, model = four_bar(nil, { loops = { loop } })
    assert.equal(1, model:freedoms())
    assert.is_true(s:residual().position < 1e-14)
    local tip = s:point("rocker", { 1, 0, 0 })
    assert.is_true(sarrus.vec.norm(tip - s:point("coupler", { 1, 0, 0 })) < 1e-14)
    loop.type, loop.axis = "revolute", { 0, 0, 1 }
    assert.equal(1, select(2, four_bar(nil, { loops = { loop } })):freedoms())
    assert.equal("import: loops[1][3]: unknown link \"roker\" (did you mean 'rocker'?)",
      check.misuse(four_bar, nil, { loops = { { "C", "coupler", "roker", at = { 0, 0, 0 } } } }))
    assert.equal("import: loops[1].at: got a table, want a list of 3 numbers",
      check.misuse(four_bar, nil, { loops = { { "C", "coupler", "rocker", at = { 0, 0 } } } }))
    for _, other in ipairs { "hinge", "gear", "custom" } do
      assert.equal('import: loops[1].type: got string "' .. other .. '"; there are revolute, '
        .. "prismatic, fixed, spherical, universal, cylindrical, planar, distance, slot, screw, "
        .. "rolling",
        check.misuse(four_bar, nil, { loops = { { "C", "coupler", "rocker", type = other } } }))
    end
  end)

  it("has loops of any joint between two bodies", function()
    -- a wheel on an arm that swings about the vertical through A: it rolls on the ground
    local turn = '<origin xyz="%s" rpy="0 0 0"/><axis xyz="%s"/>'
    local parts = urdf({ link("base", ""), link("arm", I), link("wheel", I),
      joint("A", "continuous", "base", "arm", turn:format("0 0 0.5", "0 0 1")),
      joint("B", "continuous", "arm", "wheel", turn:format("2 0 0", "1 0 0")) },
      { loops = { { "C", "ground", "wheel", type = "rolling", radius = 0.5, normal = { 0, 0, 1 },
        axis = { 1, 0, 0 } } } })
    local _, model = state(parts)
    assert.equal(1, model:freedoms())
    local sim = assert(model:simulate { joints = { A = { rate = 1 } } })
    assert.near(-4, sim:state():joint("B").rate, 1e-12) -- 2 m / 0.5 m
  end)

  it("has its loops closed as Gazebo is told them", function()
    local _, model, parts = four_bar('<gazebo><joint name="C" type="revolute"><parent>rocker'
      .. "</parent><child>coupler</child><pose>2 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>"
      .. "</joint></gazebo>")
    assert.equal(1, model:freedoms())
    assert.same({ 2, 1, 0 }, given(parts, "C").at)
    assert.same({ 0, 0, 1 }, given(parts, "C").axis)
  end)

  it("draws the meshes of packages, stretched, and pages measure them so", function()
    local folder = shell.temporary_directory()
    shell.run(("mkdir -p %s/robot/urdf %s/robot/meshes"):format(folder, folder))
    local function write(name, text)
      local file = assert(io.open(folder .. "/robot/" .. name, "w"))
      file:write(text)
      file:close()
      return folder .. "/robot/" .. name
    end
    write("meshes/part.obj", "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nv 0 0 1000\nf 1 3 2\nf 1 2 4\n"
      .. "f 1 4 3\nf 2 3 4\n")
    local path = write("urdf/robot.urdf", '<robot name="r">' .. link("a", I
      .. '<visual><origin xyz="0 0 1"/><geometry><mesh filename="package://robot/meshes/part.obj" '
      .. 'scale="0.001 -0.002 0.003"/></geometry></visual>') .. "</robot>")
    local parts = assert(sarrus.import(path, { floating = true }))
    assert.same({}, parts.notes)
    local scene = require "sarrus.output.scene".of(sarrus.model { parts })
    shell.run("rm -r " .. folder)
    near(4, scene.size) -- from the centre of mass to the upper corner
    local low, high = { 0, 0, 0 }, { 0, 0, 0 }
    for _, p in ipairs(scene.shapes[1].points) do
      for k = 1, 3 do
        low[k], high[k] = math.min(low[k], p[k]), math.max(high[k], p[k])
      end
    end
    assert.same({ { 0, -2, 0 }, { 1, 0, 4 } }, { low, high })
  end)

  it("lets shapes touch where that is asked for", function()
    local ball = '<collision><geometry><sphere radius="0.5"/></geometry></collision>'
    local box = '<collision><geometry><box size="4 4 1"/></geometry></collision>'
    local lines = { link("floor", I .. box), link("ball", I .. ball),
      joint("f", "floating", "floor", "ball", '<origin xyz="0 0 2"/>') }
    assert.is_nil((given(urdf(lines), "floor_hull_ball_hull")))
    local parts = urdf(lines, { contacts = { friction = 0.5, restitution = 0 } })
    assert.same({ "floor_hull_ball_hull", "floor_hull", "ball_hull", friction = 0.5,
      restitution = 0 }, given(parts, "floor_hull_ball_hull"))
    local sim = assert(sarrus.model { gravity = parts.gravity, parts }:simulate {})
    assert(sim:advance(2))
    near(1, sim:state():body("ball").position.z)
  end)
end)

describe("an MJCF file", function()
  it("has nested bodies, frames and the ways to turn them", function()
    local parts = mjcf('<body name="a" pos="0 0 1" euler="90 0 0">' .. M
      .. '<frame pos="1 0 0" axisangle="0 0 2 90"><body name="b" pos="0 1 0" xyaxes="0 1 0 -1 0 0">'
      .. '<joint name="j" axis="0 0 2"/>' .. M .. '</body></frame><site name="s" pos="0 1 0"/>'
      .. "</body>")
    local b = parts.frames.b
    local function same(expected, got)
      assert.is_true(robots.space.norm(robots.space.less(expected, got)) < 1e-15)
    end
    same({ 0, 0, 1 }, b.position)
    same({ 0, 0, 2 }, parts.frames.s.position)
    same({ 0, -1, 0 }, given(parts, "j").axis)
    assert.equal("a", parts.frames.s.body)
    assert.same({ "j", "a", "b" }, { given(parts, "j")[1], given(parts, "j")[2],
      given(parts, "j")[3] })
  end)

  it("turns by eulerseq: small letters with the body, capitals in the frame", function()
    local function orientation(sequence)
      local parts = mjcf('<body name="a" euler="0.3 -0.5 0.8"><freejoint/>' .. M .. "</body>",
        ('<compiler angle="radian" eulerseq="%s"/>'):format(sequence))
      return parts.frames.a.orientation
    end
    local rpy = robots.rotation { 0.3, -0.5, 0.8 }
    local q = orientation "XYZ"
    near((rpy[3][2] - rpy[2][3]) / (4 * q[1]), q[2], 1e-15)
    near((rpy[2][1] - rpy[1][2]) / (4 * q[1]), q[4], 1e-15)
    local other = robots.rotation { 0.8, -0.5, 0.3 } -- z y x with the body
    q = orientation "zyx"
    near((other[3][2] - other[2][3]) / (4 * q[1]), q[2], 1e-15)
  end)

  it("has joints with classes of defaults, several in one body", function()
    local parts = mjcf('<body name="a" childclass="stiff"><joint name="x" axis="1 0 0"/><joint '
      .. 'name="y" type="slide" axis="0 1 0" damping="3" class="main"/>' .. M .. "</body>",
      '<default><joint damping="1" armature="0.5"/><default class="stiff"><joint stiffness="7" '
      .. 'springref="90" range="-45 45" frictionloss="2"/></default></default>')
    local x, y = given(parts, "x"), given(parts, "y")
    assert.same({ "x", "ground", "a_1", at = { 0, 0, 0 }, axis = { 1, 0, 0 }, damping = 1,
      inertia = 0.5, stiffness = 7, rest = math.pi / 2, friction = 2,
      limits = { -math.pi / 4, math.pi / 4 } }, x)
    assert.same({ "y", "a_1", "a", at = { 0, 0, 0 }, axis = { 0, 1, 0 }, damping = 3,
      inertia = 0.5 }, y)
    local _, model = state(parts)
    assert.equal(2, model:freedoms())
    assert.same({}, parts.notes)
  end)

  it("counts coordinates from ref, and says so", function()
    local parts = mjcf('<body name="a"><joint name="j" ref="0.5" range="0 1" stiffness="2"/>' .. M
      .. "</body>", '<compiler angle="radian"/>')
    local j = given(parts, "j")
    assert.same({ -0.5, 0.5 }, j.limits)
    assert.equal(-0.5, j.rest)
    assert.same({ '4: <joint "j">: its coordinate counts from ref = 0.5' }, parts.notes)
  end)

  it("has the masses of geoms, of all kinds", function()
    local function solid(geom, more)
      return given(mjcf('<body name="a"><freejoint/><geom ' .. geom .. "/></body>", more), "a")
    end
    local box = solid 'type="box" size="0.5 1 1.5" density="10" pos="1 2 3"'
    near(60, box.mass)
    assert.same({ 1, 2, 3 }, box.position)
    near(60 * (4 + 9) / 12, box.inertia[1])
    local ball = solid 'size="2" mass="5"'
    near(5 * 4 * 0.4, ball.inertia[2])
    local rod = solid 'type="cylinder" fromto="0 0 0 0 0 2" size="0.5" mass="3"'
    near(1, rod.position[3])
    near(3 * (3 * 0.25 + 4) / 12, rod.inertia[1])
    local pill = solid 'type="capsule" size="1 1" density="1"'
    near(math.pi * (2 + 4 / 3), pill.mass)
    -- by slices: the integral of x^2 + z^2 over disks of radius r(z)
    local sum, n = 0, 20000
    for i = 1, n do
      local z = -2 + 4 * (i - 0.5) / n
      local r2 = math.abs(z) <= 1 and 1 or 1 - (math.abs(z) - 1) ^ 2
      sum = sum + math.pi * (r2 * r2 / 4 + r2 * z * z) * 4 / n
    end
    near(sum, pill.inertia[1], 1e-6)
    local egg = solid 'type="ellipsoid" size="1 2 3" mass="5"'
    near(5 * (4 + 9) / 5, egg.inertia[1])
    near(7, solid('size="1"', '<compiler settotalmass="7"/>').mass)
    assert.equal(0, solid('size="1" mass="0"').mass)
  end)

  it("has the mass of closed meshes", function()
    local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 } }
    local lines = {}
    for _, p in ipairs(corners) do
      lines[#lines + 1] = ("v %g %g %g"):format(p[1], p[2], p[3])
    end
    lines[#lines + 1] = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    robots.with_file(table.concat(lines, "\n"), ".obj", function(path)
      local parts = mjcf('<body name="a"><freejoint/><geom type="mesh" mesh="m"/></body>',
        ('<asset><mesh name="m" file="%s" scale="-1 1 1"/></asset>'):format(path))
      local a = given(parts, "a")
      near(1000, a.mass, 1e-10)
      near(-0.25, a.position[1], 1e-15)
      near(0.75, a.position[3], 1e-15)
      near(1000 * (4 + 9) * 3 / 80, a.inertia[1][1], 1e-10) -- of a corner of a box
      near(-1000 * 1 * 2 / 80, a.inertia[1][2], 1e-10) -- of +Ixy mirrored
      assert.equal("shape.mesh", select(2, given(parts, "a_shape")))
      assert.equal(6, sarrus.model({ parts }):freedoms())
    end)
  end)

  it("reads the anchors of connect in the frame of the first body, as drawn", function()
    local body = '<body name="%s" pos="%s" euler="0 0 %d"><joint name="%s_joint"/>' .. M
      .. "</body>"
    local parts = mjcf(body:format("a", "1 0 0", 90, "a") .. body:format("b", "0 3 0", 30, "b"),
      '<equality><connect name="C" body1="a" body2="b" anchor="2 0 0"/><joint name="E" '
      .. 'joint1="b_joint" joint2="a_joint" polycoef="0 -2"/></equality>')
    local c = given(parts, "C")
    assert.equal("a", c[2])
    near(1, c.at[1], 1e-15)
    near(2, c.at[2], 1e-15)
    assert.same({ "E", "a_joint", "b_joint", coefficients = { 0, -2 } }, given(parts, "E"))
  end)

  it("welds, and connects sites", function()
    local body = '<body name="%s" pos="%s"><freejoint/>' .. M .. '<site name="%s_tip" pos="1 0 0"/>'
      .. "</body>"
    local bodies = body:format("a", "0 0 0", "a") .. body:format("b", "5 0 0", "b")
    local s, model = state(mjcf(bodies, '<equality><connect name="C" site1="a_tip" '
      .. 'site2="b_tip"/></equality>'))
    assert.equal(9, model:freedoms())
    assert.is_true(sarrus.vec.norm(s:point("a", { 1, 0, 0.5 }) - s:point("b", { 1, 0, 0.5 }))
      < 1e-14)
    s, model = state(mjcf(bodies, '<equality><weld name="W" body1="a" body2="b" relpose="0 2 0 1 '
      .. '0 0 0"/></equality>'))
    assert.equal(6, model:freedoms())
    assert.is_true(sarrus.vec.norm(s:point("a", { 0, 2, 0 }) - s:body("b").position) < 1e-14)
  end)

  it("drives joints by motors and servos, each by a parameter", function()
    local parts = mjcf('<body name="a"><joint name="j" axis="1 0 0" pos="0 0 -0.5"/>' .. M
      .. "</body>", '<option gravity="0 0 0"/><actuator><motor name="m" joint="j" gear="3"/>'
      .. '<position name="p" joint="j" kp="20" kv="2" gear="2"/><velocity name="v" joint="j" '
      .. 'kv="5"/><general name="g" joint="j" gainprm="4" biastype="affine" biasprm="1 -2 -3"/>'
      .. "</actuator>")
    local angle, rate = 0.3, -0.7
    local parameters = { m = 1.1, p = 0.4, v = 0.9, g = -0.6 }
    local s = state(parts, { joints = { j = { angle = angle, rate = rate } },
      parameters = parameters })
    local effort = 3 * 1.1 + 2 * (20 * (0.4 - 2 * angle) - 2 * 2 * rate) + 5 * (0.9 - rate)
      + 4 * -0.6 + 1 - 2 * angle - 3 * rate
    near(effort, s:joint("j").torque.x, 1e-12)
  end)

  it("turns ball joints, with damping", function()
    local parts = mjcf('<body name="a" pos="0 0 0.5"><joint type="ball" name="j" damping="0.3"/>'
      .. '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>',
      '<option gravity="0 0 0"/>')
    local model = sarrus.model { parts }
    local sim = assert(model:simulate { bodies = { a = { spin = { 1, 2, 3 } } } })
    assert(sim:advance(0.5))
    near(2 * math.exp(-0.3 / 0.1 * 0.5), sim:state():body("a").spin.y, 1e-12)
  end)

  it("lets geoms touch by their masks and friction, where that is asked for", function()
    local bodies = '<geom name="floor" type="plane" size="1 1 1" friction="0.25"/>'
      .. '<body name="ball" pos="0 0 1"><freejoint/><geom name="skin" size="0.5" friction="0.5"/>'
      .. '<geom name="ghost" size="0.7" contype="0" conaffinity="0" mass="0"/></body>'
    assert.is_nil((given(mjcf(bodies), "floor_skin")))
    local parts = mjcf(bodies)
    assert.equal(1, #parts.notes)
    assert.truthy(parts.notes[1]:find("%d: floor and other shapes do not touch: contacts = true "
      .. "lets them$"), parts.notes[1])
    parts = mjcf(bodies, nil, { contacts = true })
    assert.same({}, parts.notes)
    assert.same({ "floor_skin", "floor", "skin", friction = 0.5 }, given(parts, "floor_skin"))
    assert.is_nil((given(parts, "floor_ghost")))
    local sim = assert(sarrus.model { gravity = parts.gravity, parts }:simulate {})
    assert(sim:advance(1))
    near(0.5, sim:state():body("ball").position.z)
  end)

  it("lifts what gravcomp holds", function()
    local parts = mjcf('<body name="a" gravcomp="1"><joint type="slide"/>' .. M .. "</body>")
    local sim = assert(sarrus.model { gravity = parts.gravity, parts }:simulate {})
    assert(sim:advance(1))
    near(0, sim:state():joint("a_joint").length, 1e-13)
  end)

  it("drops limits that follow from those of the joint that leads", function()
    local parts = mjcf('<body name="a"><joint name="l" range="0 10"/>' .. M .. "</body><body "
      .. 'name="b" pos="1 0 0"><joint name="r" range="-20 0"/>' .. M .. "</body>",
      '<equality><joint joint1="r" joint2="l" polycoef="0 -2"/></equality>')
    assert.is_nil(given(parts, "r").limits)
    assert.truthy(given(parts, "l").limits)
    assert.same({ '2: the limits of joint "r" follow from those of joint "l"' }, parts.notes)
  end)

  it("includes other files, and notes what it ignores by theirs", function()
    robots.with_file('<mujocoinclude><worldbody><body name="a"><joint/>' .. M
      .. "</body>\n<camera/></worldbody></mujocoinclude>", "_inner.xml", function(inner)
      local parts = mjcf("", ('<include file="%s"/>'):format(inner))
      assert.equal("joint.revolute", select(2, given(parts, "a_joint")))
      assert.same({ "2: <camera> ignored: no part of the mechanics" }, {
        (parts.notes[1]:gsub("^.*xml:", "")) })
    end)
  end)

  it("notes what classes say in vain", function()
    local parts = mjcf('<body name="a"><joint/><geom size="1"/></body>',
      '<default>\n<geom solref="1 1" rgba="1 0 0 1"/>\n<joint margin="1"/>\n<tendon width="1"/>'
      .. "</default><sensor><touch/></sensor>")
    assert.same({ "3: <geom>: solref ignored", "4: <joint>: margin ignored",
      "5: <sensor> ignored: no part of the mechanics" }, parts.notes)
    assert.equal("#ff0000", given(parts, "a_shape").color)
  end)
end)
