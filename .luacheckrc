std = "min"
max_line_length = 100
max_comment_line_length = false -- annotations are one line each; spec/layout_spec.lua checks the rest
self = false

files["spec"] = {
  std = "min+busted",
}
files["rocks/*.rockspec"] = {
  std = "rockspec",
}
files["examples/love"] = {
  std = "min+love",
}
files["lua/playground"] = {
  std = "lua54",
}
