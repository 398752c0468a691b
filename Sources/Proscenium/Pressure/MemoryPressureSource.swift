// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Says how much memory is used, and how much there is.
///
/// What it does not know is `nil`, and decides nothing. It is asked as often as
/// ``DisconnectionPolicy/interval`` says, on the executor of the application's tasks or of
/// ``Application/settle()``, and must not take long.
public struct MemoryPressureSource: Sendable {
  /// The bytes that are used now.
  public var usedBytes: @Sendable () -> Int?

  /// The bytes that there are, if the policy names no limit.
  public var limitBytes: @Sendable () -> Int?

  /// In how many percent of the last ten seconds some task waited for memory.
  public var stall: @Sendable () -> Double?

  /// From how many percent on scenes are disconnected for it.
  public var stallLimit = 10.0

  /// Whether what scenes declare is counted instead.
  let isDeclared: Bool

  /// Creates a source of the program's own, such as the counters of its allocator.
  ///
  /// - Parameters:
  ///   - usedBytes: The bytes that are used now.
  ///   - limitBytes: The bytes that there are.
  public init(
    usedBytes: @escaping @Sendable () -> Int?, limitBytes: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.init(isDeclared: false, usedBytes: usedBytes, limitBytes: limitBytes)
  }

  private init(
    isDeclared: Bool, usedBytes: @escaping @Sendable () -> Int?,
    limitBytes: @escaping @Sendable () -> Int?
  ) {
    self.isDeclared = isDeclared
    self.usedBytes = usedBytes
    self.limitBytes = limitBytes
    stall = { nil }
  }

  /// The sum of what connected scenes declare (``Scene/memoryCost``).
  public static let declared = MemoryPressureSource(
    isDeclared: true, usedBytes: { nil }, limitBytes: { nil })

  /// What Linux counts for a control group (version 2), without the cache of files that it would
  /// give back first, and the group's limit.
  ///
  /// - Parameter path: The group's folder. A container finds its own group at the default path.
  /// - Returns: The source.
  public static func cgroup(path: String = "/sys/fs/cgroup") -> MemoryPressureSource {
    MemoryPressureSource(
      usedBytes: {
        MemoryPressureText.bytes(SmallFile.text("\(path)/memory.current")).map { current in
          let cache = MemoryPressureText.inactiveFile(SmallFile.text("\(path)/memory.stat"))
          return max(current - (cache ?? 0), 0)
        }
      }, limitBytes: { MemoryPressureText.bytes(SmallFile.text("\(path)/memory.max")) })
  }

  /// The same source, with scenes that go also because tasks wait for memory, where Linux says so.
  ///
  /// - Parameters:
  ///   - path: The file: `memory.pressure` of a control group, or the machine's.
  ///   - percent: From how many percent of ten seconds on: 0 to 100.
  /// - Returns: The source.
  public func withPressureStall(
    path: String = "/proc/pressure/memory", over percent: Double = 10
  ) -> MemoryPressureSource {
    var source = self
    source.stall = { MemoryPressureText.someOfTenSeconds(SmallFile.text(path)) }
    source.stallLimit = percent
    return source
  }
}

/// Memory whose use is set: by a test, or by a host that knows better than the runtime.
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

/// Reads what Linux says of its memory; `nil` for a text that is missing or says something else.
enum MemoryPressureText {
  /// The number of `memory.current` or `memory.max`; `max` is none.
  static func bytes(_ text: String?) -> Int? {
    text.flatMap { words(of: $0[...]).first }.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// The bytes of files in `memory.stat` that were not used for a while.
  static func inactiveFile(_ text: String?) -> Int? {
    guard let text else { return nil }
    for line in text.split(separator: "\n") {
      let words = words(of: line)
      if words.count == 2, words[0] == "inactive_file" { return bytes(String(words[1])) }
    }
    return nil
  }

  /// In how many percent of ten seconds some task waited, as `memory.pressure` has it.
  static func someOfTenSeconds(_ text: String?) -> Double? {
    guard let text else { return nil }
    for line in text.split(separator: "\n") {
      let words = words(of: line)
      guard words.first == "some" else { continue }
      let value = words.first { $0.hasPrefix("avg10=") }?.dropFirst("avg10=".count)
      return value.flatMap { Double($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
    }
    return nil
  }

  private static func words(of text: Substring) -> [Substring] {
    text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
  }
}
