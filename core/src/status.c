#include "sarrus/status.h"

const char *sarrus_status_name(sarrus_Status status) {
  switch (status) {
#define NAME(name, code, sentence) \
  case SARRUS_##name: return #name;
    SARRUS_STATUSES(NAME)
#undef NAME
  }
  return "UNKNOWN";
}

const char *sarrus_status_text(sarrus_Status status) {
  switch (status) {
#define TEXT(name, code, sentence) \
  case SARRUS_##name: return sentence;
    SARRUS_STATUSES(TEXT)
#undef TEXT
  }
  return "unknown status";
}
