/*
** core.sheet(path, format, width, header): rows of numbers as text in a file, in one of `formats`.
** What was written takes the path's name at sheet:commit(), or when the sheet is collected.
** core.write_file(path, text): a whole file.  Failures: nil, the reason, "IO".
*/
#include <stdio.h>
#include <string.h>

#include "binding.h"

static int push_io(lua_State *L, const char *reason) {
  return sarrus_push_failure(L, SARRUS_IO, reason);
}

/* The file for the path at index 1; NULL where the failure has been pushed. */
static sarrus_File *open_file(lua_State *L) {
  size_t length;
  const char *path = luaL_checklstring(L, 1, &length);
  sarrus_File *file;
  int error;
  if (strlen(path) != length) {
    push_io(L, "a path cannot contain a zero byte");
    return NULL;
  }
  const sarrus_Status status = sarrus_file_open(sarrus_lua_memory(L), NULL, path, &file, &error);
  if (status == SARRUS_NOMEM) sarrus_raise_status(L, status);
  if (status < 0) push_io(L, strerror(error));
  return file;
}

static int push_reason(lua_State *L, const sarrus_File *file) {
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%lld", sarrus_file_bytes(file));
  lua_pushnil(L);
  lua_pushfstring(L, "%s (after %s bytes)", strerror(sarrus_file_error(file)), bytes);
  lua_pushstring(L, sarrus_status_name(SARRUS_IO));
  return 3;
}

/* --- sheets ------------------------------------------------------------------------------ */

static sarrus_Sheet *new_box(lua_State *L) {
  sarrus_Sheet *sheet = sarrus_newuserdata(L, sizeof *sheet);
  *sheet = (sarrus_Sheet){NULL, SARRUS_CSV, 0};
  luaL_getmetatable(L, SARRUS_SHEET_CLASS);
  lua_setmetatable(L, -2);
  return sheet;
}

sarrus_Sheet *sarrus_check_sheet(lua_State *L, int index) {
  sarrus_Sheet *sheet = luaL_checkudata(L, index, SARRUS_SHEET_CLASS);
  if (sheet->file == NULL) luaL_error(L, "the file is closed");
  return sheet;
}

/* In the order of sarrus_SheetFormat. */
static const char *const formats[] = {"csv", "jsonl", NULL};

static int new_sheet(lua_State *L) {
  size_t length;
  const int format = luaL_checkoption(L, 2, NULL, formats);
  const int width = sarrus_check_int(L, 3, 1, 1 << 24);
  const char *header = luaL_checklstring(L, 4, &length);
  sarrus_Sheet *sheet = new_box(L);
  sheet->format = (sarrus_SheetFormat)format;
  sheet->width = width;
  sheet->file = open_file(L);
  if (sheet->file == NULL) return 3;
  if (sarrus_file_write(sheet->file, header, length) < 0) return push_reason(L, sheet->file);
  return 1;
}

/* sheet:commit(): true, once; nothing more can be written */
static int commit(lua_State *L) {
  sarrus_Sheet *sheet = sarrus_check_sheet(L, 1);
  sarrus_File *file = sheet->file;
  sheet->file = NULL;
  const int results = sarrus_file_commit(file) < 0 ? push_reason(L, file) : 1;
  sarrus_file_free(file);
  if (results == 1) lua_pushboolean(L, 1);
  return results;
}

/* sheet:failure(): nil, reason, "IO" if writing has failed, else true */
static int failure(lua_State *L) {
  const sarrus_Sheet *sheet = sarrus_check_sheet(L, 1);
  if (sarrus_file_error(sheet->file) != 0) return push_reason(L, sheet->file);
  lua_pushboolean(L, 1);
  return 1;
}

/* sheet:abandon(): nothing of it stays */
static int abandon(lua_State *L) {
  sarrus_Sheet *sheet = luaL_checkudata(L, 1, SARRUS_SHEET_CLASS);
  sarrus_file_free(sheet->file);
  sheet->file = NULL;
  return 0;
}

static int collect(lua_State *L) {
  const sarrus_Sheet *sheet = luaL_checkudata(L, 1, SARRUS_SHEET_CLASS);
  if (sheet->file != NULL) sarrus_file_commit(sheet->file);
  return abandon(L);
}

/* --- whole files ------------------------------------------------------------------------- */

static int write_file(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 2, &length);
  sarrus_File *file = open_file(L);
  if (file == NULL) return 3;
  sarrus_Status status = sarrus_file_write(file, text, length);
  if (status == SARRUS_OK) status = sarrus_file_commit(file);
  const int results = status < 0 ? push_reason(L, file) : 1;
  sarrus_file_free(file);
  if (results == 1) lua_pushboolean(L, 1);
  return results;
}

void sarrus_bind_sheet(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"commit", commit}, {"failure", failure}, {"abandon", abandon}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, SARRUS_SHEET_CLASS, methods, meta);
  lua_pushcfunction(L, new_sheet);
  lua_setfield(L, -2, "sheet");
  lua_pushcfunction(L, write_file);
  lua_setfield(L, -2, "write_file");
}
