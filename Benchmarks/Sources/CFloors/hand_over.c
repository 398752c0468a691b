// SPDX-License-Identifier: Apache-2.0
#include "CFloors.h"
#include "directory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

// A ring of this many events; the sides tell each other how far they are once in a group.
enum { ring_size = 8192, group_size = 64 };

typedef struct event {
  identifier target;
  uint64_t number;
  uint64_t payload;
} event;

typedef struct ring {
  _Alignas(line) _Atomic uint64_t written;
  _Alignas(line) _Atomic uint64_t read;
  _Alignas(line) _Atomic bool is_closed;
  _Alignas(line) event events[ring_size];
  directory directory;
} ring;

static void take(ring *ring, uint64_t from, uint64_t to) {
  for (uint64_t i = from; i < to; i++) {
    const event *event = &ring->events[i % ring_size];
    target *target = directory_find(&ring->directory, event->target);
    target->sum += event->payload;
    target->last = event->number;
  }
}

static void *receive(void *argument) {
  ring *ring = argument;
  uint64_t read = 0;
  for (;;) {
    bool is_closed = atomic_load_explicit(&ring->is_closed, memory_order_acquire);
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    if (written == read) {
      if (is_closed) return NULL;
      sched_yield();
      continue;
    }
    if (written > read + group_size) written = read + group_size;
    take(ring, read, written);
    read = written;
    atomic_store_explicit(&ring->read, read, memory_order_release);
  }
}

// Sends until the time is over; gives the sum of all that was sent.
static uint64_t send(ring *ring, uint64_t nanoseconds, uint64_t *count) {
  uint64_t random = 88172645463325252u, written = 0, sum = 0, end = now() + nanoseconds;
  do {
    for (int round = 0; round < 16; round++) {
      while (written + group_size >
             atomic_load_explicit(&ring->read, memory_order_acquire) + ring_size) {
        sched_yield();
      }
      for (int i = 0; i < group_size; i++, written++) {
        event *event = &ring->events[written % ring_size];
        event->payload = draw(&random);
        event->target =
            ring->directory.identifiers[draw_below(&random, ring->directory.count)];
        event->number = written;
        sum += event->payload;
      }
      atomic_store_explicit(&ring->written, written, memory_order_release);
    }
  } while (now() < end);
  atomic_store_explicit(&ring->is_closed, true, memory_order_release);
  *count = written;
  return sum;
}

int64_t floor_hand_over(uint32_t targets, uint64_t nanoseconds) {
  ring *ring = aligned_alloc(line, (sizeof *ring + line - 1) / line * line);
  int64_t result = -1;
  pthread_t receiver;
  if (!ring) return -1;
  *ring = (struct ring){0};
  if (targets > 0 && directory_make(&ring->directory, targets)) {
    if (pthread_create(&receiver, NULL, receive, ring) == 0) {
      uint64_t count = 0, received = 0;
      uint64_t sent = send(ring, nanoseconds, &count);
      pthread_join(receiver, NULL);
      for (uint64_t i = 0; i <= ring->directory.mask; i++) {
        received += ring->directory.targets[i].sum;
      }
      if (received == sent) result = (int64_t)count;
    }
    directory_free(&ring->directory);
  }
  free(ring);
  return result;
}
