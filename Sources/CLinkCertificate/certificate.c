// SPDX-License-Identifier: Apache-2.0
#include "CLinkCertificate.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

// Names and dates are not looked at: its fingerprint says whose certificate it is.
static bool fill(X509 *certificate, EVP_PKEY *key) {
  X509_NAME *name = X509_get_subject_name(certificate);
  ASN1_TIME *begin = X509_getm_notBefore(certificate), *end = X509_getm_notAfter(certificate);
  return X509_set_version(certificate, 2) == 1 &&
      ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1 &&
      ASN1_TIME_set_string(begin, "20000101000000Z") == 1 &&
      ASN1_TIME_set_string(end, "99991231235959Z") == 1 &&
      X509_NAME_add_entry_by_txt(
          name, "CN", MBSTRING_ASC, (const unsigned char *)"proscenium", -1, -1, 0) == 1 &&
      X509_set_issuer_name(certificate, name) == 1 && X509_set_pubkey(certificate, key) == 1 &&
      X509_sign(certificate, key, EVP_sha256()) > 0;
}

static bool write_der(X509 *certificate, uint8_t *bytes, size_t *count) {
  int length = i2d_X509(certificate, NULL);
  if (length <= 0 || length > proscenium_certificate_limit) return false;
  *count = (size_t)i2d_X509(certificate, &bytes);
  return true;
}

static bool write_key(EVP_PKEY *key, uint8_t *bytes, size_t *count) {
  int length = i2d_PrivateKey(key, NULL);
  if (length <= 0 || length > proscenium_certificate_limit) return false;
  *count = (size_t)i2d_PrivateKey(key, &bytes);
  return true;
}

bool proscenium_make_certificate(
    uint8_t *certificate, size_t *certificate_count, uint8_t *key, size_t *key_count) {
  EVP_PKEY *pair = EVP_EC_gen("P-256");
  X509 *made = X509_new();
  bool succeeds = pair != NULL && made != NULL && fill(made, pair) &&
      write_der(made, certificate, certificate_count) && write_key(pair, key, key_count);
  X509_free(made);
  EVP_PKEY_free(pair);
  return succeeds;
}

bool proscenium_fingerprint(const uint8_t *certificate, size_t count, uint8_t *fingerprint) {
  return EVP_Digest(certificate, count, fingerprint, NULL, EVP_sha256(), NULL) == 1;
}
