// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What can be chosen of a store.
public struct StoreOptions: Sendable {
  /// Of how many sessions the keys are kept in memory, about 200 bytes each: 131,072 unless set.
  ///
  /// It should be more than are connected at once: what is not kept is read and derived again.
  public var keyCacheSize = 131_072

  /// The seconds since 1970, which rows carry as the time of their last change, and by which
  /// activations are written once a second.
  public var now: @Sendable () -> Int64 = { Int64(time(nil)) }

  /// Is called when destroyed keys have left the log.
  package var didCutLog: @Sendable () -> Void = {}

  /// How many pages the file may have; for tests of a full disk.
  package var pageLimit: Int?

  /// Creates the usual options.
  public init() {}
}
