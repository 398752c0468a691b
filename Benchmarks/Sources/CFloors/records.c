// SPDX-License-Identifier: Apache-2.0
#include "CFloors.h"
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#define fdatasync(file) fcntl((file), F_FULLFSYNC)
#endif

enum { tag_size = 16, key_size = 32, nonce_size = 12, header_size = 24 };

static bool write_all(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

// Seals a record into its result and tag, or opens them, as the context was made for. Each has a
// key and a nonce of its own, as each session has.
static bool transform(
    EVP_CIPHER_CTX *context, bool opens, const uint8_t *from, size_t size, uint64_t number,
    uint8_t *to, uint8_t *tag) {
  uint8_t key[key_size] = {0}, nonce[nonce_size] = {0};
  memcpy(key, &number, sizeof number);
  memcpy(nonce, &number, sizeof number);
  int length = 0;
  return EVP_CipherInit_ex(context, NULL, NULL, key, nonce, -1) == 1 &&
         EVP_CipherUpdate(context, NULL, &length, key, header_size) == 1 &&
         EVP_CipherUpdate(context, to, &length, from, (int)size) == 1 &&
         (!opens || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, tag_size, tag) == 1) &&
         EVP_CipherFinal_ex(context, to + size, &length) == 1 &&
         (opens || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, tag_size, tag) == 1);
}

static bool seal(
    EVP_CIPHER_CTX *context, const uint8_t *plain, size_t size, uint64_t number, uint8_t *sealed) {
  return transform(context, false, plain, size, number, sealed, sealed + size);
}

int64_t floor_copy(size_t size, uint64_t nanoseconds) {
  uint8_t *plain = calloc(1, size);
  int64_t count = 0;
  if (!plain) return -1;
  uint64_t end = now() + nanoseconds;
  do {
    for (int i = 0; i < 256; i++, count++) {
      uint8_t *copy = malloc(size);
      if (!copy) {
        free(plain);
        return -1;
      }
      plain[(size_t)count % size]++;
      memcpy(copy, plain, size);
      // The compiler has to believe that the copy is read.
      __asm__ volatile("" : : "r"(copy) : "memory");
      free(copy);
    }
  } while (now() < end);
  free(plain);
  return count;
}

int64_t floor_seal(size_t size, bool opens, uint64_t nanoseconds) {
  uint8_t *plain = calloc(1, size + tag_size);
  uint8_t *sealed = malloc(size + tag_size);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int64_t count = 0;
  bool good = plain && sealed && context &&
              EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, NULL, NULL) == 1 &&
              seal(context, plain, size, 0, sealed);
  if (good && opens) {
    good = EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, NULL, NULL) == 1;
  }
  uint64_t end = now() + nanoseconds;
  do {
    for (int i = 0; good && i < 64; i++, count++) {
      good = opens ? transform(context, true, sealed, size, 0, plain, sealed + size)
                   : seal(context, plain, size, (uint64_t)count, sealed);
    }
  } while (good && now() < end);
  EVP_CIPHER_CTX_free(context);
  free(plain);
  free(sealed);
  return good ? count : -1;
}

int64_t floor_append(
    const char *path, size_t size, size_t group, bool seals, uint64_t nanoseconds) {
  size_t stride = size + tag_size;
  uint8_t *plain = calloc(1, size);
  uint8_t *sealed = calloc(group, stride);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
  int64_t count = 0;
  bool good = plain && sealed && context && file >= 0 &&
              EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, NULL, NULL) == 1;
  uint64_t end = now() + nanoseconds;
  while (good && now() < end) {
    for (size_t i = 0; good && i < group; i++) {
      uint64_t number = (uint64_t)count + i;
      memcpy(plain, &number, sizeof number);
      if (seals) {
        good = seal(context, plain, size, number, sealed + i * stride);
      } else {
        memcpy(sealed + i * stride, plain, size);
      }
    }
    good = good && write_all(file, sealed, stride * group) && fdatasync(file) == 0;
    if (good) count += (int64_t)group;
  }
  EVP_CIPHER_CTX_free(context);
  free(plain);
  free(sealed);
  if (file >= 0) {
    close(file);
    unlink(path);
  }
  return good ? count : -1;
}

int64_t floor_read(const char *path) {
  enum { block_size = 1 << 20 };
  uint8_t *block = malloc(block_size);
  int file = open(path, O_RDONLY);
  int64_t total = 0;
  ssize_t count = -1;
  if (block && file >= 0) {
    while ((count = read(file, block, block_size)) > 0) total += count;
  }
  if (file >= 0) close(file);
  free(block);
  return count < 0 ? -1 : total;
}
