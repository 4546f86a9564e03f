--- Mutants that may survive, and why: in a file, whatever changes within a piece of code.

return {
  ["core/src/kkt_sparse.c"] = {
    { code = "gap / 11 * 5 + gap % 11 * 5 / 11", why = "only speed: gaps of Shell's sort" },
  },
  ["core/src/maker_control.c"] = {
    { code = "350 + 4.5 * solve + 27.0 * maker->variables", why = "only speed" },
    { code = "23.0 * tape->row_count", why = "only speed" },
    { code = "8.5 * tape->product_count + 7.0 * tape->linear_count", why = "only speed" },
    { code = "30 * factor + 25 * solve + 600.0 * maker->variables", why = "only speed" },
    { code = "110.0 * tape->value_count + 2 * stage", why = "only speed" },
    { code = "0.5 * tape->product_count", why = "only speed" },
    { code = "fmin(h / h_lower, 1.5)", why = "only speed: how far an order is extrapolated" },
    { code = "0.98 * now", why = "only speed: orders do not go to and fro" },
    { code = "0.95 * now", why = "only speed: orders do not go to and fro" },
  },
}
