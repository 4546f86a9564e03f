/* Values of a tape with their derivatives in several directions; see tape_dual.h. */
#include "tape_dual.h"

#include <math.h>
#include <string.h>

#include "tape_slope.h"

int dual_width(int directions) {
  return directions <= 1 ? 1 : (directions + LANES - 1) / LANES * LANES;
}

void dual_lay_out(Dual *dual, Block *block) {
  const Tape *tape = dual->tape;
  BLOCK_TAKE(block, dual->value, tape->value_count);
  BLOCK_TAKE(block, dual->slope, (ptrdiff_t)tape->value_count * dual->width);
  BLOCK_TAKE(block, dual->branch, tape->switch_count);
}

/* --- partial derivatives ------------------------------------------------------------------- */

/* The branch that a piecewise step is on: as decided, or by its operands where it is not. */
static int branch_of(const ValueStep *step, const double *u, const int *decided) {
  return decided == NULL ? function_branch(step->op, u) : *decided;
}

static int piece_of(const Tape *tape, const ValueStep *step, double u, const int *decided) {
  return decided == NULL ? table_piece(&tape->tables[step->b], u) : *decided;
}

/* The partial derivatives of a piecewise function by its operands, on the given branch. */
static void partials_of_piece(const ValueStep *step, const double *u, int branch, double *partial) {
  switch (step->op) {
    case SARRUS_OP_ABS: partial[0] = branch; break;
    case SARRUS_OP_MIN:
    case SARRUS_OP_MAX: partial[branch > 0 ? 0 : 1] = 1; break;
    case SARRUS_OP_SELECT: partial[branch > 0 ? 1 : 2] = 1; break;
    case SARRUS_OP_ATAN2: {
      const double square = u[0] * u[0] + u[1] * u[1];
      partial[0] = u[1] / square;
      partial[1] = -u[0] / square;
      break;
    }
    default: break; /* SIGN is constant on a branch */
  }
}

/* dz/du by z' = c u' or c z' = u', up to sign, where the tape has a value of the companion c. */
static double slope_of_function(const ValueStep *step, const double *value, double z) {
  int sign = 1;
  const Equation equation = expr_equation(step->op, &sign);
  if (step->companion == SARRUS_NONE || (equation != SLOPE && equation != INVERSE))
    return expr_slope_value(step->op, value[step->a], z);
  const double c = value[step->companion];
  return equation == SLOPE ? sign * c : sign / c;
}

/* d z / d u_i of all other steps except sums and products. */
static void partials_of(const ValueStep *step, const double *value, const double *u, double z,
                        double *partial) {
  const double n = step->value;
  switch (step->op) {
    case SARRUS_OP_QUOTIENT:
      partial[0] = 1 / u[1];
      partial[1] = -z / u[1];
      break;
    case SARRUS_OP_INTEGER_POWER:
      partial[0] = n * (n == 2 ? u[0] : expr_value(step->op, u[0], 0, 0, n - 1));
      break;
    case SARRUS_OP_POWER: partial[0] = n * pow(u[0], n - 1); break;
    case SARRUS_OP_SQRT: partial[0] = 0.5 / z; break;
    default: partial[0] = expr_is_gap(step->op) ? -2 * u[0] : slope_of_function(step, value, z);
  }
}

void value_partials(const Tape *tape, const ValueStep *step, const double *value, double z,
                    const int *decided, Partials *partials) {
  const int table = step->op == SARRUS_OP_TABLE;
  *partials =
      (Partials){{step->a, table ? SARRUS_NONE : step->b, table ? SARRUS_NONE : step->c}, {0}};
  double u[3] = {0};
  for (int k = 0; k < 3; k++)
    if (partials->operand[k] != SARRUS_NONE) u[k] = value[partials->operand[k]];
  if (table)
    partials->by[0] =
        table_value(&tape->tables[step->b], piece_of(tape, step, u[0], decided), step->c + 1, u[0]);
  else if (is_piecewise(step->op))
    partials_of_piece(step, u, branch_of(step, u, decided), partials->by);
  else
    partials_of(step, value, u, z, partials->by);
}

/* --- values -------------------------------------------------------------------------------- */

/* The branch of a step that is decided elsewhere; or NULL. */
static const int *decided_for(const Dual *dual, const ValueStep *step) {
  const int choice = dual->twin == NULL ? step->choice : dual->twin[step - dual->tape->values];
  const int *branch = dual->twin == NULL ? dual->branch : dual->twin_branch;
  return choice == SARRUS_NONE ? NULL : &branch[choice];
}

static double value_of(const Dual *dual, const ValueStep *step) {
  const Tape *tape = dual->tape;
  const double *value = dual->value;
  double sum = step->value;
  if (step->op == SARRUS_OP_CONSTANT) return sum;
  if (step->op == SARRUS_OP_LINEAR) {
    for (int i = 0; i < step->b; i++)
      sum += tape->value_terms[step->a + i].factor * value[tape->value_terms[step->a + i].value];
    return sum;
  }
  if (step->op == SARRUS_OP_PRODUCT) return value[step->a] * value[step->b];
  if (step->op == SARRUS_OP_TABLE) {
    const int piece = piece_of(tape, step, value[step->a], decided_for(dual, step));
    return table_value(&tape->tables[step->b], piece, step->c, value[step->a]);
  }
  const double u[3] = {value[step->a], step->b == SARRUS_NONE ? 0 : value[step->b],
                       step->c == SARRUS_NONE ? 0 : value[step->c]};
  return is_piecewise(step->op)
             ? function_piece(step->op, u, branch_of(step, u, decided_for(dual, step)))
             : expr_value(step->op, u[0], u[1], u[2], step->value);
}

INLINE void find_slopes(const Dual *dual, const ValueStep *step, double *to, int at, int block,
                        int width) {
  if (step->op == SARRUS_OP_LINEAR) {
    slopes_of_sum(&dual->tape->value_terms[step->a], step->b, dual->slope, to, at, block, width);
  } else if (step->op == SARRUS_OP_PRODUCT) {
    slopes_of_product(step, dual->value, dual->slope, to, at, block, width);
  } else {
    Partials partials;
    value_partials(dual->tape, step, dual->value, dual->value[step - dual->tape->values],
                   decided_for(dual, step), &partials);
    slopes_of_function(&partials, dual->slope, to, at, block, width);
  }
}

/* All values are found before any slope: a slope may need a companion, whose step may be later. */
VECTOR_CLONES
void dual_values(Dual *dual) {
  const Tape *tape = dual->tape;
  for (int i = 0; i < tape->value_count; i++)
    if (tape->values[i].op != SARRUS_OP_SYMBOL) dual->value[i] = value_of(dual, &tape->values[i]);
  for (int i = 0; i < tape->value_count; i++) {
    const ValueStep *step = &tape->values[i];
    if (step->op == SARRUS_OP_SYMBOL) continue;
    if (step->op == SARRUS_OP_CONSTANT) {
      memset(dual_slope(dual, i), 0, (size_t)dual->width * sizeof *dual->slope);
      continue;
    }
#define FIND(at, block, width) find_slopes(dual, step, dual_slope(dual, i), at, block, width)
    FOR_BLOCKS(dual->width, FIND);
#undef FIND
  }
}
