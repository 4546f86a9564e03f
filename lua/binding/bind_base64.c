/*
** core.base64(lists, width), called where pages and glTF files are written: the numbers of all
** lists, one after the other, as IEEE numbers of 4 or 8 bytes, little endian, in base64.  Elements
** that are no numbers become NaN.
*/
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "binding.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

typedef struct Encoder {
  luaL_Buffer buffer;
  uint32_t bits; /* the bytes that do not make a group of three yet */
  int count;     /* how many they are, 0 to 2 */
} Encoder;

static void put_group(Encoder *e, int length) {
  for (int i = 0; i < 4; i++)
    luaL_addchar(&e->buffer, i <= length ? digits[e->bits >> (18 - 6 * i) & 63] : '=');
  e->bits = 0;
  e->count = 0;
}

static void put_byte(Encoder *e, uint64_t byte) {
  e->bits |= (uint32_t)(byte & 255) << (16 - 8 * e->count);
  if (++e->count == 3) put_group(e, 3);
}

static void put_number(Encoder *e, double x, int width) {
  uint64_t bits = 0;
  if (width == 8) {
    memcpy(&bits, &x, sizeof x);
  } else {
    const float y = (float)x;
    uint32_t half;
    memcpy(&half, &y, sizeof y);
    bits = half;
  }
  for (int i = 0; i < width; i++)
    put_byte(e, bits >> 8 * i);
}

/* Values are read into a block first, since a luaL_Buffer needs the top of the stack. */
static int base64(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int width = sarrus_check_int(L, 2, 4, 8), lists = (int)lua_rawlen(L, 1);
  Encoder e = {.bits = 0, .count = 0};
  size_t total = 0, used = 0;
  for (int i = 1; i <= lists; i++) {
    lua_rawgeti(L, 1, i);
    luaL_checktype(L, -1, LUA_TTABLE);
    total += lua_rawlen(L, -1);
    lua_pop(L, 1);
  }
  double *values = lua_newuserdata(L, (total + 1) * sizeof *values);
  for (int i = 1; i <= lists; i++) {
    lua_rawgeti(L, 1, i);
    const int length = (int)lua_rawlen(L, -1);
    for (int k = 1; k <= length && used < total; k++) {
      lua_rawgeti(L, -1, k);
      values[used++] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  luaL_buffinit(L, &e.buffer);
  for (size_t i = 0; i < used; i++)
    put_number(&e, values[i], width);
  if (e.count > 0) put_group(&e, e.count);
  luaL_pushresult(&e.buffer);
  return 1;
}

void sarrus_bind_base64(lua_State *L) {
  lua_pushcfunction(L, base64);
  lua_setfield(L, -2, "base64");
}
