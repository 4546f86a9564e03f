/* The graph: storage, hash-consing, leaves, linear combinations, walks. */
#include <string.h>

#include "array.h"
#include "expr_graph.h"

/* A sum with at most this many terms is merged into a sum that contains it.  A longer one stays a
** node of its own, so that a running sum takes memory linear in its length, not quadratic. */
enum { OPENED_TERMS = 8 };

static const struct {
  const char *name;
  int arity;
} ops[] = {
#define OP_ROW(op, name, arity) {name, arity},
#define GAP_ROW(op, name, arity, value) {name, arity},
#define FUNCTION_ROW(op, name, ...) {name, 1},
    SARRUS_OPS(OP_ROW) SARRUS_GAPS(GAP_ROW) SARRUS_FUNCTIONS(FUNCTION_ROW)};

static int is_op(sarrus_Op op) { return (int)op >= 0 && op < SARRUS_OP_COUNT; }
const char *sarrus_op_name(sarrus_Op op) { return is_op(op) ? ops[op].name : "unknown"; }
int sarrus_op_arity(sarrus_Op op) { return is_op(op) ? ops[op].arity : 0; }

/* --- storage ----------------------------------------------------------------------------- */

sarrus_Graph *sarrus_graph_new(sarrus_Memory memory) {
  sarrus_Graph *graph = memory.alloc(memory.ud, NULL, 0, sizeof *graph);
  if (graph == NULL) return NULL;
  *graph = (sarrus_Graph){.memory = memory};
  return graph;
}

void sarrus_graph_free(sarrus_Graph *graph) {
  if (graph == NULL) return;
  const sarrus_Memory memory = graph->memory;
  table_release(graph);
  ARRAY_RELEASE(memory, graph->nodes, graph->capacity);
  ARRAY_RELEASE(memory, graph->terms, graph->term_capacity);
  ARRAY_RELEASE(memory, graph->buckets, graph->bucket_count);
  ARRAY_RELEASE(memory, graph->order, graph->order_capacity);
  array_release(memory, graph->sum, graph->sum_capacity, 2 * sizeof *graph->sum);
  ARRAY_RELEASE(memory, graph, 1);
}

sarrus_Status sarrus_graph_status(const sarrus_Graph *graph) { return graph->status; }
int sarrus_graph_count(const sarrus_Graph *graph) { return graph->count; }

size_t sarrus_graph_bytes(const sarrus_Graph *graph) {
  return sizeof *graph + (size_t)graph->capacity * sizeof *graph->nodes +
         (size_t)graph->term_capacity * sizeof *graph->terms +
         (size_t)graph->bucket_count * sizeof *graph->buckets +
         (size_t)graph->order_capacity * sizeof *graph->order +
         (size_t)graph->sum_capacity * 2 * sizeof *graph->sum + table_bytes(graph);
}

int expr_reserve(sarrus_Graph *graph, void **array, int *capacity, int needed, size_t size) {
  if (array_reserve(graph->memory, array, capacity, needed, size)) return 1;
  graph->status = SARRUS_NOMEM;
  return 0;
}

sarrus_Expr expr_refuse(sarrus_Graph *graph) {
  if (graph->status == SARRUS_OK) graph->status = SARRUS_ARGUMENT;
  return SARRUS_NONE;
}

int expr_accept(sarrus_Graph *graph, sarrus_Expr e) {
  if (expr_is_node(graph, e)) return 1;
  if (e != SARRUS_NONE) expr_refuse(graph);
  return 0;
}

/* --- hash-consing ------------------------------------------------------------------------ */

/* Every bit of x reaches every bit of the result; doubles differ mostly in their high bits. */
static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32)) * 0xBF58476D1CE4E5B9u;
  return h ^ (h >> 29);
}

static uint64_t bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

