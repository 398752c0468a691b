// SPDX-License-Identifier: Apache-2.0
#ifndef CFLOOR_H
#define CFLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the machine allows for finding a number by its text: a bare hash table in C, which knows
/// nothing of predicates, ties, changes or threads.
typedef struct floor_table floor_table;

/// A text and the number that is expected for it. The text is given by its address as a number, so
/// that Swift lets several threads share a list of lookups.
typedef struct floor_lookup {
  uintptr_t bytes;
  uint32_t length;
  uint32_t expected;
} floor_lookup;

/// Makes a table for up to `count` texts; NULL if there is no memory for it.
floor_table *floor_table_create(size_t count);

/// Gives the table and its copies of the texts back.
void floor_table_destroy(floor_table *table);

/// Enters a copy of a text with its number. A text that is there already keeps its number.
/// False if the table holds as many texts as it was made for, or if there is no memory; `table` may
/// be NULL.
bool floor_table_insert(floor_table *table, floor_lookup lookup);

/// Looks texts up one after another and counts those whose number is not the expected one.
size_t floor_table_count_wrong(
    const floor_table *table, const floor_lookup *lookups, size_t count);

/// Does the same in groups: the slots of all texts of a group are prefetched, then their copies.
size_t floor_table_count_wrong_prefetching(
    const floor_table *table, const floor_lookup *lookups, size_t count);

/// Calls a function on so many threads of its own and returns when all calls have. False if the
/// system did not give all the threads; those that it gave have ended then.
bool floor_run_on_threads(
    size_t count, void *context, void (*body)(void *context, size_t thread));

#endif
