// SPDX-License-Identifier: Apache-2.0
#include "CFloors.h"

#include <stdlib.h>

// The leanest object of a session: an identifier, a state, a place in a queue, its delegate.
typedef struct object {
  uint64_t identifier[2];
  uint64_t state;
  void *queue;
  void *delegate;
} object;

struct floor_objects {
  size_t count;
  // An open table with room for 10 of 7.
  object **table;
};

floor_objects *floor_objects_create(size_t count) {
  floor_objects *objects = malloc(sizeof *objects);
  if (!objects) return NULL;
  objects->count = count;
  objects->table = calloc(count * 10 / 7 + 1, sizeof *objects->table);
  if (!objects->table) {
    free(objects);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    objects->table[i] = calloc(1, sizeof **objects->table);
    if (!objects->table[i]) {
      floor_objects_destroy(objects);
      return NULL;
    }
  }
  return objects;
}

void floor_objects_destroy(floor_objects *objects) {
  if (!objects) return;
  for (size_t i = 0; i < objects->count; i++) free(objects->table[i]);
  free(objects->table);
  free(objects);
}
