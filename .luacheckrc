std = "min"
max_line_length = 100
self = false

files["spec"] = {
  std = "min+busted",
}
files["rocks/*.rockspec"] = {
  std = "rockspec",
}
