// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SavedStateReader {
  /// Reads all fields.
  mutating func state() throws(SavedStateError) -> (state: SavedState, version: StateVersion) {
    var version = StateVersion.unstamped
    var parts = ActivityParts()
    var state = SavedState()
    try fields { (reader, field) throws(SavedStateError) in
      switch field {
      case .stateVersion: version = try reader.stateVersion()
      case .userInfo:
        let start = reader.offset
        state.userInfo = try reader.entries(try reader.number(), from: start, depth: 1)
      case .snapshots: state.snapshots = try reader.snapshots()
      case .wakes: state.wakeList = try reader.wakes()
      default: try reader.read(field, of: &parts)
      }
    }
    state.activity = parts.activity
    return (state, version)
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
    case .activityType: parts.activityType = try text()
    case .title: parts.title = try text()
    case .targetContentIdentifier: parts.targetContentIdentifier = try text()
    case .webpageURL: parts.webpageURL = try text()
    case .persistentIdentifier: parts.persistentIdentifier = try text()
    case .requiredUserInfoKeys: parts.keys = try names()
    case .expirationDate:
      parts.date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: try bits()))
    case .activityUserInfo:
      let start = offset
      parts.userInfo = try entries(try someNumber(), from: start, depth: 1)
    case .stateVersion, .userInfo, .snapshots, .wakes:
      preconditionFailure("it is no field of an activity")
    }
  }

  private mutating func wakes() throws(SavedStateError) -> WakeList {
    var wakes: [Wake] = []
    let last = try self.wakes { (reader, id, time, limit) throws(SavedStateError) in
      let start = reader.offset
      var parts = ActivityParts()
      try reader.activityFields(before: limit) { (reader, field) throws(SavedStateError) in
        try reader.read(field, of: &parts)
      }
      guard let activity = parts.activity else {
        throw reader.failure(at: start, "the type of an activity", "none")
      }
      wakes.append(Wake(id: id, time: time, activity: activity))
    }
    return WakeList(wakes, last: last)
  }

  /// Reads the application's version of the state.
  mutating func stateVersion() throws(SavedStateError) -> StateVersion {
    let start = offset
    let number = try number()
    guard number > 0, let version = UInt32(exactly: number) else {
      throw failure(at: start, "a version from 1 to \(UInt32.max)", "\(number)")
    }
    return StateVersion(rawValue: version)
  }

  /// Reads a number of entries where a field without any is left out.
  mutating func someNumber() throws(SavedStateError) -> UInt64 {
    let start = offset
    let number = try number()
    guard number > 0 else { throw failure(at: start, "one entry at least", "none") }
    return number
  }

  private mutating func text() throws(SavedStateError) -> String {
    try text(end - offset)
  }

  private mutating func names() throws(SavedStateError) -> Set<String> {
    let start = offset
    let count = try count(try someNumber(), "names", ofSize: 1, from: start)
    var names: Set<String> = []
    var previous = 0..<0
    for _ in 0..<count { names.insert(try name(after: &previous)) }
    return names
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
}
