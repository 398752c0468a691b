// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A moment at which a session gets an activity, whether or not it has a scene then.
///
/// It is kept with the session's saved state, and survives the process.
/// ``Application/wake(_:at:_:)`` and ``Scene/wake(at:_:)`` make one.
public struct Wake: Sendable, Hashable, Identifiable {
  /// What names a wake among those of its session: counted from 1, never given twice.
  public struct ID: Sendable, Hashable, Comparable, RawRepresentable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt64

    /// Creates the name of a wake from its number.
    public init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// The number as text.
    public var description: String { "\(rawValue)" }

    /// Tells whether the left wake was made before the right one.
    public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
  }

  /// What names the wake among those of its session.
  public let id: ID

  /// What the scene is given.
  public var activity: UserActivity

  /// When it is due, in whole milliseconds since 1970.
  let time: Int64

  /// When the wake is due, to the millisecond.
  public var date: Date { Date(timeIntervalSince1970: Double(time) / 1_000) }

  /// Creates a wake, for migrations and for tests; an application makes its own.
  ///
  /// - Parameters:
  ///   - id: What names it.
  ///   - date: When it is due; it is rounded to the millisecond.
  ///   - activity: What the scene is given.
  public init(id: ID, date: Date, activity: UserActivity) {
    self.init(id: id, time: Self.time(of: date), activity: activity)
  }

  init(id: ID, time: Int64, activity: UserActivity) {
    self.id = id
    self.time = time
    self.activity = activity
  }

  /// The nearest millisecond that can be kept; a date that is no number is long over.
  static func time(of date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    guard milliseconds > Double(-timeLimit) else { return -timeLimit }
    return milliseconds < Double(timeLimit) ? Int64(milliseconds) : timeLimit
  }

  /// The last moment that can be kept, some 280,000 years away: up to it a real has milliseconds.
  static let timeLimit: Int64 = 1 << 53
}
