// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the bytes of a saved state, whatever they are.
struct SavedStateReader {
  /// How many entries of a container there is room for at first.
  ///
  /// The count may be a lie, and containers that are within one another may all tell it.
  static let reservedCount = 256

  let bytes: [UInt8]
  /// The end of the field that is being read, or of everything between two fields.
  private(set) var end: Int
  /// What is read next.
  var offset = 0
  /// Whether only values of a property list are taken: those of the session's settings.
  private(set) var isPropertyList = false
  /// Whether the bytes were checked before.
  private var isChecked = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  func failure(at offset: Int, _ expected: String, _ found: String) -> SavedStateError {
    SavedStateError(.damaged, offset: offset, expected: expected, found: found)
  }

  // MARK: - Fields

  /// Reads everything.
  mutating func state() throws(SavedStateError) -> (state: SavedState, version: StateVersion) {
    var parts = ActivityParts()
    var (state, version) = try state { (reader, field) throws(SavedStateError) in
      try reader.read(field, of: &parts)
    }
    state.activity = parts.activity
    return (state, version)
  }

  /// Reads everything, but leaves the `userInfo` of the activity where it is, once it was checked.
  mutating func stateBesideActivity() throws(SavedStateError) -> (
    state: SavedState, version: StateVersion, hasActivity: Bool
  ) {
    var parts = ActivityParts()
    let (state, version) = try state { (reader, field) throws(SavedStateError) in
      if field == .activityUserInfo, reader.passEntries() { return }
      try reader.read(field, of: &parts)
    }
    return (state, version, parts.activityType != nil)
  }

  /// Reads the activity of an encoding that was checked.
  mutating func checkedActivity() -> UserActivity? {
    isChecked = true
    return (try? state())?.state.activity
  }

  /// Passes over a field of entries if they are sound; else it stays.
  private mutating func passEntries() -> Bool {
    withCursor { $0.passAllEntries() ? () : nil } != nil
  }

  /// Takes a field of entries if they are sound; else it stays.
  private mutating func takeEntries() -> [String: UserInfoValue]? {
    if !isChecked {
      let start = offset
      guard passEntries() else { return nil }
      offset = start
    }
    return withCursor { $0.takeAllEntries() }
  }

  /// Lets a function go on in the field; it stays where it is if that returns nothing.
  private mutating func withCursor<Result>(_ body: (inout FieldCursor) -> Result?) -> Result? {
    let (start, end) = (offset, end)
    let found = unsafe bytes.withUnsafeBytes { bytes in
      var cursor = unsafe FieldCursor(bytes, from: start, to: end)
      return body(&cursor).map { ($0, next: cursor.offset) }
    }
    if let found { offset = found.next }
    return found?.0
  }

  /// Reads everything, and calls a function with each field of the activity.
  private mutating func state(
    _ readActivity: (inout SavedStateReader, SavedStateForm.Field) throws(SavedStateError) -> Void
  ) throws(SavedStateError) -> (state: SavedState, version: StateVersion) {
    let form = try byte("the version of the form")
    guard form <= SavedStateForm.latestVersion else {
      throw SavedStateError(
        .newerForm, offset: 0,
        expected: "version \(SavedStateForm.latestVersion) of the form at most",
        found: "\(form)")
    }
    guard form > 0 else { throw failure(at: 0, "version 1 of the form", "0") }
    var version = StateVersion.unstamped
    var state = SavedState()
    var (hasWakes, hasClients) = (false, false)
    try fields(before: end) { (reader, field) throws(SavedStateError) in
      switch field {
      case .stateVersion: version = try reader.stateVersion()
      case .userInfo: state.userInfo = try reader.settings()
      case .snapshots: state.snapshots = try reader.snapshots()
      case .wakes:
        hasWakes = true
        state.wakeList = try reader.wakes()
      case .clients:
        hasClients = true
        state.clients = try reader.clients()
      default: try readActivity(&reader, field)
      }
    }
    let expected = SavedStateForm.version(hasWakes: hasWakes, hasClients: hasClients)
    guard form == expected else {
      let contents = ["without wakes", "with wakes", "with clients"][Int(expected) - 1]
      throw failure(at: 0, "version \(expected) of a form \(contents)", "\(form)")
    }
    return (state, version)
  }

  /// Reads the fields up to an offset, and calls a function with each that this version knows,
  /// which has to read the whole of it.
  private mutating func fields(
    before limit: Int,
    _ body: (inout SavedStateReader, SavedStateForm.Field) throws(SavedStateError) -> Void
  ) throws(SavedStateError) {
    var previous: UInt8 = 0
    var hasActivity = false
    end = limit
    while offset < limit {
      let start = offset
      let number = try byte("a field")
      guard number > previous else {
        throw failure(at: start, "a field after \(previous)", "\(number)")
      }
      previous = number
      let length = try count("bytes of field \(number)", ofSize: 1)
      end = offset + length
      if let field = SavedStateForm.Field(rawValue: number) {
        if field == .activityType { hasActivity = true }
        guard hasActivity || !field.belongsToActivity else {
          throw failure(at: start, "the type of an activity", "another field of it")
        }
        do throws(SavedStateError) {
          try body(&self, field)
        } catch {
          throw error.under(field.keyPath)
        }
        guard offset == end else {
          throw failure(at: offset, "the end of field \(number)", "\(end - offset) more bytes")
        }
      }
      offset = end
      end = limit
    }
  }

  private struct ActivityParts {
    var activityType: String?
    var title: String?
    var targetContentIdentifier: String?
    var webpageURL: String?
    var persistentIdentifier: String?
    var keys: Set<String> = []
    var date: Date?
    var userInfo: [String: UserInfoValue] = [:]

