// SPDX-License-Identifier: Apache-2.0
#ifndef CPROSCENIUM_H
#define CPROSCENIUM_H

#include <stddef.h>
#include <string.h>

// On Linux the thread sanitizer does not see the futex calls of `Synchronization.Mutex`, so the
// lock's owner tells it. The sanitizer's runtime defines the two functions; without it the weak
// references stay null and the calls below vanish behind one predicted branch. They are weak, not
// chosen by the preprocessor, because `-sanitize=thread` does not reach the C compiler everywhere.
// Apple's lock is one that the sanitizer knows.
#if defined(__linux__)
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
#endif

/// Tells the thread sanitizer that the lock keyed by `address` was taken. Empty without it.
static inline void proscenium_sanitizer_acquire(const void *address) {
#if defined(__linux__)
  if (__tsan_acquire) __tsan_acquire((void *)address);
#endif
}

/// Tells the thread sanitizer that the lock keyed by `address` is given back. Empty without it.
static inline void proscenium_sanitizer_release(const void *address) {
#if defined(__linux__)
  if (__tsan_release) __tsan_release((void *)address);
#endif
}

/// Asks the processor to bring an object of up to two cache lines closer. Any value is allowed: a
/// prefetch never faults.
static inline void proscenium_prefetch(const void *address) {
  __builtin_prefetch(address, 1, 3);
  __builtin_prefetch((const char *)address + 64, 1, 3);
}

/// Tells whether a text contains a part, in time proportional to the two.
int proscenium_contains(
    const void *text, size_t text_count, const void *part, size_t part_count);

/// Tells whether two places hold the same bytes; `count` may be 0.
static inline int proscenium_equal(const void *left, const void *right, size_t count) {
  return count == 0 || memcmp(left, right, count) == 0;
}

#endif
