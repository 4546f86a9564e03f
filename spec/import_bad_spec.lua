-- Files of robots that are refused: one line each, which names the file and the line in it.
local sarrus = require "sarrus"
local draws = dofile("spec/random/tools/draw.lua")
local files = dofile("spec/robots.lua")
local robots = dofile("spec/random/tools/robots.lua")

local MASS = '<mass value="1"/>'
local INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
local I = "<inertial>" .. MASS .. INERTIA .. "</inertial>"
local J = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'

local function urdf(...)
  return '<robot name="r">\n' .. table.concat({ ... }, "\n") .. "\n</robot>"
end

local function link(name, inner)
  return ('<link name="%s">%s</link>'):format(name, inner or I)
end

local function joint(kind, a, b, inner)
  return ('<joint name="%s%s" type="%s"><parent link="%s"/><child link="%s"/>%s</joint>'):format(a,
    b, kind, a, b, inner or "")
end

local function mjcf(body, more)
  return "<mujoco>\n<worldbody>\n" .. body .. "\n</worldbody>\n" .. (more or "") .. "\n</mujoco>"
end

--- A link of that inertia.
local function inertia(from, to)
  return urdf(link("a", (I:gsub(from, to))))
end

--- A link of that form.
local function form(text)
  return urdf(link("a", I .. "<visual><geometry>" .. text .. "</geometry></visual>"))
end

--- A body with that in it.
local function body(inner, attributes)
  return ('<body name="a"%s>%s</body>'):format(attributes or "", inner)
end

local two = link "a" .. "\n" .. link "b"
local hinged = body('<joint name="h"/>' .. J)

