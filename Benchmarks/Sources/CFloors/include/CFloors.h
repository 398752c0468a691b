// SPDX-License-Identifier: Apache-2.0
#ifndef CFLOORS_H
#define CFLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the machine allows: the work of each path in C, without anything that a runtime adds to it.
// Functions that work for a time say how many operations they did, and -1 if the system refused
// something or a result was wrong.

// Deliveries

/// Hands events over from one thread to another: each of 32 bytes, in its half of a cache line, to
/// one of `targets` objects chosen at random, which is found by its identifier of 16 bytes and adds
/// the event up.
int64_t floor_hand_over(uint32_t targets, uint64_t nanoseconds);

/// Asks objects at random, found by their identifiers: one thread keeps a question of each of its
/// callers, 1 or more, on its way, each in a cache line of its own; another one answers.
int64_t floor_ask(uint32_t targets, uint32_t callers, uint64_t nanoseconds);

// States

/// Copies `size` bytes into memory that is allocated for each copy and freed.
int64_t floor_copy(size_t size, uint64_t nanoseconds);

/// Seals records of `size` bytes with AES-256-GCM, a key of its own each; or opens one.
int64_t floor_seal(size_t size, bool opens, uint64_t nanoseconds);

/// Appends records of `size` bytes to a new file, sealed if so wanted, and syncs it once a group.
/// Nothing is indexed, found again or given back; the file is removed.
int64_t floor_append(
    const char *path, size_t size, size_t group, bool seals, uint64_t nanoseconds);

/// Reads a file from its beginning to its end; how many bytes it has, or -1.
int64_t floor_read(const char *path);

// Routing

/// What the machine allows for finding a number by its text: a bare hash table in C, which knows
/// nothing of predicates, ties, changes or threads.
typedef struct floor_table floor_table;

/// A text of 16 bytes or more and the number that is expected for it. The text is given by its
/// address as a number, so that Swift lets several threads share a list of lookups.
typedef struct floor_lookup {
  uintptr_t bytes;
  uint32_t length;
  uint32_t expected;
} floor_lookup;

/// Makes a table for up to `count` texts; NULL if there is no memory for it.
floor_table *floor_table_create(size_t count);

/// Gives a table and its copies of the texts back.
void floor_table_destroy(floor_table *table);

/// Enters a copy of a text with its number. A text that is there already keeps its number.
/// False if there is no memory; `table` may be NULL.
bool floor_table_insert(floor_table *table, floor_lookup lookup);

/// Looks texts up one after another and counts those whose number is not the expected one.
size_t floor_table_count_wrong(
    const floor_table *table, const floor_lookup *lookups, size_t count);

// Counting

/// Begins what valgrind's tool callgrind counts of this program; does nothing without it.
void counting_begin(void);

/// Ends it.
void counting_end(void);

#endif
