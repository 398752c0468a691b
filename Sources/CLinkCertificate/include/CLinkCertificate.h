// SPDX-License-Identifier: Apache-2.0
#ifndef CCERTIFICATE_H
#define CCERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  proscenium_fingerprint_size = 32,
  /// More than a certificate or a key of this module takes, in bytes.
  proscenium_certificate_limit = 1024
};

/// Makes a key of P-256 and a certificate for it that the key itself has signed, both in DER.
/// Each buffer has `proscenium_certificate_limit` bytes. Returns whether it succeeded.
bool proscenium_make_certificate(
    uint8_t *certificate, size_t *certificate_count, uint8_t *key, size_t *key_count);

/// SHA-256 of a certificate in DER: writes 32 bytes. Returns whether it succeeded.
bool proscenium_fingerprint(const uint8_t *certificate, size_t count, uint8_t *fingerprint);

#endif
