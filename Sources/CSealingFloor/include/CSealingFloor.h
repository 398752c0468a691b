// SPDX-License-Identifier: Apache-2.0
#ifndef CSEALINGFLOOR_H
#define CSEALINGFLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the machine allows for durable sealed records: one thread seals each with AES-256-GCM,
/// appends them to a file and syncs it once a group. Nothing is indexed, found again or given back.
///
/// Appends records of `size` bytes, a key of its own each, in groups of `group`, until
/// `nanoseconds` have passed. The file must not exist; it is removed afterwards.
/// - Returns: How many records were synced, or -1 with `errno` set.
int64_t floor_seal_and_append(
    const char *path, size_t size, size_t group, uint64_t nanoseconds, double *seconds);

/// Appends one record of `size` bytes and syncs it, `count` times, each `gap` nanoseconds after the
/// last was synced, and writes down how long each took, in seconds. The file is removed afterwards.
/// - Returns: False with `errno` set if the file cannot be written.
bool floor_append_latencies(
    const char *path, size_t size, size_t count, uint64_t gap, double *latencies);

#endif