    /// The activity, if there is one.
    var activity: UserActivity? {
      guard let activityType else { return nil }
      var activity = UserActivity(
        activityType, title: title, userInfo: userInfo,
        targetContentIdentifier: targetContentIdentifier, webpageURL: webpageURL)
      if persistentIdentifier != nil { activity.persistentIdentifier = persistentIdentifier }
      if !keys.isEmpty { activity.requiredUserInfoKeys = keys }
      if date != nil { activity.expirationDate = date }
      return activity
    }
  }

  /// Reads a field of an activity.
  private mutating func read(
    _ field: SavedStateForm.Field, of parts: inout ActivityParts
  ) throws(SavedStateError) {
    switch field {
    case .activityType: parts.activityType = try text(end - offset)
    case .title: parts.title = try text(end - offset)
    case .targetContentIdentifier: parts.targetContentIdentifier = try text(end - offset)
    case .webpageURL: parts.webpageURL = try text(end - offset)
    case .persistentIdentifier: parts.persistentIdentifier = try text(end - offset)
    case .requiredUserInfoKeys: parts.keys = try keys()
    case .expirationDate: parts.date = try date()
    case .activityUserInfo:
      if let entries = takeEntries() {
        parts.userInfo = entries
        return
      }
      // It says what is wrong.
      let start = offset
      parts.userInfo = try entries(try someNumber(), from: start, depth: 1)
    case .stateVersion, .userInfo, .snapshots, .wakes, .clients:
      preconditionFailure("it is no field of an activity")
    }
  }

  private mutating func stateVersion() throws(SavedStateError) -> StateVersion {
    let start = offset
    let number = try number()
    guard number > 0, let version = UInt32(exactly: number) else {
      throw failure(at: start, "a version from 1 to \(UInt32.max)", "\(number)")
    }
    return StateVersion(rawValue: version)
  }

  private mutating func settings() throws(SavedStateError) -> [String: UserInfoValue] {
    let start = offset
    isPropertyList = true
    defer { isPropertyList = false }
    return try entries(try number(), from: start, depth: 1)
  }

  private mutating func keys() throws(SavedStateError) -> Set<String> {
    let start = offset
    let count = try count(try someNumber(), "names", ofSize: 1, from: start)
    var keys: Set<String> = []
    var previous = 0..<0
    for _ in 0..<count { keys.insert(try name(after: &previous)) }
    return keys
  }

  private mutating func snapshots() throws(SavedStateError) -> [String: [UInt8]] {
    let start = offset
    let count = try count(try someNumber(), "snapshots", ofSize: 2, from: start)
    var snapshots: [String: [UInt8]] = [:]
    var previous = 0..<0
    for _ in 0..<count {
      let name = try name(after: &previous)
      do throws(SavedStateError) {
        snapshots[name] = data(try self.count("bytes of a snapshot", ofSize: 1))
      } catch {
        throw error.under(name)
      }
    }
    return snapshots
  }

  private mutating func clients() throws(SavedStateError) -> ClientMemory {
    let start = offset
    let count = try count("clients", ofSize: 17)
    var clients: [ClientMemory.Client] = []
    for _ in 0..<min(count, ClientMemory.limit) {
      let identifier = ClientIdentifier(high: try word(), low: try word())
      clients.append(ClientMemory.Client(identifier: identifier, last: try number()))
    }
    guard count == clients.count, !clients.isEmpty, let memory = ClientMemory(clients) else {
      throw failure(
        at: start, "1 to \(ClientMemory.limit) different clients, each with an input", "others")
    }
    return memory
  }

  /// Reads eight bytes, the most significant one first.
  private mutating func word() throws(SavedStateError) -> UInt64 {
    var word: UInt64 = 0
    for _ in 0..<8 { word = word << 8 | UInt64(try byte("a byte of an identifier")) }
    return word
  }

  private mutating func wakes() throws(SavedStateError) -> WakeList {
    let start = offset
    let last = try number()
    guard last > 0 else { throw failure(at: start, "the number of a wake", "0") }
    let place = offset
    let count = try count("wakes", ofSize: 3)
    guard count <= WakeList.limit else {
      throw failure(at: place, "at most \(WakeList.limit) wakes", "\(count)")
    }
    var wakes: [Wake] = []
    for index in 0..<count {
      do throws(SavedStateError) {
        wakes.append(try wake(after: wakes.last?.id.rawValue ?? 0, last: last))
      } catch {
        throw error.under("[\(index)]")
      }
    }
    return WakeList(wakes, last: last)
  }

  private mutating func wake(after previous: UInt64, last: UInt64) throws(SavedStateError) -> Wake {
    let start = offset
    let id = try number()
    guard id > previous, id <= last else {
      throw failure(at: start, "a number after \(previous), up to \(last)", "\(id)")
    }
    let time = SavedStateForm.halved(try number())
    guard -Wake.timeLimit...Wake.timeLimit ~= time else {
      throw failure(at: start, "a time within 2^53 milliseconds of 1970", "\(time)")
    }
    let outerEnd = end
    let limit = try count("bytes of an activity", ofSize: 1) + offset
    let activityStart = offset
    var parts = ActivityParts()
    try fields(before: limit) { (reader, field) throws(SavedStateError) in
      guard field.belongsToActivity else {
        throw reader.failure(at: activityStart, "fields of an activity", "\(field.keyPath)")
      }
      try reader.read(field, of: &parts)
    }
    end = outerEnd
    guard let activity = parts.activity else {
      throw failure(at: activityStart, "the type of an activity", "none")
    }
    return Wake(id: Wake.ID(rawValue: id), time: time, activity: activity)
  }
}
