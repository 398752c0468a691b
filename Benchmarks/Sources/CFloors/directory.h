// SPDX-License-Identifier: Apache-2.0
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "clock.h"

enum { line = 64 };

/// What an event or a question names its object by.
typedef struct identifier {
  uint64_t high;
  uint64_t low;
} identifier;

/// An object has a cache line of its own, as a scene has at least.
typedef struct target {
  _Alignas(line) identifier identifier;
  uint64_t sum;
  uint64_t last;
} target;

/// Objects by their identifiers: a bare open table, in which a free place has the identifier 0.
typedef struct directory {
  uint32_t count;
  uint64_t mask;
  target *targets;
  // What senders choose from.
  identifier *identifiers;
} directory;

static inline void directory_free(directory *directory) {
  free(directory->targets);
  free(directory->identifiers);
}

/// The object of an identifier, or the free place where it would be. Identifiers are random, so a
/// part of one is a hash already.
static inline target *directory_find(const directory *directory, identifier identifier) {
  uint64_t place = identifier.low & directory->mask;
  for (;; place = (place + 1) & directory->mask) {
    target *target = &directory->targets[place];
    if (target->identifier.high == 0 || (target->identifier.high == identifier.high &&
                                         target->identifier.low == identifier.low)) {
      return target;
    }
  }
}

/// Makes so many objects, 1 or more; false if there is no memory for them.
static inline bool directory_make(directory *directory, uint32_t count) {
  uint64_t capacity = 16, random = 2463534242u;
  while (capacity * 7 / 10 < count) capacity *= 2;
  directory->count = count;
  directory->mask = capacity - 1;
  directory->targets = aligned_alloc(line, sizeof(target) * capacity);
  directory->identifiers = malloc(sizeof(identifier) * count);
  if (!directory->targets || !directory->identifiers) {
    directory_free(directory);
    return false;
  }
  for (uint64_t i = 0; i < capacity; i++) directory->targets[i] = (target){0};
  for (uint32_t i = 0; i < count; i++) {
    identifier identifier = {.high = draw(&random), .low = draw(&random)};
    directory->identifiers[i] = identifier;
    directory_find(directory, identifier)->identifier = identifier;
  }
  return true;
}

#endif
