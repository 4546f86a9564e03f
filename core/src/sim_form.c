/*
** Forms of the equations.  WHOLE: all of them.  LEAN: without the contacts that have gaps, which is
** enough while all of these are open and far from closing (T49).  CHANGED: the whole, with rows
** that hold coordinates and modes that let forces go, used while any is held or let go.  Decisions
** about contacts and changes from outside are made in WHOLE or CHANGED.
*/
#include <math.h>
#include <string.h>

#include "contact.h"
#include "vector.h"

void sim_point_to(sarrus_Sim *sim, int which) {
  Maker *maker = &sim->maker;
  const Form *form = &sim->forms[which];
  sim->form = which;
  sim->asleep = 0;
  sim->arguments = &sim->forms[which].arguments;
  maker->system = form->system;
  maker->expansion = form->expansion;
  maker->method.implicit = &sim->forms[which].implicit;
  maker->m = form->system->m;
  maker->variables = maker->n + maker->m;
  sim->zeros.column = sim->arguments->column = form->expansion->kkt->column;
}

/* Functions that both forms have keep their branch; others choose theirs anew. */
static void carry_branches(const Form *from, const Form *to) {
  const Tape *tape = to->system->tape;
  Work *work = to->expansion->work;
  for (int i = 0; i < tape->switch_count; i++) {
    const int twin =
        system_find_switch(from->system->tape, tape->values[tape->switches[i].value].node);
    work->forced[i] = twin != SARRUS_NONE && from->expansion->work->forced[twin];
    if (twin != SARRUS_NONE) work->branch[i] = from->expansion->work->branch[twin];
  }
}

void sim_use_form(sarrus_Sim *sim, int which) {
  const Form *from = &sim->forms[sim->form], *to = &sim->forms[which];
  if (which == sim->form) return;
  const int least = from->system->m < to->system->m ? from->system->m : to->system->m;
  sim_point_to(sim, which);
  memset(to->expansion->guess, 0, (size_t)sim->maker.variables * sizeof(double));
  to->expansion->guess_most = from->expansion->guess_most;
  memcpy(to->expansion->guess, from->expansion->guess,
         (size_t)(sim->maker.n + least) * sizeof(double));
  work_set_unit(to->expansion->work, from->expansion->work->unit);
  carry_branches(from, to);
  sim->maker.best_margin = 0; /* of another matrix */
}

sarrus_Status sim_take_form(sarrus_Sim *sim, int which) {
  if (which == sim->form) return SARRUS_OK;
  sim_use_form(sim, which);
  return contact_stand(sim);
}

/* --- changes ----------------------------------------------------------------------------- */

double *sim_force_modes(const sarrus_Sim *sim) {
  return sim->maker.expansion->modes + (sim->system->modes - sim->system->forces);
}

int sim_whole_form(const sarrus_Sim *sim) {
  for (int k = 0; k < sim->system->locks; k++)
    if (!sim->off[sim->system->m + k]) return CHANGED;
  for (int k = 0; k < sim->system->forces; k++)
    if (sim_force_modes(sim)[k] != 0) return CHANGED;
  return WHOLE;
}

/*
** Where contacts turn rows on and off.  Rows of the lean form stay, and an order chosen by its
** numbers has better pivots than one chosen from the pattern: 20 far spheres add 4 % to a step's
** instructions in place of 26, and bounces cost the same.
*/
void sim_keep_orders(sarrus_Sim *sim) {
  for (int i = 0; i < FORMS && sim->system->contact_count > 0; i++)
    if (sim->forms[i].system != NULL && i != LEAN) sim->forms[i].expansion->kkt->knows_orders = 1;
}

static void lay_out_changed(sarrus_Sim *sim, Form *form, Block *block) {
  form->expansion = expansion_take(block, form->system, sim->maker.capacity + 1);
  if (form->system->arguments.tape != NULL)
    sim_lay_out_search(sim, &form->arguments, form->system->arguments.tape, block);
}

