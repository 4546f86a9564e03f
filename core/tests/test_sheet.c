/* Sheets: rows of numbers as text. */
#include "sarrus/sheet.h"

#include "test.h"

typedef struct Paper {
  char text[1 << 20];
  size_t length;
} Paper;

static int paper_open(void *ud, const char *path, int fresh, void **stream) {
  (void)path;
  (void)fresh;
  *stream = ud;
  return 0;
}

static int paper_write(void *ud, void *stream, const char *data, size_t size) {
  Paper *paper = ud;
  (void)stream;
  memcpy(paper->text + paper->length, data, size);
  paper->length += size;
  paper->text[paper->length] = '\0';
  return 0;
}

static int paper_like(void *ud, void *stream, const char *path) {
  return ud == stream && strcmp(path, "x") == 0 ? 0 : 1;
}

static int paper_sync(void *ud, void *stream) { return ud == stream ? 0 : 1; }
static int paper_close(void *ud, void *stream) { return ud == stream ? 0 : 1; }

static int paper_rename(void *ud, const char *from, const char *to) {
  return ud != NULL && strlen(from) > strlen(to) ? 0 : 1;
}

static int paper_sync_folder(void *ud, const char *folder) {
  return ud != NULL && strcmp(folder, ".") == 0 ? 0 : 1;
}

static int paper_remove(void *ud, const char *path) { return ud != NULL && path != NULL ? 0 : 1; }

/* `rows` rows of width numbers each, as text. */
static const char *written(Paper *paper, sarrus_SheetFormat format, const double *rows, int count,
                           int width) {
  const sarrus_FileCalls calls = {paper,        paper_open,        paper_like,
                                  paper_write,  paper_sync,        paper_close,
                                  paper_rename, paper_sync_folder, paper_remove};
  sarrus_Sheet sheet = {NULL, format, width};
  int error;
  paper->length = 0;
  if (!CHECK_OK(sarrus_file_open(sarrus_memory_default(), &calls, "x", &sheet.file, &error)))
    return "";
  for (int i = 0; i < count; i++)
    CHECK_OK(sarrus_sheet_put(&sheet, rows + (ptrdiff_t)i * width));
  CHECK_OK(sarrus_file_commit(sheet.file));
  sarrus_file_free(sheet.file);
  return paper->text;
}

TEST(rows_in_both_formats) {
  static Paper paper;
  const double rows[] = {0, 1.5, -1e-300, 0.1, (double)NAN, HUGE_VAL, 3, -HUGE_VAL, -0.0};
  CHECK_STR(written(&paper, SARRUS_CSV, rows, 3, 3), "0,1.5,-1e-300\n0.1,nan,inf\n3,-inf,-0\n");
  CHECK_STR(written(&paper, SARRUS_JSONL, rows, 3, 3),
            "[0,1.5,-1e-300]\n[0.1,null,1e999]\n[3,-1e999,-0]\n");
  CHECK_STR(written(&paper, SARRUS_JSONL, rows + 1, 1, 1), "[1.5]\n");
}

TEST(unknown_formats) {
  const double row[] = {1};
  sarrus_Sheet sheet = {NULL, (sarrus_SheetFormat)99, 1};
  CHECK_INT(sarrus_sheet_put(&sheet, row), SARRUS_ARGUMENT);
  sheet.format = SARRUS_CSV; /* and without a file */
  CHECK_INT(sarrus_sheet_put(&sheet, row), SARRUS_IO);
}

/* Rows longer than a buffer, of the longest numbers there are. */
TEST(wide_rows) {
  static Paper paper;
  static double row[10000];
  for (int i = 0; i < 10000; i++)
    row[i] = -(i + 1) * 1.2345678901234567e-300;
  const char *text = written(&paper, SARRUS_JSONL, row, 1, 10000);
  CHECK_INT(*text++, '[');
  for (int i = 0; i < 10000; i++) {
    char *end;
    CHECK_NEAR(strtod(text, &end), row[i], 0);
    CHECK_INT(*end, i < 9999 ? ',' : ']');
    text = end + 1;
  }
  CHECK_STR(text, "\n");
}
