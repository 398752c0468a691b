// SPDX-License-Identifier: Apache-2.0
#include "CFloors.h"
#include "directory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

// A question and its answer share a cache line. Odd numbers are questions, even ones answers.
typedef struct slot {
  _Alignas(line) _Atomic uint64_t turn;
  identifier target;
  uint64_t number;
} slot;

typedef struct exchange {
  uint32_t slot_count;
  slot *slots;
  directory directory;
  _Atomic bool is_closed;
} exchange;

// How often a thread looks in vain before it lets another one have its processor.
static const uint32_t patience = 1024;

static bool answer_once(exchange *exchange) {
  bool has_answered = false;
  for (uint32_t i = 0; i < exchange->slot_count; i++) {
    slot *slot = &exchange->slots[i];
    uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
    if (turn % 2 == 0) continue;
    directory_find(&exchange->directory, slot->target)->sum += slot->number;
    slot->number = slot->number + 1;
    atomic_store_explicit(&slot->turn, turn + 1, memory_order_release);
    has_answered = true;
  }
  return has_answered;
}

static void *answer(void *argument) {
  exchange *exchange = argument;
  uint32_t vain = 0;
  while (!atomic_load_explicit(&exchange->is_closed, memory_order_relaxed)) {
    vain = answer_once(exchange) ? 0 : vain + 1;
    if (vain % patience == patience - 1) sched_yield();
  }
  return NULL;
}

// Keeps one question of each slot on its way; gives how many were answered, -1 for a wrong answer.
static int64_t ask(exchange *exchange, uint64_t nanoseconds) {
  uint64_t random = 88172645463325252u, end = now() + nanoseconds;
  const directory *directory = &exchange->directory;
  int64_t count = 0;
  uint32_t vain = 0;
  do {
    int64_t before = count;
    for (uint32_t round = 0; round < 64; round++) {
      for (uint32_t i = 0; i < exchange->slot_count; i++) {
        slot *slot = &exchange->slots[i];
        uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
        if (turn % 2 == 1) continue;
        if (turn > 0) {
          if (slot->number != turn) return -1;
          count++;
        }
        // The answer is one more than the question: the next even turn.
        slot->number = turn + 1;
        slot->target = directory->identifiers[draw_below(&random, directory->count)];
        atomic_store_explicit(&slot->turn, turn + 1, memory_order_release);
      }
    }
    vain = count > before ? 0 : vain + 64;
    if (vain >= patience) {
      sched_yield();
      vain = 0;
    }
  } while (now() < end);
  return count;
}

int64_t floor_ask(uint32_t targets, uint32_t callers, uint64_t nanoseconds) {
  exchange exchange = {.slot_count = callers};
  int64_t result = -1;
  pthread_t other;
  if (!directory_make(&exchange.directory, targets)) return -1;
  exchange.slots = aligned_alloc(line, sizeof(slot) * callers);
  if (exchange.slots) {
    for (uint32_t i = 0; i < callers; i++) exchange.slots[i] = (slot){0};
    if (pthread_create(&other, NULL, answer, &exchange) == 0) {
      result = ask(&exchange, nanoseconds);
      atomic_store_explicit(&exchange.is_closed, true, memory_order_relaxed);
      pthread_join(other, NULL);
    }
  }
  free(exchange.slots);
  directory_free(&exchange.directory);
  return result;
}
