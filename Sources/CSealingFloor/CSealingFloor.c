// SPDX-License-Identifier: Apache-2.0
#include "CSealingFloor.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#define fdatasync(file) fcntl((file), F_FULLFSYNC)
#endif

enum { tag_size = 16, key_size = 32, nonce_size = 12 };

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int create(const char *path) {
  return open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
}

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

static bool seal(
    EVP_CIPHER_CTX *context, const uint8_t *plain, size_t size, uint64_t number, uint8_t *sealed) {
  uint8_t key[key_size] = {0};
  uint8_t nonce[nonce_size] = {0};
  memcpy(key, &number, sizeof number);
  memcpy(nonce, &number, sizeof number);
  int length = 0;
  return EVP_EncryptInit_ex(context, NULL, NULL, key, nonce) == 1 &&
         EVP_EncryptUpdate(context, NULL, &length, key, 24) == 1 &&
         EVP_EncryptUpdate(context, sealed, &length, plain, (int)size) == 1 &&
         EVP_EncryptFinal_ex(context, sealed + size, &length) == 1 &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, tag_size, sealed + size) == 1;
}

int64_t floor_seal_and_append(
    const char *path, size_t size, size_t group, uint64_t nanoseconds, double *seconds) {
  size_t stride = size + tag_size;
  uint8_t *plain = malloc(size);
  uint8_t *sealed = malloc(stride * group);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int file = create(path);
  int64_t count = 0;
  bool good = plain && sealed && context && file >= 0 &&
              EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, NULL, NULL) == 1;
  if (good) memset(plain, 7, size);
  uint64_t start = now();
  while (good && now() - start < nanoseconds) {
    for (size_t i = 0; good && i < group; i++) {
      uint64_t number = (uint64_t)count + i;
      memcpy(plain, &number, sizeof number);
      good = seal(context, plain, size, number, sealed + i * stride);
    }
    good = good && write_all(file, sealed, stride * group) && fdatasync(file) == 0;
    if (good) count += (int64_t)group;
  }
  *seconds = (double)(now() - start) / 1e9;
  int error = errno;
  EVP_CIPHER_CTX_free(context);
  free(plain);
  free(sealed);
  if (file >= 0) {
    close(file);
    unlink(path);
  }
  errno = error;
  return good ? count : -1;
}

bool floor_append_latencies(
    const char *path, size_t size, size_t count, uint64_t gap, double *latencies) {
  uint8_t *bytes = calloc(1, size);
  int file = create(path);
  bool good = bytes && file >= 0;
  struct timespec pause = {
      .tv_sec = (time_t)(gap / 1000000000u), .tv_nsec = (long)(gap % 1000000000u)};
  for (size_t i = 0; good && i < count; i++) {
    nanosleep(&pause, NULL);
    uint64_t start = now();
    good = write_all(file, bytes, size) && fdatasync(file) == 0;
    latencies[i] = (double)(now() - start) / 1e9;
  }
  int error = errno;
  free(bytes);
  if (file >= 0) {
    close(file);
    unlink(path);
  }
  errno = error;
  return good;
}
