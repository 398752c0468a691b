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

/// Objects, found by their identifiers: a bare open table with eight bytes for each.
typedef struct directory {
  uint32_t count;
  uint64_t mask;
  // The upper half of a hash above the number of an object and one; 0 in an empty slot.
  uint64_t *slots;
  target *targets;
  // What senders choose from.
  identifier *identifiers;
} directory;

static inline uint64_t spread(identifier identifier) {
  uint64_t mixed = (identifier.high ^ identifier.low * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return mixed ^ mixed >> 32;
}

static inline void directory_free(directory *directory) {
  free(directory->slots);
  free(directory->targets);
  free(directory->identifiers);
}

/// Makes so many objects, 1 or more; false if there is no memory for them.
static inline bool directory_make(directory *directory, uint32_t count) {
  uint64_t capacity = 16, random = 2463534242u;
  while (capacity * 7 / 10 < count) capacity *= 2;
  directory->count = count;
  directory->mask = capacity - 1;
  directory->slots = calloc(capacity, sizeof *directory->slots);
  directory->targets = aligned_alloc(line, sizeof(target) * count);
  directory->identifiers = malloc(sizeof(identifier) * count);
  if (!directory->slots || !directory->targets || !directory->identifiers) {
    directory_free(directory);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    identifier identifier = {.high = draw(&random), .low = draw(&random)};
    uint64_t hash = spread(identifier), place = hash & directory->mask;
    while (directory->slots[place]) place = (place + 1) & directory->mask;
    directory->slots[place] = (hash & ~(uint64_t)UINT32_MAX) | (i + 1);
    directory->targets[i] = (target){.identifier = identifier};
    directory->identifiers[i] = identifier;
  }
  return true;
}

/// Asks for the slot that a search begins with.
static inline void directory_fetch(const directory *directory, uint64_t hash) {
  __builtin_prefetch(&directory->slots[hash & directory->mask], 0, 3);
}

/// The next place at which an object of a hash may be, from a place on.
static inline uint64_t directory_next(const directory *directory, uint64_t hash, uint64_t place) {
  while (directory->slots[place] && (directory->slots[place] ^ hash) >> 32) {
    place = (place + 1) & directory->mask;
  }
  return place;
}

/// The object at a place.
static inline target *directory_at(const directory *directory, uint64_t place) {
  return &directory->targets[(uint32_t)directory->slots[place] - 1];
}

/// The object of an identifier that has one, if its hash led to a place.
static inline target *directory_find(
    const directory *directory, identifier identifier, uint64_t hash, uint64_t place) {
  for (;;) {
    target *target = directory_at(directory, place);
    if (target->identifier.high == identifier.high && target->identifier.low == identifier.low) {
      return target;
    }
    // Two identifiers with one half of a hash.
    place = directory_next(directory, hash, (place + 1) & directory->mask);
  }
}

#endif