local BAD = {
  -- XML
  { "",
    "1: the file is empty" },
  { "hello",
    "1: this is no XML: syntax error" },
  { "<robot>",
    "1: this is no XML: no element found" },
  { '<robot name="r"><link name="a"></robot>',
    "1: this is no XML: mismatched tag" },
  { "<robot>\n<link name=a/></robot>",
    "2: this is no XML: not well-formed (invalid token)" },
  { '<robot a="1" a="2"/>',
    "1: this is no XML: duplicate attribute" },
  { "<robot>\0</robot>",
    "1: this is no XML: not well-formed (invalid token)" },
  { "<robot>\255</robot>",
    "1: this is no XML: not well-formed (invalid token)" },
  { "<robot/><robot/>",
    "1: this is no XML: junk after document element" },
  { "<robot>&x;</robot>",
    "1: this is no XML: undefined entity" },
  { '<!DOCTYPE r [<!ENTITY a "b">]>\n<robot>&a;</robot>',
    "1: a document type (<!DOCTYPE …>) is refused: robots need no entities" },
  { '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<robot>&x;</robot>',
    "1: a document type (<!DOCTYPE …>) is refused: robots need no entities" },
  { '<!DOCTYPE robot SYSTEM "robot.dtd"><robot/>',
    "1: a document type (<!DOCTYPE …>) is refused: robots need no entities" },
  { ("<a>"):rep(600) .. ("</a>"):rep(600),
    "1: elements nested deeper than 500 are refused", code = "LIMIT" },
  { "<robot>" .. ("<a/>"):rep(200001) .. "</robot>",
    "1: more than 200000 elements are refused", code = "LIMIT" },
  { "<sdf/>",
    "1: <sdf>: want <robot> of a URDF or <mujoco> of an MJCF file" },
  { "<html><body/></html>",
    "1: <html>: want <robot> of a URDF or <mujoco> of an MJCF file" },
  -- links
  { urdf(),
    "1: there is no <link>" },
  { urdf "<link/>",
    "2: <link>: the attribute name is missing" },
  { urdf '<link name=""/>',
    '2: <link "">: the attribute name is empty' },
  { urdf(link "a", link "a"),
    '3: link "a": the name is taken by line 2' },
  { urdf(two),
    '3: link "b" hangs on nothing, as link "a" (line 2) does: a robot has one root' },
  { urdf(link("a",
    '<inertial>' .. INERTIA .. "</inertial>")),
    '2: link "a": <inertial> has no <mass>' },
  { urdf(link("a", '<inertial><mass value="1"/></inertial>')),
    '2: link "a": <inertial> has no <inertia>' },
  { inertia('ixx="1"', 'ixx="nan"'),
    '2: <inertia>: ixx: "nan" is no finite number' },
  { inertia('ixx="1"', 'ixx="inf"'),
    '2: <inertia>: ixx: "inf" is no finite number' },
  { inertia('ixx="1"', 'ixx="0x10"'),
    '2: <inertia>: ixx: "0x10" is no finite number' },
  { inertia('ixx="1"', 'ixx="1,5"'),
    '2: <inertia>: ixx: "1,5" is no finite number' },
  { inertia('ixx="1"', ''),
    "2: <inertia>: the attribute ixx is missing" },
  { inertia('value="1"', 'value="-1"'),
    '2: link "a": mass = -1 kg is negative' },
  { inertia('ixx="1"', 'ixx="-1"'),
    '2: link "a": inertia is not positive: principal moments -1, 1, 1' },
  { inertia('ixx="1"', 'ixx="3"'),
    '2: link "a": inertia: the triangle inequality does not hold for the principal '
      .. "moments: 1 + 1 < 3" },
  { inertia('ixy="0"', 'ixy="2"'),
    '2: link "a": inertia is not positive: principal moments -1, 1, 3' },
  { urdf(link("a",
    '<inertial><origin xyz="0 0"/><mass value="1"/>' .. INERTIA .. "</inertial>")),
    "2: <origin>: xyz has 2 numbers, want 3" },
  { urdf(link("a", I .. "<visual/>")),
    "2: <visual> has no <geometry>" },
  { urdf(link("a", I .. "<visual><geometry/></visual>")),
    "2: <geometry> is empty" },
  { form '<box size="1 1 0"/>',
    "2: <box>: size = 0 is not positive" },
  { form '<sphere/>',
    "2: <sphere>: the attribute radius is missing" },
  { urdf(link("a", I
    .. '<visual><geometry><cylinder radius="1" length="-1"/></geometry></visual>')),
    "2: <cylinder>: length = -1 is not positive" },
  { urdf(link("a", I
    .. '<visual><geometry><mesh filename="x.stl" scale="0 1 1"/></geometry></visual>')),
    "2: <mesh>: a scale of 0" },
  -- joints
  { urdf(two, joint("hinge", "a", "b")),
    '4: joint "ab": unknown type "hinge"; there are revolute, continuous, prismatic, '
      .. "fixed, floating, planar" },
  { urdf(two, '<joint name="j"><parent link="a"/><child link="b"/></joint>'),
    '4: <joint "j">: the attribute type is missing' },
  { urdf(two, '<joint name="j" type="fixed"><child link="b"/></joint>'),
    '4: <joint "j"> has no <parent>' },
  { urdf(two, joint("fixed", "a", "c")),
    '4: <joint "ac">: child: unknown link "c"' },
  { urdf(two, joint("fixed", "a", "a")),
    '4: joint "aa": link "a" is parent and child' },
  { urdf(two, joint("fixed", "a", "b"), joint("fixed", "b", "a")),
    "2: every link hangs on another one: the joints go round in a circle" },
  { urdf(two, link "c", joint("fixed", "b", "c"), joint("fixed", "c", "b")),
    '3: link "b" is in a circle of joints that the root does not reach' },
  { urdf(two, link "c", joint("fixed", "a", "b"), joint("fixed", "a",
    "c"),
    joint("fixed", "b", "c")),
    '7: joint "bc": the link "c" already hangs on joint "ac" (line 6); close loops with '
      .. "the option loops" },
  { urdf(two, joint("fixed", "a", "b"), joint("fixed", "a", "b")),
    '5: joint "ab": the name is taken by line 4' },
  { urdf(two, joint("revolute", "a", "b", '<axis xyz="0 0 0"/>')),
    '4: <joint "ab">: an axis of length 0 has no direction' },
  { urdf(two, joint("revolute", "a", "b", '<axis xyz="1 x 0"/>')),
    '4: <axis>: xyz: "x" is no finite number' },
  { urdf(two, joint("revolute", "a", "b", '<limit lower="1" upper="0"/>')),
    '4: <joint "ab">: lower = 1 is above upper = 0' },
  { urdf(two, joint("revolute", "a", "b", '<dynamics damping="-1"/>')),
    '4: <joint "ab">: damping = -1 is negative' },
  { urdf(two, joint("revolute", "a", "b", '<mimic joint="z"/>')),
    '4: joint "ab": mimic: unknown joint "z"' },
  { urdf(two, joint("revolute", "a", "b", '<mimic joint="ab"/>')),
    '4: joint "ab": mimic: it follows itself' },
  { urdf(two, joint("fixed", "a", "b"),
    '<gazebo><joint name="l" type="gearbox"><parent>a</parent><child>b</child></joint></gazebo>'),
    '5: <joint "l">: loops are closed by revolute, ball, universal, prismatic and fixed, '
      .. 'not by "gearbox"' },
  { urdf(two, joint("revolute", "a", "b"),
    '<gazebo><joint name="l" type="ball"><parent>a</parent><child>z</child></joint></gazebo>'),
    '5: <joint "l">: child: unknown link "z"' },
  { urdf('<xacro:macro name="leg"/>', link "a"),
    '2: <xacro:macro "leg">: this file is for xacro: let it write the URDF first' },
  -- MJCF
  { "<mujoco/>",
    "1: there is no <body>" },
  { mjcf(body('<joint axis="0 0 0"/>' .. J)),
    "3: <joint>: an axis of length 0 has no direction" },
  { mjcf(body('<joint type="screw"/>' .. J)),
    '3: <joint>: unknown type "screw"; there are hinge, slide, ball and free' },
  { mjcf(body(J, ' pos="0 0 nan"')),
    '3: <body "a">: pos: "nan" is no finite number' },
  { mjcf(body(J, ' quat="0 0 0 0"')),
    '3: <body "a">: quat is zero, so no rotation' },
  { mjcf(body(J, ' quat="1 0 0 0" euler="0 0 0"')),
    '3: <body "a"> has two orientations' },
  { mjcf(body '<inertial pos="0 0 0" mass="1"/>'),
    "3: <inertial> has neither diaginertia nor fullinertia" },
  { mjcf(body '<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>'),
    '3: link "a": inertia: the triangle inequality does not hold for the principal '
      .. "moments: 1 + 1 < 3" },
  { mjcf(body '<geom type="box" size="1 1"/>'),
    "3: <geom>: size: 2 numbers, want 3 numbers that are positive" },
  { mjcf(body '<geom type="torus" size="1 1"/>'),
    '3: <geom>: geoms of type "torus" are not understood; there are plane, sphere, '
      .. "capsule, ellipsoid, cylinder, box and mesh" },
  { mjcf(body '<geom type="mesh" mesh="m"/>'),
    '3: <geom>: unknown mesh "m"' },
  { mjcf(body '<geom type="mesh" mesh="m"/>',
    '<asset><mesh name="m" file="none.stl"/></asset>'),
    '3: <geom>: the mass of body "a" depends on a mesh that could not be read' },
  { mjcf(body '<geom class="big" size="1"/>'),
    '3: <geom>: unknown class "big"' },
  { mjcf(body('<freejoint/><joint/>' .. J)),
    "3: <freejoint>: a free joint stands alone, in a body of the world" },
  { mjcf(body '<composite type="rope"/>'),
    "3: <composite> is not understood" },
  { mjcf(hinged, '<tendon>\n<spatial name="t"/></tendon>'),
    "6: <tendon>: <spatial> is not understood" },
  { mjcf(hinged, '<equality>\n<connect body1="z" anchor="0 0 0"/></equality>'),
    '6: <connect>: body1: unknown body "z"' },
  { mjcf(hinged, '<equality><tendon tendon1="t"/></equality>'),
    "5: <equality>: <tendon> is not understood; connect, weld and joint are" },
  { mjcf(hinged, '<equality><joint joint1="z"/></equality>'),
    '5: <joint>: joint1: unknown joint "z"' },
  { mjcf(hinged, '<actuator><muscle joint="h"/></actuator>'),
    "5: <actuator>: <muscle> is not understood; motor, position, velocity, damper and "
      .. "general are" },
  { mjcf(hinged, '<actuator><motor joint="z"/></actuator>'),
    '5: <motor>: unknown joint "z"' },
  { mjcf(hinged, '<actuator><motor tendon="t"/></actuator>'),
    "5: <motor>: actuators on a tendon are not understood, only on joints" },
  { mjcf(hinged, '<actuator><general joint="h" dyntype="filter"/></actuator>'),
    '5: <general>: dyntype = "filter" is not understood' },
  { mjcf(hinged, '<include file="none.xml"/>'),
    "5: <include>: none.xml: No such file or directory" },
  { mjcf(hinged .. '<body name="a"/>'),
    '3: body "a": the name is taken by line 3' },
  { mjcf(hinged, '<compiler coordinate="global"/>'),
    "5: <compiler>: global coordinates are not understood" },
  { mjcf(hinged, '<compiler angle="radians"/>'),
    '5: <compiler>: angle: "radians", want "degree" or "radian"' },
  { mjcf(hinged, '<compiler eulerseq="abc"/>'),
    '5: <compiler>: eulerseq = "abc", want three of x, y, z, X, Y, Z' },
  { mjcf(hinged, '<equality><weld body1="a" relpose="0 0 0 0 1 0 0"/></equality>'),
    "5: <weld>: it welds bodies in another orientation than they are drawn in, which is "
      .. "not understood; draw them as they are to be" },
  { mjcf('<joint/>' .. hinged),
    "3: <joint>: the world has no joints" },
  { mjcf(body('<joint range="1 0"/>' .. J)),
    "3: <joint>: range: 1 is not below 0" },
  { mjcf(hinged, '<actuator><motor joint="h" gear="1e300"/><position joint="h" kp="1e300" '
    .. 'gear="1e300"/></actuator>'),
    '3: <joint "h">: its numbers are too large' },
}

