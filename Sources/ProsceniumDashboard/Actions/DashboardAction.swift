// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a button of the page asks for.
enum DashboardAction: Sendable, Equatable {
  /// The names of the actions, as they are in paths.
  enum Name: String, Sendable, CaseIterable {
    case disconnect
    case discard
    case pressure
    case storm
  }

  /// The scene of a session goes, its session stays.
  case disconnect(SessionIdentifier)
  /// A session ends for good.
  case discard(SessionIdentifier)
  /// Scenes in the background are disconnected until so much of all scenes is left, in percent.
  case pressure(keeping: Int)
  /// So many sessions without a scene are connected at once.
  case storm(count: Int)

  /// Reads an action from the body of its request.
  ///
  /// - Parameters:
  ///   - name: Which one.
  ///   - body: `key=value`, with `&` between several, as a form sends it.
  ///   - limit: How many sessions a storm may connect.
  /// - Throws: `badParameter`.
  init(_ name: Name, body: some Sequence<UInt8>, limit: Int) throws(DashboardError) {
    let (key, value) = try Self.parameter(String(decoding: Array(body), as: UTF8.self))
    switch name {
    case .disconnect: self = .disconnect(try Self.session(key, value))
    case .discard: self = .discard(try Self.session(key, value))
    case .pressure: self = .pressure(keeping: try Self.number("keep", 0...99, key, value))
    case .storm: self = .storm(count: try Self.number("count", 1...limit, key, value))
    }
  }

  /// Every action has one parameter, of letters, digits and hyphens: nothing is to be decoded.
  private static func parameter(
    _ text: String
  ) throws(DashboardError) -> (key: Substring, value: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].contains("&") else {
      throw DashboardError(.badParameter, "expected a body with one parameter, such as count=10")
    }
    return (parts[0], parts[1])
  }

  private static func session(
    _ key: Substring, _ value: Substring
  ) throws(DashboardError) -> SessionIdentifier {
    guard key == "session", let session = SessionIdentifier(String(value)) else {
      throw DashboardError(.badParameter, "expected session= and the identifier of a session")
    }
    return session
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Int>, _ key: Substring, _ value: Substring
  ) throws(DashboardError) -> Int {
    guard key == name, let number = Int(value), range.contains(number) else {
      throw DashboardError(
        .badParameter,
        "expected \(name)= and a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
