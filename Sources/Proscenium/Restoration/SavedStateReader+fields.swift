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
    var texts = ActivityTexts()
    var keys: Set<String> = []
    var date: Date?
    var activityUserInfo: [String: UserActivity.Value] = [:]
    var state = SavedState()
    try fields { (reader, field) throws(SavedStateError) in
      switch field {
      case .stateVersion: version = try reader.stateVersion()
      case .activityType: texts.activityType = try reader.text()
      case .title: texts.title = try reader.text()
      case .targetContentIdentifier: texts.targetContentIdentifier = try reader.text()
      case .webpageURL: texts.webpageURL = try reader.text()
      case .persistentIdentifier: texts.persistentIdentifier = try reader.text()
      case .requiredUserInfoKeys: keys = try reader.names()
      case .expirationDate:
        date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.bits()))
      case .activityUserInfo:
        let start = reader.offset
        activityUserInfo = try reader.entries(try reader.someNumber(), from: start, depth: 1)
      case .userInfo:
        let start = reader.offset
        state.userInfo = try reader.entries(try reader.number(), from: start, depth: 1)
      case .snapshots: state.snapshots = try reader.snapshots()
      }
    }
    if let type = texts.activityType {
      var activity = UserActivity(
        type, title: texts.title, userInfo: activityUserInfo,
        targetContentIdentifier: texts.targetContentIdentifier, webpageURL: texts.webpageURL)
      if texts.persistentIdentifier != nil {
        activity.persistentIdentifier = texts.persistentIdentifier
      }
      if !keys.isEmpty { activity.requiredUserInfoKeys = keys }
      if date != nil { activity.expirationDate = date }
      state.activity = activity
    }
    return (state, version)
  }

  private struct ActivityTexts {
    var activityType: String?
    var title: String?
    var targetContentIdentifier: String?
    var webpageURL: String?
    var persistentIdentifier: String?
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
