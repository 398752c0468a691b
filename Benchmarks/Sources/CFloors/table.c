// SPDX-License-Identifier: Apache-2.0
#include "CFloors.h"

#include <stdlib.h>
#include <string.h>

typedef struct copy {
  uint32_t length;
  uint32_t number;
  char bytes[];
} copy;

typedef struct slot {
  uint64_t hash;
  // NULL in an empty slot.
  const copy *copy;
} slot;

struct floor_table {
  size_t mask;
  size_t room;
  slot slots[];
};

// Hashing

static inline uint64_t read8(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static inline uint64_t read4(const char *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// The two halves of a 128-bit product, folded: one multiplication mixes 16 bytes.
static inline uint64_t mix(uint64_t left, uint64_t right) {
  unsigned __int128 product = (unsigned __int128)left * right;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_of(const char *bytes, size_t length) {
  const uint64_t a = 0x9E3779B97F4A7C15, b = 0xD6E8FEB86659FD93, c = 0xA0761D6478BD642F;
  uint64_t state = a ^ length;
  uint64_t first = 0, last = 0;
  if (length >= 16) {
    const char *end = bytes + length;
    for (; end - bytes > 16; bytes += 16) state = mix(read8(bytes) ^ b, read8(bytes + 8) ^ state);
    // The last 16 bytes may overlap those before them.
    first = read8(end - 16);
    last = read8(end - 8);
  } else if (length >= 8) {
    first = read8(bytes);
    last = read8(bytes + length - 8);
  } else if (length >= 4) {
    first = read4(bytes);
    last = read4(bytes + length - 4);
  } else {
    for (size_t i = 0; i < length; i++) first = first << 8 | (unsigned char)bytes[i];
  }
  return mix(mix(first ^ b, last ^ state) ^ c, state ^ a);
}

static inline bool is_text(const copy *copy, const char *bytes, size_t length) {
  return copy->length == length && memcmp(copy->bytes, bytes, length) == 0;
}

// The slot of a text, or the empty one where it would be.
static inline size_t find(
    const floor_table *table, uint64_t hash, const char *bytes, size_t length) {
  size_t index = hash & table->mask;
  while (table->slots[index].copy) {
    if (table->slots[index].hash == hash && is_text(table->slots[index].copy, bytes, length)) break;
    index = (index + 1) & table->mask;
  }
  return index;
}

// Life

floor_table *floor_table_create(size_t count) {
  // At most 7 of 10 slots are taken, and one is always empty, so that every search ends.
  size_t capacity = 16;
  while (capacity * 7 / 10 < count) {
    if (capacity > SIZE_MAX / 4 / sizeof(slot)) return NULL;
    capacity *= 2;
  }
  floor_table *table = calloc(1, sizeof(floor_table) + capacity * sizeof(slot));
  if (!table) return NULL;
  table->mask = capacity - 1;
  table->room = count;
  return table;
}

void floor_table_destroy(floor_table *table) {
  if (!table) return;
  for (size_t i = 0; i <= table->mask; i++) free((void *)table->slots[i].copy);
  free(table);
}

bool floor_table_insert(floor_table *table, floor_lookup lookup) {
  if (!table) return false;
  const char *bytes = (const char *)lookup.bytes;
  uint64_t hash = hash_of(bytes, lookup.length);
  slot *slot = &table->slots[find(table, hash, bytes, lookup.length)];
  if (slot->copy) return true;
  if (table->room == 0) return false;
  copy *new = malloc(sizeof(copy) + lookup.length);
  if (!new) return false;
  new->length = lookup.length;
  new->number = lookup.expected;
  memcpy(new->bytes, bytes, lookup.length);
  slot->hash = hash;
  slot->copy = new;
  table->room--;
  return true;
}

// Lookups

size_t floor_table_count_wrong(
    const floor_table *table, const floor_lookup *lookups, size_t count) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    const char *bytes = (const char *)lookups[i].bytes;
    uint64_t hash = hash_of(bytes, lookups[i].length);
    const copy *found = table->slots[find(table, hash, bytes, lookups[i].length)].copy;
    wrong += !found || found->number != lookups[i].expected;
  }
  return wrong;
}
