/*
** Models: whatever sarrus_model_read is given, it refuses it, or makes a model that works.
**
** The first byte says how the others are meant: as the file itself, or as edits of a good one -
** where, and what stands there then - with a checksum that fits, as an attacker would make it.
*/
#include "fuzz.h"
#include "swing_file.h"

enum { HEAD = 12, SUM = 8, STEPS = 6 };

static void forge(char *file, size_t size) {
  unsigned long long h = 14695981039346656037u;
  for (size_t i = 0; i < size - SUM; i++)
    h = (h ^ (unsigned char)file[i]) * 1099511628211u;
  for (size_t i = 0; i < SUM; i++)
    file[size - SUM + i] = (char)(unsigned char)(h >> 8 * i & 0xff);
}

/* Everything that can be asked of a view. */
static void read_view(const sarrus_Model *model, sarrus_View *view) {
  sarrus_Pose pose;
  sarrus_JointSight joint;
  sarrus_ContactSight contact;
  sarrus_PointSight point;
  for (int i = 0; i < sarrus_model_count(model, SARRUS_BODIES); i++)
    PROMISE(sarrus_view_body(view, i, &pose) == SARRUS_OK);
  for (int i = 0; i < sarrus_model_count(model, SARRUS_JOINTS); i++)
    PROMISE(sarrus_view_joint(view, i, &joint) == SARRUS_OK);
  for (int i = 0; i < sarrus_model_count(model, SARRUS_CONTACTS); i++)
    PROMISE(sarrus_view_contact(view, i, &contact) == SARRUS_OK);
  for (int i = 0; i < sarrus_model_count(model, SARRUS_LAWS); i++)
    PROMISE(sarrus_view_point(view, i, &point) == SARRUS_OK);
}

/* Names and fields are there to be read. */
static void read_names(const sarrus_Model *model) {
  size_t letters = 0;
  for (int list = 0; list < SARRUS_LISTS; list++)
    for (int i = 0; i < sarrus_model_count(model, (sarrus_List)list); i++) {
      int count;
      letters += strlen(sarrus_model_name(model, (sarrus_List)list, i));
      sarrus_model_text(model, (sarrus_List)list, i, "kind");
      const double *x = sarrus_model_numbers(model, (sarrus_List)list, i, "sight", &count);
      PROMISE((x == NULL) == (count == 0));
    }
  PROMISE(letters < 1 << 20);
}

static void move(const sarrus_Model *model, sarrus_Sim *sim, sarrus_View *view, int joints) {
  int left = STEPS;
  sarrus_sim_on_cancel(sim, enough, &left);
  const sarrus_Status status = sarrus_sim_advance(sim, sarrus_sim_time(sim) + 0.5);
  if (status < 0) {
    char text[200];
    sarrus_model_fault_text(model, status, sarrus_sim_fault(sim), text, sizeof text);
  }
  if (sarrus_view_look(view, sim) == SARRUS_OK) read_view(model, view);
  sarrus_model_release(model, sim, SARRUS_FORCES, 0, 1);
  for (int i = 0; i < joints; i++)
    if (sarrus_model_lock(model, sim, i, 1) < 0)
      sarrus_model_release(model, sim, SARRUS_JOINTS, i, 1);
  for (int i = 0; i < sarrus_model_count(model, SARRUS_BODIES); i++)
    sarrus_model_impulse(model, sim, i, (double[]){1, 2, 3},
                         i % 2 == 0 ? NULL : (double[]){0, 1, 2});
  left = STEPS;
  sarrus_sim_advance(sim, sarrus_sim_time(sim) + 0.1);
  promise_state(sim, sarrus_model_system(model));
}

static void use(sarrus_Memory memory, const sarrus_Model *model) {
  const int channel = 0, channels = sarrus_model_count(model, SARRUS_CHANNELS) > 0;
  const unsigned all =
      1u << SARRUS_BODIES | 1u << SARRUS_JOINTS | 1u << SARRUS_CONTACTS | 1u << SARRUS_LAWS;
  const sarrus_Wish wishes[] = {{0, SARRUS_ANGLE, 0.5}, {0, SARRUS_RATE, 1}};
  sarrus_Sim *sim;
  sarrus_View *view;
  read_names(model);
  if (sarrus_view_new(memory, model, all, channels, &channel, &view) < 0) return;
  if (sarrus_model_simulate(memory, model, NULL, &sim) == SARRUS_OK) {
    move(model, sim, view, sarrus_model_count(model, SARRUS_JOINTS));
    sarrus_sim_free(sim);
  }
  if (sarrus_model_prepare(memory, model, NULL, &sim) == SARRUS_OK) {
    if (sarrus_model_start(model, sim, 2, wishes) == SARRUS_OK) move(model, sim, view, 0);
    sarrus_sim_free(sim);
  }
  sarrus_view_free(view);
}

/* Whether the file is taken. */
static int try_file(const char *file, size_t size, long fail_at) {
  Heap heap = {.fail_at = fail_at};
  sarrus_Model *model;
  const sarrus_Status status = sarrus_model_read(heap_memory(&heap), file, size, &model);
  PROMISE((status == SARRUS_OK) == (model != NULL));
  if (status < 0) {
    PROMISE(status == SARRUS_FORMAT || status == SARRUS_VERSION || status == SARRUS_NOMEM);
  } else {
    use(heap_memory(&heap), model);
    sarrus_model_free(model);
  }
  PROMISE(heap.blocks == 0);
  return status == SARRUS_OK;
}

/* Bytes, whole numbers of four and doubles, anywhere behind the version. */
static void edit(Bytes *bytes, char *file, size_t size) {
  static const int words[] = {0, 1, -1, 2, 3, 64, 65, INT_MAX, INT_MIN, 1 << 20};
  while (bytes->at < bytes->end) {
    const size_t at = HEAD + (size_t)(take(bytes) * 256 + take(bytes)) % (size - HEAD - 2 * SUM);
    const int kind = take(bytes);
    if (kind < 96) {
      file[at] = (char)(unsigned char)take(bytes);
    } else if (kind < 176) {
      memcpy(file + at, &words[kind % 10], sizeof words[0]);
    } else {
      const double number = take_number(bytes);
      memcpy(file + at, &number, sizeof number);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes = {data, data + size};
  static char good[SWING_SIZE];
  static size_t length = 0;
  const int choice = take(&bytes), fail_at = take(&bytes);
  if (length == 0) length = swing_write(sarrus_memory_default(), good, sizeof good);
  PROMISE(length > 0 && length <= sizeof good);
  if (choice >= 192) {
    try_file((const char *)bytes.at, (size_t)(bytes.end - bytes.at), 0);
    return 0;
  }
  char *file = malloc(length);
  PROMISE(file != NULL);
  memcpy(file, good, length);
  edit(&bytes, file, length);
  const int damaged = choice >= 176 && memcmp(file, good, length) != 0;
  if (choice < 176) forge(file, length);
  const int taken =
      try_file(file, choice == 1 ? length / 2 : length, fail_at < 128 ? 0 : fail_at - 127);
  PROMISE(!damaged || !taken);
  free(file);
  return 0;
}
