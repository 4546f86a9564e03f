/*
** Files, for lua/sarrus/base/file.lua: core.read_file, core.write_file, core.close_files,
** core.files_are_closed.  Everything in sarrus reads and writes files through this file, so that
** core.close_files() can forbid it for good (sarrus.sandbox).  A file is written whole or not at
** all.  On failure: nil, the reason, "IO".
*/
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "binding.h"

/* --- the door ---------------------------------------------------------------------------- */

static char door_key, used_key; /* their addresses are keys of the registry */

/* Whether this Lua state has the mark: files are closed, or there has been a simulation. */
static int has_mark(lua_State *L, void *key) {
  lua_pushlightuserdata(L, key);
  lua_rawget(L, LUA_REGISTRYINDEX);
  const int set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

static void set_mark(lua_State *L, void *key) {
  lua_pushlightuserdata(L, key);
  lua_pushboolean(L, 1);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

static int is_shut(lua_State *L) { return has_mark(L, &door_key); }

void sarrus_note_sim(lua_State *L) { set_mark(L, &used_key); }

/* core.close_files(): whether files are closed now; refused once there has been a simulation */
static int close_files(lua_State *L) {
  if (!has_mark(L, &used_key)) set_mark(L, &door_key);
  lua_pushboolean(L, is_shut(L));
  return 1;
}

/* core.files_are_closed() */
static int files_are_closed(lua_State *L) {
  lua_pushboolean(L, is_shut(L));
  return 1;
}

static int push_io(lua_State *L, const char *reason) {
  return sarrus_push_failure(L, SARRUS_IO, reason);
}

/* The path at index 1; NULL, and the failure is pushed, if files are closed or it is no path. */
static const char *check_path(lua_State *L) {
  size_t length;
  const char *path = luaL_checklstring(L, 1, &length);
  if (is_shut(L))
    push_io(L, "files are closed (sarrus.sandbox)");
  else if (strlen(path) != length)
    push_io(L, "a path cannot contain a zero byte");
  else
    return path;
  return NULL;
}

/* --- writing ----------------------------------------------------------------------------- */

sarrus_File *sarrus_open_file(lua_State *L) {
  const char *path = check_path(L);
  sarrus_File *file;
  int error;
  if (path == NULL) return NULL;
  const sarrus_Status status = sarrus_file_open(sarrus_lua_memory(L), NULL, path, &file, &error);
  if (status == SARRUS_NOMEM) sarrus_raise_status(L, status);
  if (status < 0) push_io(L, strerror(error));
  return file;
}

int sarrus_push_file_error(lua_State *L, const sarrus_File *file) {
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%lld", sarrus_file_bytes(file));
  lua_pushnil(L);
  lua_pushfstring(L, "%s (after %s bytes)", strerror(sarrus_file_error(file)), bytes);
  lua_pushstring(L, sarrus_status_name(SARRUS_IO));
  return 3;
}

/* core.write_file(path, text): true, or a failure that leaves an earlier file as it was */
static int write_file(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 2, &length);
  sarrus_File *file = sarrus_open_file(L);
  if (file == NULL) return 3;
  sarrus_Status status = sarrus_file_write(file, text, length);
  if (status == SARRUS_OK) status = sarrus_file_commit(file);
  const int results = status < 0 ? sarrus_push_file_error(L, file) : 1;
  sarrus_file_free(file);
  if (results == 1) lua_pushboolean(L, 1);
  return results;
}

/* --- reading ----------------------------------------------------------------------------- */

/* Push the bytes of the stream, `most` at most; returns 0, or an errno. */
static int read_bytes(lua_State *L, FILE *stream, size_t most) {
  luaL_Buffer text;
  size_t count;
  luaL_buffinit(L, &text);
  do {
    char *room = luaL_prepbuffer(&text);
    const size_t wanted = most < LUAL_BUFFERSIZE ? most : LUAL_BUFFERSIZE;
    count = fread(room, 1, wanted, stream);
    luaL_addsize(&text, count);
    most -= count;
  } while (count > 0 && most > 0);
  const int error = ferror(stream) ? errno : 0;
  luaL_pushresult(&text);
  return error;
}

/* Arguments: stream, most.  Runs under lua_pcall, so that an error does not leave it open. */
static int read_stream(lua_State *L) {
  FILE *stream = lua_touserdata(L, 1);
  const double most = lua_tonumber(L, 2);
  lua_settop(L, 0);
  const int error = read_bytes(L, stream, most < INT_MAX ? (size_t)most : INT_MAX);
  return error != 0 ? push_io(L, strerror(error)) : 1;
}

/* core.read_file(path [, most]): the text, or its first bytes; never more than 2 GB */
static int read_file(lua_State *L) {
  const double most = luaL_optnumber(L, 2, INT_MAX);
  const char *path = check_path(L);
  if (path == NULL) return 3;
  if (!(most >= 0)) return luaL_error(L, "so many bytes cannot be");
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return push_io(L, strerror(errno));
  lua_settop(L, 0);
  lua_pushcfunction(L, read_stream);
  lua_pushlightuserdata(L, stream);
  lua_pushnumber(L, most);
  const int status = lua_pcall(L, 2, LUA_MULTRET, 0);
  fclose(stream);
  return status != 0 ? lua_error(L) : lua_gettop(L);
}

void sarrus_bind_file(lua_State *L) {
  static const luaL_Reg functions[] = {{"close_files", close_files},
                                       {"files_are_closed", files_are_closed},
                                       {"write_file", write_file},
                                       {"read_file", read_file},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
