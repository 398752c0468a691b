// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Memory whose use somebody says: a test, or a host that knows better than the runtime.
///
/// It can be set and read from any thread; the policy looks at it when its time has come.
public final class ManualMemoryPressure: Sendable {
  private let values: Guarded<(used: Int?, limit: Int?)>

  /// Creates memory of which so much is used and so much is there; `nil` is not known.
  public init(usedBytes: Int? = nil, limitBytes: Int? = nil) {
    values = Guarded((usedBytes, limitBytes))
  }

  /// The bytes that are used.
  public var usedBytes: Int? {
    get { values.withLock { $0.used } }
    set { values.withLock { $0.used = newValue } }
  }

  /// The bytes that there are.
  public var limitBytes: Int? {
    get { values.withLock { $0.limit } }
    set { values.withLock { $0.limit = newValue } }
  }

  /// The source that says it.
  public var source: MemoryPressureSource {
    MemoryPressureSource(usedBytes: { self.usedBytes }, limitBytes: { self.limitBytes })
  }
}
