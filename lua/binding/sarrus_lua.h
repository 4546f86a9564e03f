/*
** For hosts that link Lua themselves: the C module as a function.  Its archive is libsarrus_lua.a,
** to be linked with libsarrus and with the Lua that it was built for; installed, this is
** <sarrus/lua.h>.
**
**   luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);    (5.1: package.preload)
**   lua_pushcfunction(L, luaopen_sarrus_core);
**   lua_setfield(L, -2, "sarrus.core");
**
** After that, require "sarrus" needs no shared library; package.path must lead to the files of the
** folder `sarrus`, which are plain Lua.
*/
#ifndef SARRUS_LUA_H
#define SARRUS_LUA_H

#include <lua.h>

#ifdef __cplusplus
extern "C"
#endif
#if defined(_WIN32)
    __declspec(dllexport)
#elif defined(__GNUC__) || defined(__clang__)
__attribute__((visibility("default")))
#endif
        int luaopen_sarrus_core(lua_State *L);

#endif
