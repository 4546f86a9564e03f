#include "sarrus/version.h"

const char *sarrus_version(void) { return SARRUS_VERSION_STRING; }
