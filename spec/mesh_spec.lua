-- Meshes from files: STL as text and in binary, OBJ, and what is none.
local mesh = require "sarrus.model.drawing.mesh"

--- What a mesh file with this text is read as; its path goes by PATH in messages.
local function read(suffix, text)
  local path = os.tmpname()
  local file = assert(io.open(path .. suffix, "wb"))
  file:write(text)
  file:close()
  local points, message = mesh.read(path .. suffix)
  os.remove(path)
  os.remove(path .. suffix)
  return points, message and message:gsub(path:gsub("%p", "%%%0"), "PATH")
end

--- A number in single precision, little-endian, from its sign, exponent and fraction of 2^23.
local function single(sign, exponent, fraction)
  local word = sign * 2 ^ 31 + (exponent + 127) * 2 ^ 23 + fraction
  local bytes = {}
  for i = 1, 4 do
    bytes[i] = string.char(word % 256)
    word = math.floor(word / 256)
  end
  return table.concat(bytes)
end

--- A binary STL of triangles, each nine numbers as text of four bytes.
local function binary(triangles)
  local list = { ("x"):rep(80), string.char(#triangles, 0, 0, 0) }
  for _, numbers in ipairs(triangles) do
    list[#list + 1] = ("\0"):rep(12) .. table.concat(numbers) .. "\0\0"
  end
  return table.concat(list)
end

describe("a mesh", function()
  it("in binary STL has all bits of its numbers", function()
    local cases = {
      { single(0, 0, 0), 1 }, { single(1, 0, 2 ^ 22), -1.5 }, { single(0, 1, 1), 2 + 2 ^ -22 },
      { single(0, -126, 0), 2 ^ -126 }, { single(0, 127, 2 ^ 23 - 1), 2 ^ 128 - 2 ^ 104 },
      { single(0, -127, 1), 2 ^ -149 }, { single(1, -127, 3), -3 * 2 ^ -149 },
      { single(0, -127, 0), 0 }, { single(1, 10, 2 ^ 20), -1152 },
    }
    local numbers = {}
    for i, case in ipairs(cases) do
      numbers[i] = case[1]
    end
    local points = assert(read(".stl", binary { numbers, numbers }))
    assert.are.equal(6, #points)
    for i, case in ipairs(cases) do
      for triangle = 0, 1 do
        assert.are.equal(case[2], points[3 * triangle + math.floor((i + 2) / 3)][(i - 1) % 3 + 1])
      end
    end
  end)

  it("of numbers that are none is not whole", function()
    local one = single(0, 0, 0)
    for _, bad in ipairs { single(0, 128, 0), single(1, 128, 0), single(0, 128, 1) } do
      for place = 1, 9 do -- any coordinate of any corner
        local numbers = { one, one, one, one, one, one, one, one, one }
        numbers[place] = bad
        local points, message = read(".stl", binary { numbers })
        assert.is_nil(points)
        assert.are.equal("PATH.stl has no triangles, or some that are not whole", message)
      end
    end
  end)

  it("may be one triangle", function()
    local one = single(0, 0, 0)
    local points = assert(read(".stl", binary { { one, one, one, one, one, one, one, one, one } }))
    assert.are.same({ { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } }, points)
  end)

  it("in text STL is what its vertices say", function()
    local points = assert(read(".STL", "solid s\nfacet normal 0 0 1\nouter loop\n"
      .. "vertex 0 0 0\n vertex 1.5 0 -2e-3\nvertex\t0 1 0\nendloop\nendfacet\nendsolid\n"))
    assert.are.same({ { 0, 0, 0 }, { 1.5, 0, -2e-3 }, { 0, 1, 0 } }, points)
  end)

  it("in OBJ has fans for faces of more corners, and counts from either end", function()
    local points = assert(read(".obj", "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
      .. "vn 0 0 1\nf 1/1/1 2//1 3 -1\n"))
    assert.are.same({ { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 0 }, { 1, 1, 0 },
      { 0, 1, 0 } }, points)
  end)

  it("with a corner that is not there is not whole", function()
    for _, face in ipairs { "1 2 4", "1 2 0", "1 2 -4", "1 2 x" } do
      local points, message = read(".obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf " .. face .. "\n")
      assert.is_nil(points)
      assert.are.equal("PATH.obj has no triangles, or some that are not whole", message)
    end
  end)

  it("is none without triangles, or in another format", function()
    local nothing = "PATH%s has no triangles, or some that are not whole"
    for suffix, text in pairs { [".stl"] = "", [".obj"] = "v 0 0 0\nf 1 1\n",
      [".Stl"] = ("x"):rep(84) } do
      local points, message = read(suffix, text)
      assert.is_nil(points)
      assert.are.equal(nothing:format(suffix), message)
    end
    for bytes = 0, 84 do -- a whole head is 84 bytes
      assert.are.equal(nothing:format(".stl"), select(2, read(".stl", ("x"):rep(bytes))))
    end
    local points, message = read(".ply", "ply")
    assert.is_nil(points)
    assert.are.equal("PATH.ply is neither an .stl nor an .obj file", message)
    points, message = mesh.read("/none/there.stl")
    assert.is_nil(points)
    assert.are.equal("/none/there.stl: No such file or directory", message)
  end)
end)

describe("a mesh", function()
  it("in binary STL may have thousands of triangles", function()
    for _, count in ipairs { 255, 257, 65538 } do
      local bytes = string.char(count % 256, math.floor(count / 256) % 256,
        math.floor(count / 65536), 0)
      local points = read(".stl", ("x"):rep(80) .. bytes .. ("\0"):rep(50 * count))
      assert.are.equal(3 * count, #points)
    end
  end)

  it("is as large as its scale makes it along each of its own axes, turned and placed", function()
    local sarrus = require "sarrus"
    local path = os.tmpname()
    local file = assert(io.open(path .. ".obj", "w"))
    file:write("v 1 2 3\nv -1 0 0\nv 0 1 0\nf 1 2 3\n")
    file:close()
    for _, scale in ipairs { { 2, 3, 5 }, { -1, 1, 1 }, 7 } do
      local form = sarrus.model {
        sarrus.body.sphere { "ball", position = { 10, 0, 0 }, radius = 0.5, mass = 1 },
        sarrus.shape.mesh { "hull", "ball", file = path .. ".obj", at = { 11, 1, 2 },
          scale = scale, orientation = { axis = { 0, 0, 1 }, angle = math.pi / 2 } },
      }.shapes[1]
      local points = require "sarrus.model.drawing.shape".form(form).points
      local s = type(scale) == "table" and scale or { scale, scale, scale }
      for i, p in ipairs { { 1, 2, 3 }, { -1, 0, 0 }, { 0, 1, 0 } } do
        local expected = { 1 - s[2] * p[2], 1 + s[1] * p[1], 2 + s[3] * p[3] }
        for k = 1, 3 do
          assert.near(expected[k], points[i][k], 1e-13)
        end
      end
    end
    os.remove(path)
    os.remove(path .. ".obj")
  end)

  it("is where its file says, unless it is placed", function()
    local sarrus = require "sarrus"
    local path = os.tmpname()
    local file = assert(io.open(path .. ".obj", "w"))
    file:write("v 1 2 3\nv -1 0 0\nv 0 1 0\nf 1 2 3\n")
    file:close()
    local form = sarrus.model {
      sarrus.body.sphere { "ball", position = { 0, 0, 9 }, radius = 0.5, mass = 1 },
      sarrus.shape.mesh { "hull", "ground", file = path .. ".obj" },
    }.shapes[1]
    os.remove(path)
    os.remove(path .. ".obj")
    local points = require "sarrus.model.drawing.shape".form(form).points
    assert.same({ { 1, 2, 3 }, { -1, 0, 0 }, { 0, 1, 0 } }, points)
  end)

  it("is in no contact", function()
    local sarrus = require "sarrus"
    local path = os.tmpname()
    local file = assert(io.open(path .. ".obj", "w"))
    file:write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    file:close()
    local good, message = pcall(sarrus.model, {
      sarrus.body.sphere { "ball", position = { 0, 0, 2 }, radius = 0.5, mass = 1 },
      sarrus.shape.mesh { "hull", "ground", file = path .. ".obj" },
      sarrus.contact.pair { "c", "hull", "ball" },
    })
    os.remove(path)
    os.remove(path .. ".obj")
    assert.is_false(good)
    assert.truthy(message:find('contact.pair "c": "hull" and "ball": no contact of a mesh and a '
      .. "sphere; there is plane with", 1, true), message)
  end)
end)
