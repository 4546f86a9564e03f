/* sarrus: constrained mechanisms by power series.  The order of these lines is the pipeline. */
#ifndef SARRUS_SARRUS_H
#define SARRUS_SARRUS_H

#include "sarrus/export.h"
#include "sarrus/version.h"
#include "sarrus/status.h"
#include "sarrus/memory.h"
#include "sarrus/number.h"
#include "sarrus/file.h"
#include "sarrus/sheet.h"
#include "sarrus/eigen.h"
#include "sarrus/series.h"
#include "sarrus/expr_functions.h"
#include "sarrus/expr.h"
#include "sarrus/adomian.h"
#include "sarrus/function.h"
#include "sarrus/system.h"
#include "sarrus/expansion.h"
#include "sarrus/instant.h"
#include "sarrus/observer.h"
#include "sarrus/event.h"
#include "sarrus/sim.h"
#include "sarrus/sim_tangent.h"
#include "sarrus/recorder.h"
#include "sarrus/ensemble.h"
#include "sarrus/model.h"

#endif
