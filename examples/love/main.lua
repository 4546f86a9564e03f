-- A game in LÖVE: twenty swings over a floor.  Drag a ball with the mouse; pull hard and the hinge
-- breaks.  Run it in the tree: eval "$(make -s env)"; love examples/love
local yard = require "yard"

local SCALE, FLOOR, LEFT = 42, 560, 10 -- pixels per metre, of the lower floor, of the left end
local STEP = 1 / 60

local scene, held, spare
local pointer = love.mouse.getPosition
local cost = { n = 0 } -- CPU seconds of the last frames

function love.load()
  scene, spare = yard.new(20), 0
end

local function place(x, y)
  return (x - LEFT) / SCALE, (FLOOR - y) / SCALE
end

function love.mousepressed(x, y)
  held = scene:find(place(x, y))
end

function love.mousereleased()
  if held then
    scene:pull(held)
  end
  held = nil
end

function love.update(dt)
  spare = math.min(spare + dt, 0.1)
  while spare >= STEP do
    spare = spare - STEP
    local began = os.clock()
    if held then
      scene:pull(held, place(pointer()))
    end
    scene:update(STEP)
    cost.n = cost.n + 1
    cost[cost.n] = os.clock() - began
  end
end

--- A place of a swing, in pixels.
local function pixels(swing, x, y)
  return LEFT + SCALE * (swing.x + x), FLOOR - SCALE * (swing.y + y)
end

local function rod(swing, x, y, angle)
  local c, s = 0.4 * math.cos(angle), 0.4 * math.sin(angle)
  local x1, y1 = pixels(swing, x - c, y - s)
  love.graphics.line(x1, y1, pixels(swing, x + c, y + s))
end

local function circle(swing, x, y, radius)
  local x1, y1 = pixels(swing, x, y)
  love.graphics.circle("fill", x1, y1, radius * SCALE)
end

function love.draw()
  love.graphics.clear(0.96, 0.96, 0.94)
  love.graphics.setColor(0.8, 0.8, 0.76)
  for row = 0, 1 do
    love.graphics.rectangle("fill", 0, FLOOR - SCALE * yard.HEIGHT * row, 1000, 12)
  end
  love.graphics.setLineWidth(4)
  for _, swing in ipairs(scene.swings) do
    local at = swing.at
    love.graphics.setColor(0.3, 0.3, 0.35)
    circle(swing, 0, yard.TOP, 0.1)
    rod(swing, at[1], at[2], at[3])
    love.graphics.setColor(swing.broken and { 0.8, 0.3, 0.2 } or { 0.3, 0.3, 0.35 })
    rod(swing, at[4], at[5], at[6])
    love.graphics.setColor(swing == held and { 0.9, 0.6, 0.1 } or { 0.16, 0.47, 0.84 })
    circle(swing, at[7], at[8], 0.2)
    if swing == held then
      local x, y = pixels(swing, at[7], at[8])
      love.graphics.setLineWidth(1)
      love.graphics.line(x, y, pointer())
      love.graphics.setLineWidth(4)
    end
  end
  love.graphics.setColor(0.2, 0.2, 0.2)
  local text = "%d swings, %d broken; %.2f ms of CPU in the last frame; drag a ball"
  love.graphics.print(text:format(#scene.swings, scene.broken, 1000 * (cost[cost.n] or 0)), 16, 16)
end

-- For tests: SARRUS_FRAMES frames of a game that plays itself, a picture, and what it has cost.
local frames = tonumber(os.getenv "SARRUS_FRAMES" or "")
if frames then
  local drawn, pretended = 0, { 0, 0 }
  pointer = function() return pretended[1], pretended[2] end
  local update = love.update
  function love.update()
    drawn = drawn + 1
    local swing = scene.swings[5]
    if drawn == 60 then
      love.mousepressed(pixels(swing, swing.at[7], swing.at[8]))
    elseif drawn == 150 then
      love.mousereleased()
    end
    pretended[1], pretended[2] = pixels(swing, 2.5, 3.5)
    update(STEP * 1.000001)
    if drawn == 140 then
      love.graphics.captureScreenshot("yard.png")
    elseif drawn == frames then
      table.sort(cost)
      print(("%d frames, %d broken, CPU per frame: p99 %.3f ms, worst %.3f ms"):format(cost.n,
        scene.broken, 1000 * cost[math.ceil(0.99 * cost.n)], 1000 * cost[cost.n]))
      love.event.quit()
    end
  end
end