describe("a file that is no robot", function()
  for i, one in ipairs(BAD) do
    it(("is refused with its line: %d, %s"):format(i, one[2]:sub(1, 40)), function()
      robots.with_file(one[1], ".xml", function(path)
        local parts, message, code = sarrus.import(path)
        local folder = path:match("^(.*/)[^/]*$"):gsub("%p", "%%%0")
        assert.is_nil(parts)
        assert.equal(path .. ":" .. one[2], (message:gsub(": " .. folder, ": ")))
        assert.equal(one.code or "FORMAT", code)
      end)
    end)
  end

  it("tells all of its faults at once, up to twenty", function()
    local links = {}
    for i = 1, 25 do
      links[i] = ('<link name="l%d"><inertial>%s</inertial></link>'):format(i, MASS)
    end
    robots.with_file(urdf(table.concat(links, "\n")), ".urdf", function(path)
      local _, message = sarrus.import(path)
      local count = select(2, message:gsub("has no <inertia>\n", ""))
      assert.equal(20, count)
      assert.equal("and 5 more", message:match("[^\n]*$"))
    end)
  end)

  --- A text with an attribute changed, lost or taken from elsewhere, or an element lost or doubled.
  local VALUES = { '"0"', '"nan"', '"1 2"', '""', '"-1"', '"1e308"', '"world"', '"true"' }
  local function damage(draw, text)
    local kind, from = draw:whole(1, 4), draw:whole(1, #text)
    local pattern = kind == 2 and '%s[%w_]+="[^"]*"' or kind == 3 and "<[%w_]+[^>]*/>"
      or '"[^"]*"'
    local a, b = text:find(pattern, from)
    local c, d = text:find('"[^"]*"', draw:whole(1, #text))
    if not a or not c then
      return text
    end
    local found = text:sub(a, b)
    local other = kind == 1 and draw:pick(VALUES) or kind == 2 and ""
      or kind == 3 and (draw:chance(0.5) and found .. found or "") or text:sub(c, d)
    return text:sub(1, a - 1) .. other .. text:sub(b + 1)
  end

  it("may be any robot with damage: it is read, or refused by line, and nothing raises", function()
    local texts, count = { files.arm(), (files.delta()), files.walker() }, { 0, 0 }
    for seed = 1, 150 do
      local draw = draws.new(seed)
      local text = draw:pick(texts)
      for _ = 1, draw:whole(1, 3) do
        text = damage(draw, text)
      end
      robots.with_file(text, ".xml", function(path)
        local parts, message, code = sarrus.import(path)
        local which = parts and 1 or 2
        count[which] = count[which] + 1
        assert.is_true(parts ~= nil or message:sub(1, #path + 1) == path .. ":", seed)
        assert.is_true(parts ~= nil or code == "FORMAT", seed)
      end)
    end
    assert.is_true(count[1] > 20 and count[2] > 50)
  end)

  it("may not be there at all", function()
    local parts, message, code = sarrus.import "no/such.urdf"
    assert.is_nil(parts)
    assert.equal("no/such.urdf: No such file or directory", message)
    assert.equal("IO", code)
    parts, message, code = sarrus.import "spec"
    assert.is_nil(parts)
    assert.equal("spec: Is a directory", message)
    assert.equal("IO", code)
  end)

  it("may include itself", function()
    robots.with_file("", ".xml", function(path)
      local file = assert(io.open(path, "w"))
      file:write(("<mujoco>\n<include file=%q/></mujoco>"):format(path))
      file:close()
      local _, message = sarrus.import(path)
      assert.equal(path .. ":2: <include>: " .. path .. " includes itself", message)
    end)
  end)

  it("is told apart from wrong calls, which raise", function()
    local function misuse(...)
      return (select(2, pcall(sarrus.import, ...)):gsub("^[^:]*:%d+: ", ""))
    end
    assert.equal("import: got nil, want the path of a URDF or MJCF file", misuse())
    assert.equal("import: unknown field 'floting' (did you mean 'floating'?)",
      misuse("x", { floting = true }))
    assert.equal("import: contacts: got number 1, want true, false or { friction = … }",
      misuse("x", { contacts = 1 }))
  end)

  it("is not read where expat is missing, which is named", function()
    local preload, loaded, path, cpath = package.preload.lxp, package.loaded.lxp, package.path,
      package.cpath
    package.loaded.lxp, package.cpath = nil, ""
    package.preload.lxp = function() error("not there") end
    local parts, message, code = sarrus.import "arm.urdf"
    package.preload.lxp, package.loaded.lxp, package.path, package.cpath = preload, loaded, path,
      cpath
    assert.is_nil(parts)
    assert.equal("arm.urdf: reading XML needs the module lxp, which is not installed (Debian: "
      .. "lua-expat; LuaRocks: luaexpat)", message)
    assert.equal("IO", code)
  end)
end)
