// SPDX-License-Identifier: Apache-2.0
#include "CProscenium.h"

#include <stdatomic.h>

unsigned proscenium_thread_stripe(void) {
  static atomic_uint next = 1;
  static _Thread_local unsigned own = 0;
  if (own == 0) own = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  return own;
}
