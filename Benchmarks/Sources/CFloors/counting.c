// SPDX-License-Identifier: Apache-2.0

#include "CFloors.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void counting_begin(void) { CALLGRIND_START_INSTRUMENTATION; }
void counting_end(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
void counting_begin(void) {}
void counting_end(void) {}
#endif
