-- The examples of simulations print what they should, under every Lua, and the C program too.
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

local expected = {
  pendulum = [[
  t            x            y       lambda   error below
 10  -0.27508746  -0.96141921  14.14728360   1e-11
100  -0.18151335  -0.98338848  14.47056149   1e-11

after 100 s
  energy within 1e-12:            true
  length of the rod within 1e-14: true
]],
  squeezer = [[
be    15.8107711952
th   -15.7563710584
ga     0.0408222401
ph    -0.5347301163
de     0.5244099659
om     0.5347301163
ep     1.0480807410
error of angles and lambda[1] below 1e-11: true
]],
  sleigh = [[
t            x            y           th        speed   error below
1   0.18687552   0.14113371   0.96076216   0.46211716   1e-12
5  -1.68032079   2.49221032   2.81398714   0.98661430   1e-12

after 60 s: it glides straight on at speed 1 (within 1e-12): true
]],
  bouncing_ball = [[
bounce   time         error below
     1  0.451523641   1e-12
     2  1.264266195   1e-12
     5  3.246545283   1e-12
    10  5.430218003   1e-12
    20  7.481054504   1e-12
    40  8.445470817   1e-12

at 8.5 s: 44 bounces, height 5.565551e-06 m, velocity -0.041665196 m/s
the last one at 8.578948278 s, of infinitely many until 8.578949179 s
at 20 s: stick, within 1e-15 m of the floor: true
it rolls: 0.266667 m/s, 0.266667 of them by its spin
]],
  cradle = [[
   t   hits   heights above the lowest point               energy within 1e-10
0.00     0    0.2000  0.0000  0.0000  0.0000  0.0000   true
0.25     0    0.1071  0.0000  0.0000  0.0000  0.0000   true
0.50     0    0.0004  0.0000  0.0000  0.0000  0.0000   true
0.75     4    0.0000  0.0000  0.0000  0.0000  0.0878   true
1.00     4    0.0000  0.0000  0.0000  0.0000  0.1982   true
1.25     4    0.0000  0.0000  0.0000  0.0000  0.1261   true
1.50     4    0.0000  0.0000  0.0000  0.0000  0.0042   true
1.75     8    0.0689  0.0000  0.0000  0.0000  0.0000   true
2.00     8    0.1930  0.0000  0.0000  0.0000  0.0000   true
]],
  friction = [[
stop      time            x   error below
   1  1.570796  -0.95000000   1e-12
   2  3.141593   0.70000000   1e-12
   3  4.712389  -0.45000000   1e-12
   4  6.283185   0.20000000   1e-12
   5  7.853982   0.05000000   1e-12

it sticks at x = 0.050000, still there at t = 10: true
stick: the spring pulls with 0.200000 N, friction could hold 0.500000 N
]],
}

describe("the example", function()
  for name, output in pairs(expected) do
    local file = ("examples/%s.lua"):format(name)
    it(name .. " prints the known answer, and is short", function()
      assert.are.equal(output, shell.run('eval "$(.ci/env)"; ' .. interpreter .. " " .. file))
      local lines = 0
      for _ in io.lines(file) do
        lines = lines + 1
      end
      assert.is_true(lines < 60, lines)
    end)
  end
end)

--- What a program in C prints that is built with the public headers alone.
local function build_and_run(file)
  local program = os.tmpname()
  shell.run("make build/libsarrus.a")
  shell.run("cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Icore/include -o "
    .. shell.quote(program) .. " " .. file .. " build/libsarrus.a -llapack -lm")
  local printed = shell.run(shell.quote(program))
  os.remove(program)
  return printed
end

describe("examples in C #build", function()
  it("pendulum.c needs the public headers only, and prints the known answer", function()
    assert.are.equal([[
t =  10: x = -0.275087463, y = -0.961419205, lambda = 14.147283603, passed 4 times
         error below 1e-11: yes
t = 100: x = -0.181513351, y = -0.983388480, lambda = 14.470561488, passed 42 times
         error below 1e-11: yes
]], build_and_run("examples/pendulum.c"))
  end)

  it("contact.c comes to rest", function()
    assert.are.equal([[
t =   8.5: the contact is open  and exerts 0.00 N
           height and speed to 1e-12: yes
           44 bounces
t =   8.6: the contact is slip  and exerts 9.81 N
           height and speed to 1e-12: yes
t = 100.0: the contact is slip  and exerts 9.81 N
           height and speed to 1e-12: yes
]], build_and_run("examples/contact.c"))
  end)
end)
