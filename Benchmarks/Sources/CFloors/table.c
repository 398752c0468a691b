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
  copy *copy;
} slot;

struct floor_table {
  size_t mask;
  slot slots[];
};

static inline uint64_t read8(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// The two halves of a 128-bit product, folded: one multiplication mixes 16 bytes.
static inline uint64_t mix(uint64_t left, uint64_t right) {
  unsigned __int128 product = (unsigned __int128)left * right;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// The last 16 bytes may overlap those before them.
static inline uint64_t hash_of(const char *bytes, size_t length) {
  const uint64_t a = 0x9E3779B97F4A7C15, b = 0xD6E8FEB86659FD93, c = 0xA0761D6478BD642F;
  uint64_t state = a ^ length;
  const char *end = bytes + length;
  for (; end - bytes > 16; bytes += 16) state = mix(read8(bytes) ^ b, read8(bytes + 8) ^ state);
  return mix(mix(read8(end - 16) ^ b, read8(end - 8) ^ state) ^ c, state ^ a);
}

// The slot of a text, or the empty one where it would be.
static inline const slot *find(const floor_table *table, const floor_lookup *text) {
  const char *bytes = (const char *)text->bytes;
  uint64_t hash = hash_of(bytes, text->length);
  for (size_t index = hash & table->mask;; index = (index + 1) & table->mask) {
    const slot *slot = &table->slots[index];
    if (!slot->copy || (slot->hash == hash && slot->copy->length == text->length &&
                        memcmp(slot->copy->bytes, bytes, text->length) == 0)) {
      return slot;
    }
  }
}

floor_table *floor_table_create(size_t count) {
  // At most 7 of 10 slots are taken, and one is always empty, so that every search ends.
  size_t capacity = 16;
  while (capacity * 7 / 10 < count) capacity *= 2;
  floor_table *table = calloc(1, sizeof(floor_table) + capacity * sizeof(slot));
  if (table) table->mask = capacity - 1;
  return table;
}

void floor_table_destroy(floor_table *table) {
  for (size_t i = 0; i <= table->mask; i++) free(table->slots[i].copy);
  free(table);
}

bool floor_table_insert(floor_table *table, floor_lookup lookup) {
  if (!table) return false;
  slot *slot = (struct slot *)find(table, &lookup);
  if (slot->copy) return true;
  slot->copy = malloc(sizeof(copy) + lookup.length);
  if (!slot->copy) return false;
  slot->hash = hash_of((const char *)lookup.bytes, lookup.length);
  slot->copy->length = lookup.length;
  slot->copy->number = lookup.expected;
  memcpy(slot->copy->bytes, (const char *)lookup.bytes, lookup.length);
  return true;
}

size_t floor_table_count_wrong(
    const floor_table *table, const floor_lookup *lookups, size_t count) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    const copy *found = find(table, &lookups[i])->copy;
    wrong += !found || found->number != lookups[i].expected;
  }
  return wrong;
}
