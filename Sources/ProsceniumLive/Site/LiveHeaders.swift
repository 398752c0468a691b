// SPDX-License-Identifier: Apache-2.0

/// The lines of the head of every answer.
enum LiveHeaders {
  /// What a page may load: the host's own script and style, and its line.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

  static let common = [
    ("Content-Security-Policy", policy),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]
}
