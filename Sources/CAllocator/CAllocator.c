// SPDX-License-Identifier: Apache-2.0

#include "CAllocator.h"

// One arena a processor instead of four, which threads share: what one frees another one uses
// again, so that the memory of scenes that come and go stays a tenth smaller, and flat.
const char *malloc_conf = "percpu_arena:percpu";
