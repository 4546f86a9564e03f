rockspec_format = "3.0"
package = "sarrus"
version = "scm-1"
source = { url = "git://github.com/sarrus/sarrus" }
description = {
  summary = "Simulation of constrained mechanisms",
  detailed = [[
Describe a mechanism, or any system M v' = f - G' lambda with constraints g(q) = 0, in Lua; a C
core expands its motion in power series by the Adomian decomposition method, without reducing the
index, and steps along it to any accuracy asked for.  Reading URDF and MJCF files needs the rock
luaexpat besides.]],
  license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.6" }
test_dependencies = { "luaexpat" } -- which users need only where they import robots
-- macOS has LAPACK in its SDK, where luarocks does not look for it.
external_dependencies = { platforms = { linux = { LAPACK = { library = "lapack" } } } }
-- By the Makefile, for flags that matter to the numbers (-ffp-contract=off) and a clean tree.
build = {
  type = "make",
  build_target = "rock-build",
  build_variables = {
    CC = "$(CC)",
    CFLAGS = "$(CFLAGS)",
    LINK_MODULE = "$(LIBFLAG)",
    LUA_INCDIR = "$(LUA_INCDIR)",
    LAPACK_LIBDIR = "$(LAPACK_LIBDIR)",
  },
  install_target = "rock-install",
  install_variables = {
    INST_LUADIR = "$(LUADIR)",
    INST_LIBDIR = "$(LIBDIR)",
    INST_BINDIR = "$(BINDIR)",
    INST_PREFIX = "$(PREFIX)", -- the rock's own folder, for its doc
  },
}
