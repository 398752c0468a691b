// SPDX-License-Identifier: Apache-2.0

#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// What jemalloc is told before the program begins; the environment's MALLOC_CONF comes after it.
extern const char *malloc_conf;

#endif
