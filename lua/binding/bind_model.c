/*
** core.model(equations, sights, items), called by lua/sarrus/output/export.lua: the file of a
** model, as a string.  `equations` and `sights` are the graphs of sarrus_model_write.  An item is
** { list = number, name = text, field, value, field, value, … }, where values are texts or lists of
** numbers.  Nothing is kept of the arguments.
*/
#include <string.h>

#include "binding.h"
#include "sarrus/model.h"

/* The text at index, which stays valid when it is popped: a table among the arguments has it. */
static const char *check_text(lua_State *L, int index) {
  size_t length;
  const char *text = luaL_checklstring(L, index, &length);
  if (strlen(text) != length) luaL_error(L, "a name has a zero in it");
  return text;
}

/* The field at `i` of the item at index; numbers are kept in the table at `keep`. */
static sarrus_Field field_at(lua_State *L, int item, int i, int keep) {
  sarrus_Field field = {0};
  lua_rawgeti(L, item, i);
  lua_rawgeti(L, item, i + 1);
  field.name = check_text(L, lua_gettop(L) - 1);
  if (lua_type(L, -1) == LUA_TSTRING) {
    field.text = check_text(L, lua_gettop(L));
  } else {
    const int list = lua_gettop(L);
    luaL_checktype(L, list, LUA_TTABLE);
    field.count = (int)lua_rawlen(L, list);
    double *numbers = sarrus_newuserdata(L, ((size_t)field.count + 1) * sizeof *numbers);
    sarrus_read_numbers(L, list, field.count, numbers);
    field.numbers = numbers;
    lua_rawseti(L, keep, (int)lua_rawlen(L, keep) + 1);
  }
  lua_pop(L, 2);
  return field;
}

/* Pop the item on top of the stack; its fields are kept in the table at `keep`. */
static sarrus_Item item_of(lua_State *L, int keep) {
  const int item = lua_gettop(L), count = (int)lua_rawlen(L, item) / 2;
  sarrus_Field *fields = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *fields);
  lua_rawseti(L, keep, (int)lua_rawlen(L, keep) + 1);
  lua_getfield(L, item, "list");
  lua_getfield(L, item, "name");
  const sarrus_Item result = {
      .list = (sarrus_List)sarrus_check_int(L, item + 1, 0, SARRUS_LISTS - 1),
      .name = check_text(L, item + 2),
      .fields = count,
      .field = fields,
  };
  lua_pop(L, 2);
  for (int i = 0; i < count; i++)
    fields[i] = field_at(L, item, 2 * i + 1, keep);
  lua_pop(L, 1);
  return result;
}

static int write_model(lua_State *L) {
  const sarrus_GraphBox *equations = sarrus_check_graph(L, 1), *sights = sarrus_check_graph(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  lua_newtable(L);
  const int count = (int)lua_rawlen(L, 3);
  sarrus_Item *items = sarrus_newuserdata(L, ((size_t)count + 1) * sizeof *items);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 3, i + 1);
    items[i] = item_of(L, 4);
  }
  const size_t size = sarrus_model_write(equations->graph, sights->graph, count, items, NULL, 0);
  if (size == 0) return luaL_error(L, "items are not in the order of their lists");
  char *text = sarrus_newuserdata(L, size);
  sarrus_model_write(equations->graph, sights->graph, count, items, text, size);
  lua_pushlstring(L, text, size);
  return 1;
}

void sarrus_bind_model(lua_State *L) {
  lua_pushcfunction(L, write_model);
  lua_setfield(L, -2, "model");
}
