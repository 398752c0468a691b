// SPDX-License-Identifier: Apache-2.0
// SHA-256 with its state in the open, which can be kept and copied, is of this interface alone.
#define OPENSSL_API_COMPAT 0x10100000L
#include "CSealing.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { block_size = 64, update_limit = 1 << 30 };

// To find an algorithm by its name costs more than to run it: each thread does it once.
struct contexts {
  EVP_CIPHER_CTX *sealing;
  EVP_CIPHER_CTX *opening;
  EVP_CIPHER_CTX *blocks;
  EVP_CIPHER *block_cipher;
};

static pthread_key_t contexts_key;
static pthread_once_t contexts_once = PTHREAD_ONCE_INIT;
static bool has_key = false;

static void free_contexts(void *value) {
  struct contexts *contexts = value;
  EVP_CIPHER_CTX_free(contexts->sealing);
  EVP_CIPHER_CTX_free(contexts->opening);
  EVP_CIPHER_CTX_free(contexts->blocks);
  EVP_CIPHER_free(contexts->block_cipher);
  free(contexts);
}

static void make_key(void) {
  has_key = pthread_key_create(&contexts_key, free_contexts) == 0;
}

static bool prepare(struct contexts *contexts) {
  contexts->sealing = EVP_CIPHER_CTX_new();
  contexts->opening = EVP_CIPHER_CTX_new();
  contexts->blocks = EVP_CIPHER_CTX_new();
  contexts->block_cipher = EVP_CIPHER_fetch(NULL, "AES-256-ECB", NULL);
  if (!contexts->sealing || !contexts->opening || !contexts->blocks || !contexts->block_cipher)
    return false;
  return EVP_EncryptInit_ex(contexts->sealing, EVP_aes_256_gcm(), NULL, NULL, NULL) == 1 &&
         EVP_DecryptInit_ex(contexts->opening, EVP_aes_256_gcm(), NULL, NULL, NULL) == 1;
}

static struct contexts *thread_contexts(void) {
  if (pthread_once(&contexts_once, make_key) != 0 || !has_key) return NULL;
  struct contexts *contexts = pthread_getspecific(contexts_key);
  if (contexts) return contexts;
  contexts = calloc(1, sizeof *contexts);
  if (!contexts) return NULL;
  if (!prepare(contexts) || pthread_setspecific(contexts_key, contexts) != 0) {
    free_contexts(contexts);
    return NULL;
  }
  return contexts;
}

bool proscenium_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *plain, size_t count, uint8_t *sealed) {
  struct contexts *contexts = thread_contexts();
  if (!contexts || count > update_limit || binding_count > update_limit) return false;
  EVP_CIPHER_CTX *context = contexts->sealing;
  int length = 0;
  return EVP_EncryptInit_ex(context, NULL, NULL, key, nonce) == 1 &&
         EVP_EncryptUpdate(context, NULL, &length, binding, (int)binding_count) == 1 &&
         (count == 0 || EVP_EncryptUpdate(context, sealed, &length, plain, (int)count) == 1) &&
         EVP_EncryptFinal_ex(context, sealed + count, &length) == 1 &&
         EVP_CIPHER_CTX_ctrl(
             context, EVP_CTRL_GCM_GET_TAG, proscenium_tag_size, sealed + count) == 1;
}

bool proscenium_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *binding, size_t binding_count,
    const uint8_t *sealed, size_t count, uint8_t *plain) {
  struct contexts *contexts = thread_contexts();
  if (!contexts || count > update_limit || binding_count > update_limit) return false;
  EVP_CIPHER_CTX *context = contexts->opening;
  uint8_t tag[proscenium_tag_size];
  uint8_t rest[block_size];
  memcpy(tag, sealed + count, sizeof tag);
  int length = 0;
  return EVP_DecryptInit_ex(context, NULL, NULL, key, nonce) == 1 &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, proscenium_tag_size, tag) == 1 &&
         EVP_DecryptUpdate(context, NULL, &length, binding, (int)binding_count) == 1 &&
         (count == 0 || EVP_DecryptUpdate(context, plain, &length, sealed, (int)count) == 1) &&
         EVP_DecryptFinal_ex(context, rest, &length) == 1;
}