sarrus_Status sim_make_changed_form(sarrus_Sim *sim) {
  Form *form = &sim->forms[CHANGED];
  sarrus_System *system;
  Block block = {NULL, 0};
  if (form->system != NULL) return SARRUS_OK;
  SARRUS_TRY(system_with_changes(sim->memory, sim->system, &system));
  Form made = {.system = system};
  lay_out_changed(sim, &made, &block);
  made.bytes = block.used;
  const int room = system_fits(system, sim->system);
  made.memory = room ? sim->memory.alloc(sim->memory.ud, NULL, 0, made.bytes) : NULL;
  if (made.memory == NULL) {
    sarrus_system_free(system);
    return room ? SARRUS_NOMEM : SARRUS_LIMIT;
  }
  memset(made.memory, 0, made.bytes);
  lay_out_changed(sim, &made, &(Block){made.memory, 0});
  made.expansion->modes = sim->forms[WHOLE].expansion->modes;
  kkt_open(made.expansion->kkt, sim->memory);
  *form = made;
  sim_keep_orders(sim);
  return SARRUS_OK;
}

void sim_free_forms(sarrus_Sim *sim) {
  Form *changed = &sim->forms[CHANGED];
  for (int i = 0; i < FORMS; i++)
    if (sim->forms[i].system != NULL) {
      kkt_release(sim->forms[i].expansion->kkt);
      implicit_free(sim->forms[i].implicit);
    }
  if (changed->system == NULL) return;
  sarrus_system_free((sarrus_System *)changed->system);
  sim->memory.alloc(sim->memory.ud, changed->memory, changed->bytes, 0);
}

/* --- what is far away -------------------------------------------------------------------- */

/*
** A gap's lower bound must be above this part of its upper bound, since intervals are not rounded
** outwards.  Where wider ranges stand for those of a step, it must be above twice that: then it is
** above it on the step too, whatever is rounded.
*/
static const double ABOVE_ZERO = 1e-6;

/* From a place, time h, in which coordinates go as far as sight.v says. */
typedef struct Way {
  const double *q;
  double t, h;
} Way;

/* How far coordinates go at most until h, by the sizes of their coefficients. */
static void find_reach(const Span *span, double h, double *reach) {
  const double t = fabs(h / span->unit);
  memset(reach, 0, (size_t)span->n * sizeof *reach);
  for (int k = span->order + 1; k > 0; k--)
    vector_reach(reach, t, span_at(span, k), span->n);
}

static Interval input_range(const sarrus_Sim *sim, const Input *input, const Way *way) {
  const double t = way->t, *q = way->q, *reach = sim->sight.v;
  const int i = input->index;
  switch (input->kind) {
    case SARRUS_Q: return (Interval){q[i] - reach[i], q[i] + reach[i]};
    case SARRUS_TIME: return (Interval){fmin(t, t + way->h), fmax(t, t + way->h)};
    case SARRUS_PARAMETER: return (Interval){sim->parameters[i], sim->parameters[i]};
    default: return (Interval){-(double)INFINITY, (double)INFINITY};
  }
}

/* Whether all contacts with a gap are open, and none merely touches. */
static int all_are_open(const sarrus_Sim *sim) {
  const sarrus_System *system = sim->system;
  for (int k = system->alone; k < sim_awake(sim); k++) {
    const ContactState *state = &sim->contacts[system->turn[k]];
    if (state->released) continue;
    if (state->now.mode != SARRUS_OPEN || state->now.idle) return 0;
  }
  return 1;
}

static int is_positive(Interval x, double part) { return x.low > part * fabs(x.high); }

/* Ranges of a tape's inputs on the step, and of its values. */
static void find_ranges(const sarrus_Sim *sim, const Tape *tape, const Way *way, Interval *ranges) {
  for (int i = 0; i < tape->input_count; i++)
    ranges[tape->inputs[i].value] = input_range(sim, &tape->inputs[i], way);
  interval_values(tape, ranges);
}

