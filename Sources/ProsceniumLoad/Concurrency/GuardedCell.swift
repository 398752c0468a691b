// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A value behind a lock of its own, one of many in a list.
final class GuardedCell<Value: Sendable>: Sendable {
  private let value: Guarded<Value>

  init(_ value: Value) {
    self.value = Guarded(value)
  }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}
