function love.conf(t)
  t.identity = "sarrus-yard"
  t.window.title = "sarrus: a yard of swings"
  t.window.width, t.window.height = 1000, 600
  t.window.msaa = 4
  t.modules.physics, t.modules.joystick = false, false
  t.modules.audio, t.modules.sound = false, false
end
