/*
** core.sheet(path, format, width, header), called by lua/sarrus/output/sheet.lua: rows of `width`
** numbers as text in a file, in one of `formats`.  Recorders write the rows (recorder:stream,
** recorder:copy).  The file takes the name `path` at sheet:commit(), or when the sheet is
** collected; until then an earlier file stays as it was.  On failure: nil, the reason, "IO".
*/
#include "binding.h"

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

/* Names of formats, in the order of sarrus_SheetFormat. */
static const char *const formats[] = {"csv", "jsonl", NULL};

static int new_sheet(lua_State *L) {
  size_t length;
  const int format = luaL_checkoption(L, 2, NULL, formats);
  const int width = sarrus_check_int(L, 3, 1, 1 << 24);
  const char *header = luaL_checklstring(L, 4, &length);
  sarrus_Sheet *sheet = new_box(L);
  sheet->format = (sarrus_SheetFormat)format;
  sheet->width = width;
  sheet->file = sarrus_open_file(L);
  if (sheet->file == NULL) return 3;
  if (sarrus_file_write(sheet->file, header, length) < 0)
    return sarrus_push_file_error(L, sheet->file);
  return 1;
}

/* sheet:commit(): finish and close the file; true, or the failure */
static int commit(lua_State *L) {
  sarrus_Sheet *sheet = sarrus_check_sheet(L, 1);
  sarrus_File *file = sheet->file;
  sheet->file = NULL;
  const int results = sarrus_file_commit(file) < 0 ? sarrus_push_file_error(L, file) : 1;
  sarrus_file_free(file);
  if (results == 1) lua_pushboolean(L, 1);
  return results;
}

/* sheet:failure(): nil, reason, "IO" if writing has failed, else true */
static int failure(lua_State *L) {
  const sarrus_Sheet *sheet = sarrus_check_sheet(L, 1);
  if (sarrus_file_error(sheet->file) != 0) return sarrus_push_file_error(L, sheet->file);
  lua_pushboolean(L, 1);
  return 1;
}

/* sheet:abandon(): close the sheet and remove what was written */
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

void sarrus_bind_sheet(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"commit", commit}, {"failure", failure}, {"abandon", abandon}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", collect}, {NULL, NULL}};
  sarrus_new_class(L, SARRUS_SHEET_CLASS, methods, meta);
  lua_pushcfunction(L, new_sheet);
  lua_setfield(L, -2, "sheet");
}
