--- Mutants that may survive, and why: in a file, whatever changes within a piece of code.

return {
  ["core/src/kkt_order.c"] = {
    { code = "CANDIDATES = 3, CHEAPER = 16, LONG = 32", why = "only speed: how much fill" },
  },
  ["core/src/kkt_sparse.c"] = {
    { code = "gap / 11 * 5 + gap % 11 * 5 / 11", why = "only speed: gaps of Shell's sort" },
  },
  ["core/src/maker_close.c"] = {
    { code = "fmin(10 * error, 1e-3)",
      why = "only speed: how many tries until what is allowed serves" },
    { code = "allowed *= 1e-3", why = "only speed: how many tries until what is allowed serves" },
  },
  ["core/src/maker_control.c"] = {
    { code = "motion < PAST_POLE * distance", why = "no step is exactly that long" },
    { code = "step > DBL_MIN && step < DBL_MAX", why = "no step is exactly that long" },
    { code = "h_lower < 0.98 * now", why = "only speed: orders do not go to and fro" },
    { code = "h_higher < 0.95 * now", why = "only speed: orders do not go to and fro" },
    { code = "order <= maker->capacity; order++",
      why = "only speed: which order is first" },
    { code = "h <= longest", why = "of equally long steps either order serves" },
    { code = "(!(distance <", why = "no distance is exactly that" },
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
    { code = "method->wait *= 2", why = "only speed: when another method is tried" },
    { code = "FIRST_WAIT = 20, IMPLICIT_STEPS = 20, VERY_SHORT = 10, MANY_TRIES = 4",
      why = "only speed: when another method is tried" },
    { code = "method->wait < METHOD_MOST_WAIT", why = "only speed: when another method is tried" },
    { code = "most > 0 && h >= most", why = "only speed: when another method is tried" },
  },
  ["core/src/maker_near.c"] = {
    { code = "first + second >", why = "the sum is not exactly that" },
    { code = "change <= MOST_CHANGE", why = "no change is exactly what is allowed" },
    { code = "maker->span.order > THROUGH_ORDER", why = "it becomes what it is" },
    { code = "Near through = {SARRUS_NONE, 0, 1}", why = "a flag: 2 is 1" },
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
  ["core/src/maker_stiff.c"] = {
    { code = "fmin(SAFETY, change(implicit)) : 0.5",
      why = "only speed: how much shorter the next try is" },
  },
  ["core/src/sim_step.c"] = {
    { code = "MOST_TRIALS = 30, MOST_TURNS = 8, MOST_ENDINGS = 100, MOST_HALVINGS = 40",
      why = "how soon something is given up that does not come to an end" },
    { code = "sim->maker.span.h / 2, 0}",
      why = "only speed: how much shorter the next try is" },
  },
  ["lua/sarrus/model/reach.lua"] = {
    { code = "0.6180339887498949",
      why = "which other starts are tried: any that fill the ranges" },
  },
}
