--- Mutants that may survive, and why: in a file, whatever changes within a piece of code.

return {
  ["core/src/kkt_order.c"] = {
    { code = "CANDIDATES = 3, CHEAPER = 16, CHEAPER_MUCH = 2, MUCH = 4000, LONG = 32",
      why = "only speed: how much fill" },
  },
  ["core/src/kkt_rank.c"] = {
    { code = "reach->from < reach->to && null", why = "what is trimmed is not 0 everywhere" },
    { code = "if (null[i] != 0) list", why = "only speed: zeros in the list" },
    { code = "list[k] < of.to", why = "at its end a vector is 0" },
    { code = "i < of.to", why = "at its end a vector is 0" },
    { code = "if (fabs(dot) < SPECK) return 0", why = "only speed: the list is made again" },
    { code = "of.from < reach->from", why = "equal ends stay" },
    { code = "of.to > reach->to", why = "equal ends stay" },
    { code = "return 1;\n}\n\n/* To about", why = "the second pass takes what one has missed" },
    { code = "return 1;\n  frexp", why = "what is nothing, or no number, stays so" },
    { code = "pass < 2", why = "a third pass changes rounding alone" },
    { code = "memset(x, 0", why = "bytes of 1 are 7.7e-304" },
    { code = "pattern->column[e] < kkt->n) x", why = "constraints have no entry there but 0" },
    { code = "if (j >= kkt->n) continue;\n    rest", why = "constraints have no entry there" },
    { code = "k < kkt->size", why = "the order goes on with its last row" },
    { code = "kkt_choose_order(kkt, 1", why = "a flag" },
    { code = "for (int j = 0; j < kkt->n; j++)\n    rest", why = "one more, which nothing reads" },
    { code = "most > fmax", why = "no rest is exactly what is allowed" },
    { code = "1e-150), 1e150", why = "squares are numbers, one power of ten more or less" },
    { code = "1 / (size * size)", why = "one factor for all masses" },
    { code = "kkt->dependent_count > 0) SARRUS_TRY", why = "only speed: nothing is there to free" },
  },
  ["core/src/kkt_sparse.c"] = {
    { code = "gap / 11 * 5 + gap % 11 * 5 / 11", why = "only speed: gaps of Shell's sort" },
  },
  ["core/src/maker_close.c"] = {
    { code = "allowed *= 1e-3", why = "only speed: how many tries until what is allowed serves" },
  },
  ["core/src/maker_control.c"] = {
    { code = "350 + 4.5 * solve + 27.0 * maker->variables", why = "only speed" },
    { code = "23.0 * tape->row_count", why = "only speed" },
    { code = "8.5 * tape->product_count + 7.0 * tape->linear_count", why = "only speed" },
    { code = "30 * factor + 25 * solve + 600.0 * maker->variables", why = "only speed" },
    { code = "110.0 * tape->value_count + 2 * stage", why = "only speed" },
    { code = "0.5 * tape->product_count", why = "only speed" },
    { code = "fmin(h / h_lower, 1.5)", why = "only speed: how far an order is extrapolated" },
    { code = "ORDER_CHANGE = 2, LEAST_ORDER = 8", why = "only speed: which orders are tried" },
    { code = "0.98 * now", why = "only speed: orders do not go to and fro" },
    { code = "0.95 * now", why = "only speed: orders do not go to and fro" },
  },
  ["core/src/maker_method.c"] = {
    { code = "FIRST_WAIT = 20, IMPLICIT_STEPS = 20, VERY_SHORT = 10, MANY_TRIES = 4",
      why = "only speed: when another method is tried" },
    { code = "method->wait < METHOD_MOST_WAIT", why = "only speed: when another method is tried" },
    { code = "most > 0 && h >= most", why = "only speed: when another method is tried" },
  },
  ["core/src/maker_near.c"] = {
    { code = "k <= top / 2", why = "the coefficient in the middle may count to either half" },
    { code = "zero->miss <= fmax", why = "no miss is exactly what is allowed" },
  },
  ["core/src/maker_project.c"] = {
    { code = "fabs(residual[i]) > fabs(residual[worst])", why = "which of two equals is named" },
  },
  ["core/src/sim_event.c"] = {
    { code = "sim->maker.direction * a->dt < sim->maker.direction * b->dt",
      why = "they are not equal, by the condition before" },
    { code = "<= SAME_TIME * fabs", why = "no difference is exactly what is allowed" },
  },
  ["lua/sarrus/model/start/assemble.lua"] = {
    { code = "1e-9 * least", why = "a miss is rounding, or far above it" },
  },
  ["lua/sarrus/model/state/init.lua"] = {
    { code = "for i = 1, count do\n    unique[i], values_now[i]",
      why = "an entry at 0, which nothing reads" },
  },
}
