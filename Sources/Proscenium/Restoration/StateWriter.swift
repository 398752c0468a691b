// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Takes the fields of a scene's state, and encodes each as it comes.
///
/// A delegate is given one in ``StatefulSceneDelegate/scene(_:captureStateInto:)``:
/// ```swift
/// func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
///   state.write("row", row)
///   state.write("text", text)
/// }
/// ```
/// The fields become the `userInfo` of an activity (R-SR-2), with the same bytes as if the delegate
/// had returned that activity: a delegate that restores activities reads what was written, and
/// ``StateReader`` reads the `userInfo` of any activity. A field that is `nil` is left out. Of two
/// with one name the later one counts. Fields are kept in the order of their names, shorter ones
/// first: one that is written in this order is in its place already.
public struct StateWriter: ~Copyable, Sendable {
  /// The type of the activity; one that the manifest does not declare is not stored (R-SR-5).
  public var activityType = StateWriter.defaultType

  private static let defaultType = "state"

  /// The fields, one behind the other.
  private var bytes: FieldBytes
  private(set) var count = 0
  /// How many values there are in the fields.
  private(set) var valueCount = 0
  /// Whether each field comes after the one before.
  private var isSorted = true
  /// Where the name of the last field is, with its length.
  private var lastName = 0..<0
  /// Why nothing of it is kept.
  private(set) var refusal: SavedStateEncoder.Refusal?
  /// What is refused; the fields themselves are bounded by the delegate that has their values.
  private let limits: SavedStateLimits

  /// Creates a writer without fields, for a test of what a delegate writes.
  ///
  /// - Parameter limits: What ``encoded(version:)`` refuses.
  public init(limits: SavedStateLimits = SavedStateLimits()) {
    self.init(limits: limits, memory: FieldBytes())
  }

  /// Creates a writer without fields.
  ///
  /// - Parameters:
  ///   - limits: What is refused.
  ///   - memory: Is used for the fields.
  init(limits: SavedStateLimits, memory: consuming FieldBytes) {
    self.limits = limits
    bytes = memory
    bytes.clear()
  }

  /// Takes the memory, for the next writer.
  mutating func takeMemory() -> FieldBytes {
    clear()
    defer { bytes = FieldBytes() }
    return bytes
  }

  /// Forgets what was written.
  mutating func clear() {
    bytes.clear()
    activityType = Self.defaultType
    (count, valueCount, isSorted, lastName, refusal) = (0, 0, true, 0..<0, nil)
  }

  /// Encodes a state that has these fields and nothing else, and forgets them.
  ///
  /// - Parameter version: The application's version of the state.
  /// - Returns: The bytes, which ``StateReader/init(decoding:)`` and ``SavedState/init(decoding:)``
  ///   read.
  /// - Throws: `limitExceeded`, with the largest fields, or `notPropertyList` if JSON could not
  ///   hold a value.
  public mutating func encoded(
    version: StateVersion = .unstamped
  ) throws(SavedStateError) -> [UInt8] {
    defer { clear() }
    var whole = SavedStateEncoder(limits: limits)
    try whole.encode(self, beside: SavedState(), version: version)
    return whole.bytes
  }

  // MARK: - Fields

