// SPDX-License-Identifier: Apache-2.0

import CProscenium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes saved states, one after the other, into memory that it keeps.
///
/// It allocates nothing once it has met states of the usual size. Equal states have equal bytes,
/// whatever the order of their dictionaries and sets; texts count by their bytes, and reals by
/// their bits.
package struct SavedStateEncoder: ~Copyable {
  /// What is refused.
  var limits: SavedStateLimits
  var buffer = EncodingBuffer()
  var entries = EntrySorter()
  private var valuesLeft = 0
  /// Whether only values of a property list are taken: those of the session's settings.
  private(set) var isPropertyList = false

  /// Creates an encoder.
  ///
  /// - Parameter limits: What is refused.
  package init(limits: SavedStateLimits = SavedStateLimits()) {
    self.limits = limits
  }

  /// Encodes a state; ``withEncoded(_:)`` gives the bytes.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - version: The application's version of it.
  /// - Throws: `limitExceeded`, with the largest parts of the state, or `notPropertyList`. Then
  ///   there are no bytes.
  package mutating func encode(
    _ state: SavedState, version: StateVersion = .unstamped
  ) throws(SavedStateError) {
    clear()
    do throws(SavedStateLimits.Excess) {
      try fields(state, version)
    } catch {
      clear()
      throw SavedStateError(error, of: state, version, limits)
    }
  }

  /// Gives away what was encoded, and then lets go of it.
  ///
  /// - Parameter body: Is called with the bytes; they are good until it returns.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` threw.
  package mutating func withEncoded<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { clear() }
    return try unsafe buffer.withBytes { (bytes) throws(Failure) -> Result in
      try unsafe body(bytes.bytes)
    }
  }

  /// Tells whether the state that was encoded last has given these bytes.
  package func isEncoded(as bytes: [UInt8]) -> Bool {
    guard bytes.count == buffer.count else { return false }
    return unsafe buffer.withBytes { encoded in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe proscenium_equal(bytes.baseAddress, encoded.baseAddress, encoded.count) != 0
      }
    }
  }

  /// Encodes a state, and gives the bytes.
  ///
  /// - Throws: As ``encode(_:version:)``.
  mutating func bytes(
    of state: SavedState, version: StateVersion
  ) throws(SavedStateError) -> [UInt8] {
    try encode(state, version: version)
    return withEncoded { bytes in
      unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
  }

  private mutating func clear() {
    buffer.clear()
    entries.clear()
    isPropertyList = false
  }

  // MARK: - Fields

  private mutating func fields(
    _ state: SavedState, _ version: StateVersion
  ) throws(SavedStateLimits.Excess) {
    // More room than that of the result: a number is given the most that it could take.
    buffer.limit(to: limits.byteCount + 16)
    valuesLeft = limits.valueCount
    let hasWakes = state.wakeList != WakeList()
    try buffer.append(hasWakes ? SavedStateForm.versionWithWakes : SavedStateForm.version)
    if version != .unstamped {
      let start = try begin(.stateVersion)
      try buffer.append(number: UInt64(version.rawValue))
      try end(start)
    }
    if let activity = state.activity { try fields(activity) }
    if let userInfo = state.userInfo {
      let start = try begin(.userInfo)
      try buffer.append(number: UInt64(userInfo.count))
      isPropertyList = true
      try entries(of: userInfo, depth: 1)
      isPropertyList = false
      try end(start)
    }
    guard buffer.count <= limits.byteCount else { throw .bytes }
    let plain = buffer.count
    if !state.snapshots.isEmpty { try snapshots(state.snapshots) }
    guard hasWakes else { return }
    let start = buffer.count
    buffer.limit(to: start + limits.byteCount - plain + 16)
    try wakes(state.wakeList)
    guard buffer.count - start + plain <= limits.byteCount else { throw .bytes }
  }

  private mutating func wakes(_ list: WakeList) throws(SavedStateLimits.Excess) {
    try count(list.wakes.count)
    let start = try begin(.wakes)
    try buffer.append(number: list.last)
    try buffer.append(number: UInt64(list.wakes.count))
    for wake in list.numbered {
      try buffer.append(number: wake.id.rawValue)
      try buffer.append(number: SavedStateForm.doubled(wake.time))
      let activity = try begin()
      try fields(wake.activity)
      try end(activity)
    }
    try end(start)
  }

  private mutating func fields(_ activity: UserActivity) throws(SavedStateLimits.Excess) {
    try text(.activityType, activity.activityType)
    try text(.title, activity.title)
    try text(.targetContentIdentifier, activity.targetContentIdentifier)
    try text(.webpageURL, activity.webpageURL)
    try text(.persistentIdentifier, activity.persistentIdentifier)
    let keys = activity.requiredUserInfoKeys
    if !keys.isEmpty {
      let start = try begin(.requiredUserInfoKeys)
      try names(keys)
      try end(start)
    }
    if let date = activity.expirationDate {
      let start = try begin(.expirationDate)
      try buffer.append(bits: date.timeIntervalSinceReferenceDate.bitPattern)
      try end(start)
    }
    let userInfo = activity.userInfo
    if !userInfo.isEmpty {
      let start = try begin(.activityUserInfo)
      try buffer.append(number: UInt64(userInfo.count))
      try entries(of: userInfo, depth: 1)
      try end(start)
    }
  }

  private mutating func text(
    _ field: SavedStateForm.Field, _ text: String?
  ) throws(SavedStateLimits.Excess) {
    guard let text else { return }
    try buffer.append(field.rawValue)
    try name(text)
  }

  /// Begins a field of which the length is not known yet: room is left for one below 16,384.
  private mutating func begin(
    _ field: SavedStateForm.Field
  ) throws(SavedStateLimits.Excess) -> Int {
    try buffer.append(field.rawValue)
    return try begin()
  }

  /// Leaves room for the length of what follows.
  private mutating func begin() throws(SavedStateLimits.Excess) -> Int {
    try buffer.append(0)
    try buffer.append(0)
    return buffer.count
  }

  /// Writes the length of the field whose content starts at an offset, and moves the content if the
  /// length needs more or less than two bytes.
  private mutating func end(_ start: Int) throws(SavedStateLimits.Excess) {
    let length = UInt64(buffer.count - start)
    let size = SavedStateForm.size(ofNumber: length)
    if size != 2 { try buffer.move(from: start, by: size - 2) }
    for index in 0..<size {
      let bits = UInt8(truncatingIfNeeded: length &>> UInt64(index * 7))
      buffer.set(index == size - 1 ? bits & 0x7F : bits | 0x80, at: start - 2 + index)
    }
  }

  private mutating func snapshots(_ snapshots: [String: [UInt8]]) throws(SavedStateLimits.Excess) {
    guard snapshots.count <= SavedStateLimits.snapshotCountLimit else { throw .snapshotCount }
    buffer.limit(to: .max)
    let start = try begin(.snapshots)
    let mark = entries.begin()
    try buffer.append(number: UInt64(snapshots.count))
    for (name, bytes) in snapshots {
      guard name.utf8.count + bytes.count <= SavedState.snapshotSizeLimit else {
        throw .snapshotBytes
      }
      let entry = buffer.count
      try self.name(name)
      try buffer.append(number: UInt64(bytes.count))
      try buffer.append(bytes)
      entries.add(buffer, from: entry)
    }
    try entries.sort(&buffer, from: mark)
    try end(start)
  }

  private mutating func names(_ names: Set<String>) throws(SavedStateLimits.Excess) {
    try count(names.count)
    let mark = entries.begin()
    try buffer.append(number: UInt64(names.count))
    for name in names {
      let entry = buffer.count
      try self.name(name)
      entries.add(buffer, from: entry)
    }
    try entries.sort(&buffer, from: mark)
  }

  /// The first byte of a value, and the number behind it.
  @inline(__always)
  mutating func head(
    _ kind: SavedStateForm.Kind, _ number: UInt64
  ) throws(SavedStateLimits.Excess) {
    let isShort = number < UInt64(SavedStateForm.numberFollows)
    let low = isShort ? UInt8(truncatingIfNeeded: number) : SavedStateForm.numberFollows
    try buffer.append(kind.rawValue &<< 4 | low)
    if !isShort { try buffer.append(number: number) }
  }

  /// A text behind its length.
  @inline(__always)
  mutating func name(_ text: String) throws(SavedStateLimits.Excess) {
    try buffer.append(text, behind: EncodingBuffer.Head(number: UInt64(text.utf8.count)))
  }

  /// Counts values against their limit.
  @inline(__always)
  mutating func count(_ values: Int) throws(SavedStateLimits.Excess) {
    guard values <= valuesLeft else { throw .values }
    valuesLeft -= values
  }
}