/* By the bounds; or, where there are others that these say nothing of, by their gaps. */
static int are_far(const sarrus_Sim *sim, const Way *way) {
  const sarrus_System *system = sim->system;
  int doubt = 0;
  find_ranges(sim, system->bounds, way, sim->ranges);
  for (int i = 0; i < system->contact_count; i++) {
    if (sim->contacts[i].released ||
        is_positive(sim->ranges[system->bounds->output_value[i]], ABOVE_ZERO))
      continue;
    if (!system->laws[i].bounded) return 0;
    doubt = 1;
  }
  if (!doubt) return 1;
  find_ranges(sim, system->gaps, way, sim->gap_ranges);
  for (int i = 0; i < system->contact_count; i++)
    if (!sim->contacts[i].released &&
        !is_positive(sim->ranges[system->bounds->output_value[i]], ABOVE_ZERO) &&
        !is_positive(sim->gap_ranges[system->gaps->output_value[i]], ABOVE_ZERO))
      return 0;
  return 1;
}

/* Whether the inputs of the bounds stay where all of these are known to be positive. */
static int are_known_to_be_far(const sarrus_Sim *sim, const Way *way) {
  const Tape *tape = sim->system->bounds;
  for (int i = 0; i < tape->input_count; i++) {
    const Interval x = input_range(sim, &tape->inputs[i], way), *known = &sim->clear.within[i];
    if (!(x.low >= known->low && x.high <= known->high)) return 0;
  }
  return sim->clear.known;
}

/* Whether all bounds are positive on the ranges that are to be known. */
static int is_clear(const sarrus_Sim *sim) {
  const Tape *tape = sim->system->bounds;
  for (int i = 0; i < tape->input_count; i++)
    sim->ranges[tape->inputs[i].value] = sim->clear.within[i];
  interval_values(tape, sim->ranges);
  for (int i = 0; i < sim->system->contact_count; i++)
    if (!is_positive(sim->ranges[tape->output_value[i]], 2 * ABOVE_ZERO)) return 0;
  return 1;
}

/* Wider ranges about those of the step; with those known before, or alone. */
static void widen(sarrus_Sim *sim, const Way *way, int alone) {
  const Tape *tape = sim->system->bounds;
  Clear *clear = &sim->clear;
  for (int i = 0; i < tape->input_count; i++) {
    const Interval x = input_range(sim, &tape->inputs[i], way);
    Interval *within = &clear->within[i];
    const double reach = clear->wide * (x.high - x.low) / 2;
    const Interval about = {x.low - reach, x.high + reach};
    *within =
        alone ? about : (Interval){fmin(within->low, about.low), fmax(within->high, about.high)};
  }
}

/* By how many times a step's ranges those that are tried for later steps are wider. */
static const double LEAST_WIDER = 1.0 / 4, FIRST_WIDER = 1, MOST_WIDER = 64;

/* Whether ranges for later steps are clear, as `widen` makes them. */
static int look_around(sarrus_Sim *sim, const Way *way, int alone) {
  Clear *clear = &sim->clear;
  if (clear->wide == 0) clear->wide = FIRST_WIDER;
  widen(sim, way, alone);
  clear->known = is_clear(sim);
  clear->wide =
      clear->known ? fmin(2 * clear->wide, MOST_WIDER) : fmax(clear->wide / 2, LEAST_WIDER);
  return clear->known;
}

/*
** Ranges on which all bounds are positive are kept, where the motion has been and around: those of
** a motion that comes back are found once.  Contacts that are let go count there too: they may be
** engaged again.  All this saves work and changes nothing: what is shown on ranges holds on all
** that lies within.
*/
int sim_all_are_far(sarrus_Sim *sim, double h) {
  const Span *span = &sim->maker.span;
  const Way way = {span->from.q, span->from.t, h};
  if (sim->system->bounds == NULL || !all_are_open(sim)) return 0;
  find_reach(span, h, sim->sight.v);
  if (are_known_to_be_far(sim, &way)) return 1;
  if (sim->clear.known && look_around(sim, &way, 0)) return 1;
  if (!are_far(sim, &way)) return 0;
  look_around(sim, &way, 1);
  return 1;
}

int sim_all_are_apart(sarrus_Sim *sim) {
  const Way here = {sim->maker.to.q, sim->maker.to.t, 0};
  if (sim->system->bounds == NULL || !all_are_open(sim)) return 0;
  memset(sim->sight.v, 0, (size_t)sim->maker.n * sizeof(double));
  return are_known_to_be_far(sim, &here) || are_far(sim, &here);
}
