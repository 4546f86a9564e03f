/* Writes the file of a model (format: model_parts.h). */
#include <string.h>

#include "checksum.h"
#include "expr_graph.h"
#include "model_parts.h"

const char model_magic[MODEL_MAGIC] = {'s', 'a', 'r', 'r', 'u', 's', '\032', 'm'};

/* Counts the bytes that are put, and writes them where there is room. */
typedef struct Writer {
  char *to;
  size_t size, at;
} Writer;

static void put_byte(Writer *writer, unsigned long long byte) {
  if (writer->at < writer->size) writer->to[writer->at] = (char)(unsigned char)(byte & 0xff);
  writer->at++;
}

static void put_word(Writer *writer, unsigned long long word, int bytes) {
  for (int i = 0; i < bytes; i++)
    put_byte(writer, word >> 8 * i);
}

static void put_int(Writer *writer, int x) { put_word(writer, (unsigned long long)x, 4); }

static void put_double(Writer *writer, double x) {
  unsigned long long word;
  memcpy(&word, &x, sizeof word);
  put_word(writer, word, 8);
}

static void put_text(Writer *writer, const char *text) {
  const size_t length = strlen(text);
  put_int(writer, (int)length);
  for (size_t i = 0; i <= length; i++)
    put_byte(writer, (unsigned char)text[i]);
}

/* --- graphs ------------------------------------------------------------------------------ */

static void put_table(Writer *writer, const Table *table) {
  put_int(writer, table->count);
  for (int i = 0; i < table->count; i++)
    put_double(writer, table->x[i]);
  for (int i = 0; i < table->count; i++)
    put_double(writer, table->piece[i + 1][0]); /* y_i: piece i + 1 begins at knot i */
}

static void put_sum(Writer *writer, const sarrus_Graph *graph, const Node *node) {
  put_double(writer, node->value);
  put_int(writer, node->b);
  for (int i = 0; i < node->b; i++) {
    put_double(writer, graph->terms[node->a + i].factor);
    put_int(writer, graph->terms[node->a + i].expr);
  }
}

static void put_node(Writer *writer, const sarrus_Graph *graph, const Node *node) {
  const int operands[] = {node->a, node->b, node->c};
  put_byte(writer, node->op);
  switch (node->op) {
    case SARRUS_OP_CONSTANT: put_double(writer, node->value); return;
    case SARRUS_OP_LINEAR: put_sum(writer, graph, node); return;
    case SARRUS_OP_INTEGER_POWER:
    case SARRUS_OP_POWER:
      put_int(writer, node->a);
      put_double(writer, node->value);
      return;
    default: break;
  }
  const int count = node->op == SARRUS_OP_SYMBOL  ? 2
                    : node->op == SARRUS_OP_TABLE ? 3
                                                  : sarrus_op_arity(node->op);
  for (int i = 0; i < count; i++)
    put_int(writer, operands[i]);
}

static void put_graph(Writer *writer, const sarrus_Graph *graph) {
  put_int(writer, graph->table_count);
  for (int i = 0; i < graph->table_count; i++)
    put_table(writer, &graph->tables[i]);
  put_int(writer, graph->count);
  for (int e = 0; e < graph->count; e++)
    put_node(writer, graph, &graph->nodes[e]);
}

/* --- items ------------------------------------------------------------------------------- */

static int is_item(const sarrus_Item *item, sarrus_List least) {
  if (item->list < least || item->list >= SARRUS_LISTS || item->name == NULL || item->fields < 0 ||
      (item->fields > 0 && item->field == NULL))
    return 0;
  for (int i = 0; i < item->fields; i++) {
    const sarrus_Field *field = &item->field[i];
    if (field->name == NULL) return 0;
    if (field->text == NULL && (field->count < 0 || (field->count > 0 && field->numbers == NULL)))
      return 0;
  }
  return 1;
}

static void put_item(Writer *writer, const sarrus_Item *item) {
  put_int(writer, (int)item->list);
  put_text(writer, item->name);
  put_int(writer, item->fields);
  for (int i = 0; i < item->fields; i++) {
    const sarrus_Field *field = &item->field[i];
    put_text(writer, field->name);
    put_int(writer, field->text != NULL ? SARRUS_NONE : field->count);
    if (field->text != NULL) put_text(writer, field->text);
    for (int k = 0; field->text == NULL && k < field->count; k++)
      put_double(writer, field->numbers[k]);
  }
}

static void put_model(Writer *writer, const sarrus_Graph *equations, const sarrus_Graph *sights,
                      int items, const sarrus_Item *item) {
  for (int i = 0; i < MODEL_MAGIC; i++)
    put_byte(writer, (unsigned char)model_magic[i]);
  put_int(writer, MODEL_VERSION);
  put_graph(writer, equations);
  put_graph(writer, sights);
  put_int(writer, items);
  for (int i = 0; i < items; i++)
    put_item(writer, &item[i]);
}

size_t sarrus_model_write(const sarrus_Graph *equations, const sarrus_Graph *sights, int items,
                          const sarrus_Item *item, char *to, size_t size) {
  Writer writer = {NULL, 0, 0};
  if (items < 0 || (items > 0 && item == NULL)) return 0;
  if (equations->status < 0 || sights->status < 0) return 0;
  for (int i = 0; i < items; i++)
    if (!is_item(&item[i], i > 0 ? item[i - 1].list : SARRUS_WHOLE)) return 0;
  put_model(&writer, equations, sights, items, item);
  const size_t needed = writer.at + 8;
  if (to == NULL || size < needed) return needed;
  writer = (Writer){to, size, 0};
  put_model(&writer, equations, sights, items, item);
  put_word(&writer, checksum(to, writer.at), 8);
  return needed;
}