  /// Writes a text.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The text, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    add(name, atMost: value.utf8.count + 11) { pen in
      pen.head(.string, UInt64(value.utf8.count))
      pen.text(value)
    }
  }

  /// Writes a whole number.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The number, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    add(name, atMost: 11) { $0.head(.integer, SavedStateForm.doubled(Int64(value))) }
  }

  /// Writes a truth value.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The truth value, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    add(name, atMost: 1) { $0.head(.boolean, value ? 1 : 0) }
  }

  /// Writes a floating-point number, to the bit.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The number, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    add(name, atMost: 9) { pen in
      pen.head(.real, 0)
      pen.word(value.bitPattern)
    }
  }

  /// Writes a point in time.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The point in time, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: Date?) {
    guard let value else { return }
    add(name, atMost: 9) { pen in
      pen.head(.date, 0)
      pen.word(value.timeIntervalSinceReferenceDate.bitPattern)
    }
  }

  /// Writes bytes.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The bytes, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: [UInt8]?) {
    guard let value else { return }
    add(name, atMost: value.count + 11) { pen in
      pen.head(.data, UInt64(value.count))
      unsafe value.withUnsafeBytes { unsafe pen.bytes($0) }
    }
  }

  /// Writes texts.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The texts, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: [String]?) {
    guard let value else { return }
    let size = value.reduce(11) { $0 + $1.utf8.count + 11 }
    add(name, atMost: size) { pen in
      pen.head(.array, UInt64(value.count))
      for text in value {
        pen.head(.string, UInt64(text.utf8.count))
        pen.text(text)
      }
    }
    valueCount += value.count
  }

  /// Writes a value of any kind: an array, a dictionary, a set.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The value, or `nil` for none.
  public mutating func write(_ name: StaticString, _ value: UserInfoValue?) {
    guard let value else { return }
    var encoder = SavedStateEncoder(limits: limits.ofDepthAlone)
    do throws(SavedStateEncoder.Refusal) {
      try encoder.value(value, depth: 1)
    } catch {
      return refuse(error, name)
    }
    add(name, atMost: encoder.bytes.count) { pen in
      unsafe encoder.bytes.withUnsafeBytes { unsafe pen.bytes($0) }
    }
    valueCount += encoder.valueCount - 1
  }

  /// Writes a value of a type of the program's, as a text in JSON with sorted keys.
  ///
  /// One that JSON cannot hold, or that throws, lets the capture fail: it is reported, and the last
  /// state stays.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - value: The value, or `nil` for none.
  public mutating func write(_ name: StaticString, encoding value: (some Encodable)?) {
    guard let value else { return }
    let coder = JSONEncoder()
    coder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      write(name, String(decoding: try coder.encode(value), as: UTF8.self))
    } catch {
      refuse(
        .other(
          SavedStateError(
            .notPropertyList, expected: "a value that JSON can hold",
            found: "the error \("\(error)".prefix(200))")), name)
    }
  }

  /// Whether nothing was written.
  var isEmpty: Bool { count == 0 && refusal == nil }

  /// Lends the fields in their order, each once.
  func withEntries(_ body: (UnsafeRawBufferPointer, _ count: Int) -> Void) {
    if isSorted { return unsafe bytes.withBytes { unsafe body($0, count) } }
    let sorted = unsafe bytes.withBytes { unsafe SortedEntries([UInt8]($0), count) }
    unsafe sorted.bytes.withUnsafeBytes { unsafe body($0, sorted.count) }
  }

  /// The activity that the fields are; none without fields.
  package var activity: UserActivity? {
    guard count > 0 else { return nil }
    var userInfo: [String: UserInfoValue]?
    unsafe withEntries { bytes, count in
      var reader = unsafe SavedStateReader([UInt8](bytes))
      userInfo = try? reader.entries(UInt64(count), from: 0, depth: 1)
    }
    return UserActivity(activityType, userInfo: userInfo ?? [:])
  }

  private mutating func refuse(_ refusal: SavedStateEncoder.Refusal, _ name: StaticString) {
    guard self.refusal == nil else { return }
    self.refusal = refusal.under("\(name)").under(SavedStateForm.Field.activityUserInfo.keyPath)
  }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - size: How many bytes its value has at most.
  ///   - body: Writes the value.
  @inline(__always)
  private mutating func add(
    _ name: StaticString, atMost size: Int, _ body: (inout FieldPen) -> Void
  ) {
    let start = bytes.count
    name.withUTF8Buffer { name in
      bytes.write(atMost: name.count + 10 + size) { pen in
        pen.number(UInt64(name.count))
        unsafe pen.bytes(UnsafeRawBufferPointer(name))
        body(&pen)
      }
      lastName = noteOrder(
        start..<start + name.count + SavedStateForm.length(of: UInt64(name.count)))
    }
    count += 1
    valueCount += 1
  }

  /// Notes whether the fields are in order; returns where the last name is.
  @inline(__always)
  private mutating func noteOrder(_ name: Range<Int>) -> Range<Int> {
    if isSorted, count > 0 {
      isSorted = unsafe bytes.withBytes { bytes in
        unsafe bytes[lastName].lexicographicallyPrecedes(bytes[name])
      }
    }
    return name
  }
}

/// Fields in the order of their names; of those with the same name the last one.
private struct SortedEntries {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  init(_ written: [UInt8], _ count: Int) {
    var entries: [(name: Range<Int>, end: Int)] = []
    unsafe written.withUnsafeBytes { bytes in
      var cursor = unsafe FieldCursor(bytes, from: 0, to: bytes.count)
      while entries.count < count, let entry = cursor.entry() { entries.append(entry) }
    }
    entries.sort { left, right in
      let (one, other) = (written[left.name], written[right.name])
      if one.lexicographicallyPrecedes(other) { return true }
      return !other.lexicographicallyPrecedes(one) && left.end < right.end
    }
    for (index, entry) in entries.enumerated() {
      let next = index + 1 < entries.count ? entries[index + 1].name : 0..<0
      if written[entry.name] == written[next] { continue }
      bytes += written[entry.name.lowerBound..<entry.end]
      self.count += 1
    }
  }
}
