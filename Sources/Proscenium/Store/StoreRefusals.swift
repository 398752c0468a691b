// SPDX-License-Identifier: Apache-2.0

import Logging

/// Logs that a store refuses changes: once, however often it is asked, and when that is over.
struct StoreRefusals: Sendable {
  private let log: Logger
  private var count = 0
  private var code: StoreError.Code?

  init(_ log: Logger) {
    self.log = log
  }

  /// Takes note of a refusal; one for another reason than that before it is logged as well.
  mutating func add(_ error: StoreError) {
    if code != error.code {
      log.error("the store refused changes", metadata: ["error": "\(error)"])
    }
    count += 1
    code = error.code
  }

  /// Takes note that the store has taken changes.
  mutating func end() {
    guard count > 0 else { return }
    log.notice("the store takes changes again", metadata: ["refusals": "\(count)"])
    (count, code) = (0, nil)
  }
}