/* LINEAR nodes are hashed and compared by their terms, all other nodes by their fields. */
static uint64_t node_hash(const sarrus_Graph *graph, const Node *node) {
  uint64_t h = mix((uint64_t)node->op, bits(node->value));
  if (node->op != SARRUS_OP_LINEAR)
    return mix(mix(mix(h, (uint64_t)node->a), (uint64_t)node->b), (uint64_t)node->c);
  for (int i = 0; i < node->b; i++) {
    const sarrus_Term *term = &graph->terms[node->a + i];
    h = mix(mix(h, (uint64_t)term->expr), bits(term->factor));
  }
  return h;
}

static int same_node(const sarrus_Graph *graph, const Node *x, const Node *y) {
  if (x->op != y->op || x->b != y->b || x->c != y->c || bits(x->value) != bits(y->value)) return 0;
  if (x->op != SARRUS_OP_LINEAR) return x->a == y->a;
  for (int i = 0; i < x->b; i++) {
    const sarrus_Term *s = &graph->terms[x->a + i], *t = &graph->terms[y->a + i];
    if (s->expr != t->expr || bits(s->factor) != bits(t->factor)) return 0;
  }
  return 1;
}

static int is_in(const sarrus_Graph *graph, const Bucket *bucket, const Node *node, uint32_t hash) {
  return bucket->hash == hash && same_node(graph, &graph->nodes[bucket->node], node);
}

/* The operand that was made last; of leaves their index. */
static unsigned newest(const sarrus_Graph *graph, const Node *node) {
  if (node->op != SARRUS_OP_LINEAR) {
    const int last = node->b > node->c ? node->b : node->c;
    return (unsigned)(node->a > last ? node->a : last);
  }
  int last = 0;
  for (int i = 0; i < node->b; i++)
    if (graph->terms[node->a + i].expr > last) last = graph->terms[node->a + i].expr;
  return (unsigned)last;
}

/*
** A node stands among the SIDE buckets of its newest operand, where there is room, else where its
** hash says, in the first bucket that is free.  What is made one after the other is thus found side
** by side: in tables of many megabytes, a bucket that is anywhere is a miss of all caches.  Nothing
** is ever taken out, so that a free bucket among the first ends the search.  To compile the
** equations of 3,000 spatial rods and start takes 1.63 s with buckets anywhere, 1.55 where these
** have hashes, 1.46 so; 3.7 if the steps from the bucket of the hash are 1, since what stands side
** by side is dense.
*/
enum { SIDE = 8, OPERANDS = 4 };

/* The bucket that holds an equal node, or the empty one where it belongs. */
static Bucket *bucket_of(sarrus_Graph *graph, const Node *node, uint32_t hash) {
  const unsigned mask = (unsigned)graph->bucket_count - 1;
  Bucket *side = graph->buckets + (newest(graph, node) / OPERANDS * SIDE & mask);
  for (int i = 0; i < SIDE; i++)
    if (side[i].node == SARRUS_NONE || is_in(graph, &side[i], node, hash)) return &side[i];
  unsigned i = hash & mask;
  while (graph->buckets[i].node != SARRUS_NONE && !is_in(graph, &graph->buckets[i], node, hash))
    i = (i + (hash >> 20 | 1)) & mask;
  return &graph->buckets[i];
}

static int rehash(sarrus_Graph *graph) {
  const int old = graph->bucket_count, count = old == 0 ? 256 : 2 * old;
  Bucket *buckets = graph->memory.alloc(graph->memory.ud, NULL, 0, (size_t)count * sizeof *buckets);
  if (buckets == NULL) {
    graph->status = SARRUS_NOMEM;
    return 0;
  }
  ARRAY_RELEASE(graph->memory, graph->buckets, old);
  for (int i = 0; i < count; i++)
    buckets[i] = (Bucket){SARRUS_NONE, 0};
  graph->buckets = buckets;
  graph->bucket_count = count;
  for (int e = 0; e < graph->count; e++) {
    const Node *node = &graph->nodes[e];
    const uint32_t hash = (uint32_t)(node_hash(graph, node) >> 16);
    *bucket_of(graph, node, hash) = (Bucket){e, hash};
  }
  return 1;
}

