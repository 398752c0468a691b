// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes saved states, one after the other, into memory that it keeps.
///
/// Equal states have equal bytes, whatever the order of their dictionaries and sets; texts count by
/// their bytes, and reals by their bits.
struct SavedStateEncoder {
  /// As much memory as most states need.
  private static let firstCapacity = 512
  /// How much memory is kept between two states.
  private static let keptCapacity = 64 << 10

  let limits: SavedStateLimits
  /// The encoding of the last state; empty after an error.
  var bytes: [UInt8] = []
  var valueCount = 0
  /// How many of the bytes are those of snapshots, which have limits of their own.
  private var snapshotByteCount = 0
  /// Whether values without a place in a property list are refused, as in the session's settings.
  private(set) var isPropertyList = false
  /// Whether limits are passed over, so that the sizes of a state can be told.
  let isMeasuring: Bool
  /// Whether what is encoded next is a part of its own.
  private var notesParts: Bool
  private var parts: [SavedStateError.Part] = []

  /// Why encoding stopped.
  enum Refusal: Error {
    case byteCount
    case valueCount
    case other(SavedStateError)

    func under(_ key: @autoclosure () -> String) -> Refusal {
      if case .other(let error) = self { .other(error.under(key())) } else { self }
    }
  }

  /// Creates an encoder.
  ///
  /// - Parameter limits: What is refused.
  init(limits: SavedStateLimits = SavedStateLimits()) {
    self.init(limits: limits, isMeasuring: false)
  }

  private init(limits: SavedStateLimits, isMeasuring: Bool) {
    self.limits = limits
    self.isMeasuring = isMeasuring
    notesParts = isMeasuring
  }

  /// Encodes a state into ``bytes``.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - version: The application's version of it.
  /// - Throws: `limitExceeded`, with the largest parts of the state, or `notPropertyList`. Then
  ///   there are no bytes.
  mutating func encode(
    _ state: SavedState, version: StateVersion = .unstamped
  ) throws(SavedStateError) {
    clear()
    do throws(Refusal) {
      try fields(state, version)
    } catch {
      clear()
      throw Self.error(error, state, version, limits)
    }
  }

