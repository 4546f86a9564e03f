/* lanes_kkt.c for eight. */
#include "lanes_wide.h"

#if LANES_HAVE_EIGHT
#include "lanes_kkt.c"
#endif
