/*
** core.adomian(graph, node or nil, variables, order), called by lua/sarrus/series/adomian.lua: the
** Adomian polynomials A_0 … A_order (T2) of the node, or of a function without expression, in the
** symbols that sarrus/adomian.h names.  They are nodes of the same graph, in a table from index 0.
** On failure: nil, a sentence, the code.
*/
#include "binding.h"
#include "sarrus/adomian.h"

enum { MOST_VARIABLES = 1000, HIGHEST_ORDER = 1000 };

static int adomian(lua_State *L) {
  sarrus_GraphBox *box = sarrus_check_graph(L, 1);
  const sarrus_Expr f = lua_isnoneornil(L, 2) ? SARRUS_NONE : sarrus_check_expr(L, 2, box);
  const int variables = sarrus_check_int(L, 3, 1, MOST_VARIABLES);
  const int order = sarrus_check_int(L, 4, 0, HIGHEST_ORDER);
  sarrus_Expr *polynomials = lua_newuserdata(L, ((size_t)order + 1) * sizeof *polynomials);
  const sarrus_Status status = sarrus_adomian_expand(box->graph, f, variables, order, polynomials);
  if (status < 0) return sarrus_fail(L, status, NULL);
  sarrus_graph_grown(L, box);
  lua_createtable(L, order, 1);
  for (int k = 0; k <= order; k++) {
    lua_pushinteger(L, polynomials[k]);
    lua_rawseti(L, -2, k);
  }
  return 1;
}

void sarrus_bind_adomian(lua_State *L) {
  lua_pushcfunction(L, adomian);
  lua_setfield(L, -2, "adomian");
}