  /// Forgets the last state, and gives back what a giant one took.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    bytes.reserveCapacity(Self.firstCapacity)
    valueCount = 0
    snapshotByteCount = 0
    isPropertyList = false
  }

  /// Tells whether the state that was encoded last has given these bytes.
  func isEncoded(as other: [UInt8]) -> Bool { bytes == other }

  /// Gives away what was encoded, and then lets go of it.
  ///
  /// - Parameter body: Called with the bytes.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` threw.
  mutating func withEncoded<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { clear() }
    return try unsafe body(bytes.span.bytes)
  }

  // MARK: - Errors

  static func error(
    _ refusal: Refusal, _ state: SavedState, _ version: StateVersion, _ limits: SavedStateLimits
  ) -> SavedStateError {
    if case .other(let error) = refusal { return error }
    var encoder = SavedStateEncoder(limits: limits, isMeasuring: true)
    try? encoder.fields(state, version)
    if case .byteCount = refusal {
      return SavedStateError(
        .limitExceeded, expected: "a state of at most \(limits.byteCount.grouped) bytes",
        found: encoder.bytes.count.grouped, largestParts: encoder.largestParts(by: \.byteCount))
    }
    return SavedStateError(
      .limitExceeded, expected: "a state of at most \(limits.valueCount.grouped) values",
      found: encoder.valueCount.grouped, largestParts: encoder.largestParts(by: \.valueCount))
  }

  /// The largest parts, by bytes or by their number of values.
  private func largestParts(
    by size: KeyPath<SavedStateError.Part, Int>
  ) -> [SavedStateError.Part] {
    let sorted = parts.sorted {
      ($1[keyPath: size], $0.keyPath) < ($0[keyPath: size], $1.keyPath)
    }
    return Array(sorted.prefix(SavedStateError.partCountLimit))
  }

  /// Encodes something that an error names as one part.
  private mutating func part(
    _ keyPath: @autoclosure () -> String,
    _ content: (inout SavedStateEncoder) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard notesParts else { return try content(&self) }
    notesParts = false
    let before = (bytes: bytes.count, values: valueCount)
    try content(&self)
    parts.append(
      SavedStateError.Part(
        keyPath: keyPath(), byteCount: bytes.count - before.bytes,
        valueCount: valueCount - before.values))
    notesParts = true
  }

  func checkSize() throws(Refusal) {
    if isMeasuring { return }
    guard bytes.count - snapshotByteCount <= limits.byteCount else { throw .byteCount }
    guard valueCount <= limits.valueCount else { throw .valueCount }
  }

  // MARK: - Fields

  private mutating func fields(
    _ state: SavedState, _ version: StateVersion
  ) throws(Refusal) {
    begin(state, version)
    if let activity = state.activity { try fields(activity) }
    try rest(state)
  }

  mutating func begin(_ state: SavedState, _ version: StateVersion) {
    bytes.append(
      SavedStateForm.version(hasWakes: state.hasWakes, hasClients: state.hasClients))
    guard version != .unstamped else { return }
    let number = UInt64(version.rawValue)
    bytes.append(SavedStateForm.Field.stateVersion.rawValue)
    append(number: UInt64(SavedStateForm.length(of: number)))
    append(number: number)
  }

  /// What comes behind the activity.
  mutating func rest(_ state: SavedState) throws(Refusal) {
    if let userInfo = state.userInfo {
      isPropertyList = true
      try self.userInfo(.userInfo, userInfo)
      isPropertyList = false
    }
    if !state.snapshots.isEmpty, !isMeasuring { try snapshots(state.snapshots) }
    if state.hasWakes { try wakes(state.wakeList) }
    if state.hasClients { try clients(state.clients) }
    try checkSize()
  }

  private mutating func fields(_ activity: UserActivity) throws(Refusal) {
    try text(.activityType, activity.activityType)
    try text(.title, activity.title)
    try text(.targetContentIdentifier, activity.targetContentIdentifier)
    try text(.webpageURL, activity.webpageURL)
    try text(.persistentIdentifier, activity.persistentIdentifier)
    if !activity.requiredUserInfoKeys.isEmpty { try keys(activity.requiredUserInfoKeys) }
    if let date = activity.expirationDate {
      try part(SavedStateForm.Field.expirationDate.keyPath) { (encoder) throws(Refusal) in
        try encoder.field(.expirationDate) {
          $0.append(bitsOf: date.timeIntervalSinceReferenceDate)
        }
      }
    }
    if !activity.userInfo.isEmpty { try userInfo(.activityUserInfo, activity.userInfo) }
  }

  mutating func text(
    _ field: SavedStateForm.Field, _ text: String?
  ) throws(Refusal) {
    guard let text else { return }
    try part(field.keyPath) {
      $0.bytes.append(field.rawValue)
      $0.append(name: text)
    }
  }

  private mutating func keys(_ keys: Set<String>) throws(Refusal) {
    try part(SavedStateForm.Field.requiredUserInfoKeys.keyPath) { (encoder) throws(Refusal) in
      try encoder.field(.requiredUserInfoKeys) {
        $0.append(number: UInt64(keys.count))
        for key in keys.sorted(by: SavedStateForm.precedes) { $0.append(name: key) }
        $0.valueCount += keys.count
      }
    }
    try checkSize()
  }

  private mutating func userInfo(
    _ field: SavedStateForm.Field, _ values: [String: UserInfoValue]
  ) throws(Refusal) {
    do throws(Refusal) {
      try self.field(field) { (encoder) throws(Refusal) in
        encoder.append(number: UInt64(values.count))
        for (key, value) in values.sorted(by: { SavedStateForm.precedes($0.key, $1.key) }) {
          try encoder.part("\(field.keyPath).\(SavedStateError.shortened(key))") {
            (encoder) throws(Refusal) in try encoder.entry(key, value, depth: 1)
          }
        }
      }
    } catch {
      throw error.under(field.keyPath)
    }
  }

  private mutating func snapshots(_ snapshots: [String: [UInt8]]) throws(Refusal) {
    func refusal(_ expected: String, _ found: Int) -> Refusal {
      .other(
        SavedStateError(
          .limitExceeded, keyPath: "snapshots", expected: expected, found: found.grouped))
    }
    let limit = SavedStateLimits.snapshotCountLimit
    guard snapshots.count <= limit else {
      throw refusal("at most \(limit) snapshots", snapshots.count)
    }
    let largest = snapshots.map { $0.key.utf8.count + $0.value.count }.max() ?? 0
    let byteLimit = SavedStateLimits.snapshotByteLimit
    guard largest <= byteLimit else {
      throw refusal("at most \(byteLimit.grouped) bytes of a snapshot", largest)
    }
    let start = bytes.count
    try field(.snapshots) {
      $0.append(number: UInt64(snapshots.count))
      for (name, data) in snapshots.sorted(by: { SavedStateForm.precedes($0.key, $1.key) }) {
        $0.append(name: name)
        $0.append(number: UInt64(data.count))
        $0.bytes.append(contentsOf: data)
      }
    }
    snapshotByteCount = bytes.count - start
  }

  private mutating func wakes(_ list: WakeList) throws(Refusal) {
    try field(.wakes) { (encoder) throws(Refusal) in
      encoder.append(number: list.last)
      encoder.append(number: UInt64(list.wakes.count))
      for (index, wake) in list.numbered.enumerated() {
        do throws(Refusal) {
          // Each wake is one part, since it is added and removed as one.
          try encoder.part("wakes[\(index)]") { (encoder) throws(Refusal) in
            encoder.valueCount += 1
            encoder.append(number: wake.id.rawValue)
            encoder.append(number: SavedStateForm.doubled(wake.time))
            try encoder.counted { (encoder) throws(Refusal) in try encoder.fields(wake.activity) }
          }
        } catch {
          throw error.under("wakes[\(index)]")
        }
        try encoder.checkSize()
      }
    }
  }

  private mutating func clients(_ memory: ClientMemory) throws(Refusal) {
    try part(SavedStateForm.Field.clients.keyPath) { (encoder) throws(Refusal) in
      try encoder.field(.clients) { encoder in
        encoder.append(number: UInt64(memory.clients.count))
        for client in memory.clients {
          encoder.append(highestFirst: client.identifier.high)
          encoder.append(highestFirst: client.identifier.low)
          encoder.append(number: client.last)
        }
      }
    }
  }

  private mutating func append(highestFirst word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }

  /// Encodes a field: its number, the length of its content and the content.
  private mutating func field(
    _ field: SavedStateForm.Field, _ content: (inout SavedStateEncoder) throws(Refusal) -> Void
  ) throws(Refusal) {
    bytes.append(field.rawValue)
    try counted(content)
  }

  /// Encodes content behind its length, which is put before it.
  private mutating func counted(
    _ content: (inout SavedStateEncoder) throws(Refusal) -> Void
  ) throws(Refusal) {
    let start = bytes.count
    try content(&self)
    var length = UInt64(bytes.count - start)
    var place = start
    while length >= 0x80 {
      bytes.insert(UInt8(truncatingIfNeeded: length) | 0x80, at: place)
      length >>= 7
      place += 1
    }
    bytes.insert(UInt8(length), at: place)
  }
}