// Takes in the first block of an HMAC, and keeps the state behind it.
static void prepare_half(const uint8_t *key, uint8_t pad, uint8_t *half) {
  uint8_t block[block_size];
  SHA256_CTX context;
  memset(block, pad, sizeof block);
  for (size_t i = 0; i < proscenium_key_size; i++) block[i] ^= key[i];
  SHA256_Init(&context);
  SHA256_Update(&context, block, sizeof block);
  memcpy(half, context.h, proscenium_key_size);
  OPENSSL_cleanse(block, sizeof block);
  OPENSSL_cleanse(&context, sizeof context);
}

void proscenium_prepare_code(const uint8_t *key, uint8_t *inner, uint8_t *outer) {
  prepare_half(key, 0x36, inner);
  prepare_half(key, 0x5c, outer);
}

static void finish_half(
    const uint8_t *half, const uint8_t *message, size_t count, uint8_t *digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  memcpy(context.h, half, proscenium_key_size);
  context.Nl = 8 * block_size;
  SHA256_Update(&context, message, count);
  SHA256_Final(digest, &context);
  OPENSSL_cleanse(&context, sizeof context);
}

void proscenium_code(
    const uint8_t *inner, const uint8_t *outer, const uint8_t *message, size_t count,
    uint8_t *code) {
  uint8_t first[proscenium_key_size];
  finish_half(inner, message, count, first);
  finish_half(outer, first, sizeof first, code);
  OPENSSL_cleanse(first, sizeof first);
}

// The library's own key wrap computes AES without the processor's instructions and takes four times
// as long; over single blocks it is short. A key is four halves of blocks, which go through six
// rounds together with a fifth one; it is a constant at first.
enum { half = 8, halves = proscenium_key_size / half, rounds = 6 };
static const uint8_t initial_value = 0xa6;

static void count_step(uint8_t *first, int step) {
  first[half - 1] ^= (uint8_t)step;
}

bool proscenium_wrap(const uint8_t *wrapping_key, const uint8_t *key, uint8_t *wrapped) {
  struct contexts *contexts = thread_contexts();
  if (!contexts) return false;
  EVP_CIPHER_CTX *context = contexts->blocks;
  if (EVP_EncryptInit_ex(context, contexts->block_cipher, NULL, wrapping_key, NULL) != 1 ||
      EVP_CIPHER_CTX_set_padding(context, 0) != 1)
    return false;
  uint8_t block[2 * half];
  memset(wrapped, initial_value, half);
  memcpy(wrapped + half, key, proscenium_key_size);
  bool good = true;
  for (int step = 1; good && step <= rounds * halves; step++) {
    uint8_t *part = wrapped + half * (1 + (step - 1) % halves);
    int length = 0;
    memcpy(block, wrapped, half);
    memcpy(block + half, part, half);
    good = EVP_EncryptUpdate(context, block, &length, block, sizeof block) == 1;
    memcpy(wrapped, block, half);
    count_step(wrapped, step);
    memcpy(part, block + half, half);
  }
  OPENSSL_cleanse(block, sizeof block);
  return good;
}

bool proscenium_unwrap(const uint8_t *wrapping_key, const uint8_t *wrapped, uint8_t *key) {
  struct contexts *contexts = thread_contexts();
  if (!contexts) return false;
  EVP_CIPHER_CTX *context = contexts->blocks;
  if (EVP_DecryptInit_ex(context, contexts->block_cipher, NULL, wrapping_key, NULL) != 1 ||
      EVP_CIPHER_CTX_set_padding(context, 0) != 1)
    return false;
  uint8_t first[half], expected[half], block[2 * half];
  memcpy(first, wrapped, half);
  memcpy(key, wrapped + half, proscenium_key_size);
  bool good = true;
  for (int step = rounds * halves; good && step >= 1; step--) {
    uint8_t *part = key + half * ((step - 1) % halves);
    int length = 0;
    count_step(first, step);
    memcpy(block, first, half);
    memcpy(block + half, part, half);
    good = EVP_DecryptUpdate(context, block, &length, block, sizeof block) == 1;
    memcpy(first, block, half);
    memcpy(part, block + half, half);
  }
  memset(expected, initial_value, half);
  good = good && CRYPTO_memcmp(first, expected, half) == 0;
  if (!good) OPENSSL_cleanse(key, proscenium_key_size);
  OPENSSL_cleanse(block, sizeof block);
  return good;
}
