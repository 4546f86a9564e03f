/*
** The smooth functions of one variable, z = f(u): all that sarrus knows of each of them.
**
**   op         its name in C, SARRUS_OP_SIN
**   name       its name in Lua, and in texts
**   value      the function of a double
**   parity     ODD, EVEN or NEITHER
**   low, high  it has a series where low < u_0 < high
**   equation   SLOPE, z' = sign c u', or INVERSE, c z' = sign u': the recurrence of its
**              coefficients (T1), and its derivative, with
**   sign       1 or -1, and
**   companion  c, in z and u, by FUNCTION(op, x), PAIR(op, x, y), LINEAR(constant, factor, x) and
**              SQUARE(x)
**
** New ones come last: the numbers of operations are part of what simulations save.
*/
#ifndef SARRUS_EXPR_FUNCTIONS_H
#define SARRUS_EXPR_FUNCTIONS_H

/* clang-format off */
#define SARRUS_FUNCTIONS(X)                                                                         \
  X(SIN,  "sin",  sin,  ODD,     -HUGE_VAL, HUGE_VAL, SLOPE,    1, FUNCTION(COS, u))                \
  X(COS,  "cos",  cos,  EVEN,    -HUGE_VAL, HUGE_VAL, SLOPE,   -1, FUNCTION(SIN, u))                \
  X(TAN,  "tan",  tan,  ODD,     -HUGE_VAL, HUGE_VAL, SLOPE,    1, LINEAR(1, 1, SQUARE(z)))         \
  X(ASIN, "asin", asin, ODD,     -1,        1,        INVERSE,  1, FUNCTION(SQRT, FUNCTION(SQUARE_GAP, u))) \
  X(ACOS, "acos", acos, NEITHER, -1,        1,        INVERSE, -1, FUNCTION(SQRT, FUNCTION(SQUARE_GAP, u))) \
  X(ATAN, "atan", atan, ODD,     -HUGE_VAL, HUGE_VAL, INVERSE,  1, LINEAR(1, 1, SQUARE(u)))         \
  X(SINH, "sinh", sinh, ODD,     -HUGE_VAL, HUGE_VAL, SLOPE,    1, FUNCTION(COSH, u))               \
  X(COSH, "cosh", cosh, EVEN,    -HUGE_VAL, HUGE_VAL, SLOPE,    1, FUNCTION(SINH, u))               \
  X(TANH, "tanh", tanh, ODD,     -HUGE_VAL, HUGE_VAL, SLOPE,    1, PAIR(TANH_SLOPE, z, u))          \
  X(EXP,  "exp",  exp,  NEITHER, -HUGE_VAL, HUGE_VAL, SLOPE,    1, z)                               \
  X(LOG,  "log",  log,  NEITHER, 0,         HUGE_VAL, INVERSE,  1, u)

/*
** 1 - a^2, for companions: op, name, number of operands, and a value that does not cancel where a^2
** is near 1.  The second operand serves the value alone.
*/
#define SARRUS_GAPS(X)                                                                              \
  X(SQUARE_GAP, "square_gap", 1, (1 - a) * (1 + a))                                                 \
  X(TANH_SLOPE, "tanh_slope", 2, squared(1 / cosh(b)))
/* clang-format on */

#endif
