// SPDX-License-Identifier: Apache-2.0
#ifndef CSEALING_H
#define CSEALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What sealing is made of, computed by libcrypto with contexts that each thread keeps. A function
// that can fail returns whether it succeeded.

enum {
  proscenium_key_size = 32,
  proscenium_tag_size = 16,
  proscenium_wrapped_size = 40
};

/// AES-256-GCM: writes `count` bytes of ciphertext and the tag.
bool proscenium_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *plain, size_t count, uint8_t *sealed);

/// AES-256-GCM: writes `count` bytes if the sealed ones, with the tag behind them, are intact. What
/// was written otherwise is to be thrown away.
bool proscenium_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *sealed, size_t count, uint8_t *plain);

/// Prepares a key of 32 bytes for HMAC with SHA-256: writes two halves, each as secret as the key.
void proscenium_prepare_code(const uint8_t *key, uint8_t *inner, uint8_t *outer);

/// HMAC with SHA-256 under a prepared key: writes 32 bytes.
void proscenium_code(
    const uint8_t *inner, const uint8_t *outer, const uint8_t *message, size_t count,
    uint8_t *code);

/// AES key wrap (RFC 3394) of a key of 32 bytes: writes 40 bytes.
bool proscenium_wrap(const uint8_t *wrapping_key, const uint8_t *key, uint8_t *wrapped);

/// Undoes `proscenium_wrap`: writes 32 bytes if the 40 are what the wrapping key wrapped.
bool proscenium_unwrap(const uint8_t *wrapping_key, const uint8_t *wrapped, uint8_t *key);

#endif