sarrus_Expr expr_intern(sarrus_Graph *graph, sarrus_Op op, int a, int b, int c, double value) {
  if (graph->status < 0) return SARRUS_NONE;
  if (3 * graph->count >= 2 * graph->bucket_count && !rehash(graph)) return SARRUS_NONE;
  const Node node = {.op = op, .a = a, .b = b, .c = c, .value = value + 0.0};
  const uint32_t hash = (uint32_t)(node_hash(graph, &node) >> 16);
  Bucket *bucket = bucket_of(graph, &node, hash);
  if (bucket->node != SARRUS_NONE) return bucket->node;
  if (!expr_reserve(graph, (void **)&graph->nodes, &graph->capacity, graph->count + 1,
                    sizeof *graph->nodes))
    return SARRUS_NONE;
  graph->nodes[graph->count] = node;
  *bucket = (Bucket){graph->count, hash};
  return graph->count++;
}

/* --- leaves ------------------------------------------------------------------------------ */

sarrus_Expr sarrus_graph_constant(sarrus_Graph *graph, double value) {
  return expr_intern(graph, SARRUS_OP_CONSTANT, 0, 0, 0, value);
}

sarrus_Expr sarrus_graph_symbol(sarrus_Graph *graph, sarrus_SymbolKind kind, int index) {
  if ((int)kind < 0 || kind >= SARRUS_SYMBOL_KINDS || index < 0) return expr_refuse(graph);
  return expr_intern(graph, SARRUS_OP_SYMBOL, (int)kind, index, 0, 0);
}

sarrus_Op sarrus_graph_op(const sarrus_Graph *graph, sarrus_Expr e) {
  return expr_is_node(graph, e) ? graph->nodes[e].op : SARRUS_OP_COUNT;
}

int sarrus_graph_is_constant(const sarrus_Graph *graph, sarrus_Expr e, double *value) {
  if (!expr_is_node(graph, e) || graph->nodes[e].op != SARRUS_OP_CONSTANT) return 0;
  if (value != NULL) *value = graph->nodes[e].value;
  return 1;
}

/* --- linear combinations ----------------------------------------------------------------- */

/*
** Append factor * e to the terms in graph->sum: a constant is added to *constant, a short sum is
** appended term by term.  Returns the new number of terms, or -1 without memory.
*/
static int gather(sarrus_Graph *graph, int count, double *constant, double factor, sarrus_Expr e) {
  const Node *node = &graph->nodes[e];
  if (node->op == SARRUS_OP_CONSTANT) {
    *constant += factor * node->value;
    return count;
  }
  const int opened = node->op == SARRUS_OP_LINEAR && node->b <= OPENED_TERMS;
  const int more = opened ? node->b : 1;
  if (!expr_reserve(graph, (void **)&graph->sum, &graph->sum_capacity, count + more,
                    2 * sizeof *graph->sum))
    return -1;
  if (!opened) {
    graph->sum[count] = (sarrus_Term){factor, e};
    return count + 1;
  }
  *constant += factor * node->value;
  for (int i = 0; i < node->b; i++) {
    const sarrus_Term *term = &graph->terms[node->a + i];
    graph->sum[count + i] = (sarrus_Term){factor * term->factor, term->expr};
  }
  return count + more;
}

/* Stable merge sort by expr; `spare` is as long as `terms`. */
static void sort_terms(sarrus_Term *terms, sarrus_Term *spare, int count) {
  if (count < 2) return;
  const int half = count / 2;
  sort_terms(terms, spare, half);
  sort_terms(terms + half, spare, count - half);
  memcpy(spare, terms, (size_t)half * sizeof *terms);
  for (int i = 0, j = half, k = 0; i < half; k++)
    terms[k] = j < count && terms[j].expr < spare[i].expr ? terms[j++] : spare[i++];
}

/* Sort the terms, join those of the same expression, drop zeros; returns how many are left. */
static int join_terms(sarrus_Term *terms, sarrus_Term *spare, int count) {
  sort_terms(terms, spare, count);
  int kept = 0;
  for (int i = 0; i < count;) {
    sarrus_Term joined = terms[i++];
    while (i < count && terms[i].expr == joined.expr)
      joined.factor += terms[i++].factor;
    if (joined.factor != 0) terms[kept++] = joined;
  }
  return kept;
}

