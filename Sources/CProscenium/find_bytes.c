// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProscenium.h"

#include <string.h>

int proscenium_contains(
    const void *text, size_t text_count, const void *part, size_t part_count) {
  return memmem(text, text_count, part, part_count) != NULL;
}
