// SPDX-License-Identifier: Apache-2.0
#include "CFloor.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct work {
  pthread_t thread;
  size_t number;
  void (*body)(void *context, size_t thread);
  void *context;
} work;

static void *run(void *argument) {
  const work *work = argument;
  work->body(work->context, work->number);
  return NULL;
}

bool floor_run_on_threads(
    size_t count, void *context, void (*body)(void *context, size_t thread)) {
  work *works = calloc(count, sizeof *works);
  if (!works) return false;
  size_t started = 0;
  for (; started < count; started++) {
    work *work = &works[started];
    work->number = started;
    work->body = body;
    work->context = context;
    if (pthread_create(&work->thread, NULL, run, work) != 0) break;
  }
  for (size_t i = 0; i < started; i++) pthread_join(works[i].thread, NULL);
  free(works);
  return started == count;
}