sarrus_Expr sarrus_graph_linear(sarrus_Graph *graph, double constant, int count,
                                const sarrus_Term *terms) {
  if (graph->status < 0) return SARRUS_NONE;
  if (count < 0 || (count > 0 && terms == NULL)) return expr_refuse(graph);
  int n = 0;
  for (int i = 0; i < count && n >= 0; i++) {
    if (!expr_accept(graph, terms[i].expr)) return SARRUS_NONE;
    if (terms[i].factor != 0) n = gather(graph, n, &constant, terms[i].factor, terms[i].expr);
  }
  if (n < 0) return SARRUS_NONE;
  if (n > 0) n = join_terms(graph->sum, graph->sum + graph->sum_capacity, n);
  if (n == 0) return sarrus_graph_constant(graph, constant);
  if (n == 1 && graph->sum[0].factor == 1 && constant == 0) return graph->sum[0].expr;
  if (!expr_reserve(graph, (void **)&graph->terms, &graph->term_capacity, graph->term_count + n,
                    sizeof *graph->terms))
    return SARRUS_NONE;
  memcpy(graph->terms + graph->term_count, graph->sum, (size_t)n * sizeof *graph->terms);
  const int known = graph->count;
  const sarrus_Expr e = expr_intern(graph, SARRUS_OP_LINEAR, graph->term_count, n, 0, constant);
  if (graph->count > known) graph->term_count += n;
  return e;
}

sarrus_Expr expr_scale(sarrus_Graph *graph, double factor, sarrus_Expr e) {
  return sarrus_graph_linear(graph, 0, 1, &(sarrus_Term){factor, e});
}

sarrus_Expr expr_add(sarrus_Graph *graph, sarrus_Expr a, double factor, sarrus_Expr b) {
  return sarrus_graph_linear(graph, 0, 2, (sarrus_Term[]){{1, a}, {factor, b}});
}

/* --- walks ------------------------------------------------------------------------------- */

int expr_operand_count(const sarrus_Graph *graph, sarrus_Expr e) {
  const Node *node = &graph->nodes[e];
  return node->op == SARRUS_OP_LINEAR ? node->b : sarrus_op_arity(node->op);
}

sarrus_Expr expr_operand(const sarrus_Graph *graph, sarrus_Expr e, int i) {
  const Node *node = &graph->nodes[e];
  if (node->op == SARRUS_OP_LINEAR) return graph->terms[node->a + i].expr;
  return i == 0 ? node->a : i == 1 ? node->b : node->c;
}

void expr_walk(sarrus_Graph *graph) {
  graph->generation++;
  graph->order_count = 0;
}

/*
** Depth first without recursion.  graph->order holds the finished nodes from its start up, and the
** path from the root to the current node from its far end down; a node's temp counts how many of
** its operands have been visited.
*/
sarrus_Status expr_reach(sarrus_Graph *graph, sarrus_Expr root) {
  if (graph->status < 0 || root == SARRUS_NONE) return graph->status;
  if (expr_is_marked(graph, root)) return SARRUS_OK;
  if (!expr_reserve(graph, (void **)&graph->order, &graph->order_capacity, graph->count + 1,
                    sizeof *graph->order))
    return graph->status;
  int top = graph->order_capacity;
  graph->order[--top] = root;
  graph->nodes[root].mark = graph->generation;
  graph->nodes[root].temp = 0;
  while (top < graph->order_capacity) {
    const sarrus_Expr e = graph->order[top];
    Node *node = &graph->nodes[e];
    if (node->temp == expr_operand_count(graph, e)) {
      top++;
      graph->order[graph->order_count++] = e;
      continue;
    }
    const sarrus_Expr next = expr_operand(graph, e, node->temp++);
    if (expr_is_marked(graph, next)) continue;
    graph->order[--top] = next;
    graph->nodes[next].mark = graph->generation;
    graph->nodes[next].temp = 0;
  }
  return SARRUS_OK;
}
