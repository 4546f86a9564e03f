/*
** Rows of numbers as text: a sink of recorders.  Numbers are the shortest that read back exactly,
** in every locale.
**
**   CSV     0,1.5,nan        nan, inf, -inf
**   JSONL   [0,1.5,null]     null for what is not a number, 1e999 and -1e999 for infinity
*/
#ifndef SARRUS_SHEET_H
#define SARRUS_SHEET_H

#include "sarrus/file.h"

typedef enum sarrus_SheetFormat { SARRUS_CSV, SARRUS_JSONL } sarrus_SheetFormat;

/* The file belongs to the caller. */
typedef struct sarrus_Sheet {
  sarrus_File *file;
  sarrus_SheetFormat format;
  int width; /* numbers in a row */
} sarrus_Sheet;

SARRUS_API sarrus_Status sarrus_sheet_put(void *sheet, const double *row);

#endif
