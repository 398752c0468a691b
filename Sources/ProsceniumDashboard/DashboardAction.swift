// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// What a button of the page asks for.
enum DashboardAction: Sendable, Equatable {
  /// The names of the actions, as they are in paths.
  enum Name: String, Sendable, CaseIterable {
    case disconnect
    case discard
    case pressure
    case storm
    case drain
  }

  /// The scene of a session goes, its session stays.
  case disconnect(SessionIdentifier)
  /// A session ends for good.
  case discard(SessionIdentifier)
  /// Scenes in the background are disconnected until so much of all scenes is left, in percent.
  case pressure(keeping: Int)
  /// So many sessions without a scene are connected at once.
  case storm(count: Int)
  /// A node gives its slices to the others, and ends.
  case drain(Int32)

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
    case .drain: self = .drain(Int32(try Self.number("node", 1...Int(Int32.max), key, value)))
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

extension DashboardAction {
  /// Carries an action on an application out, without waiting for scenes.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - limit: How many scenes it may disconnect or connect.
  /// - Returns: What was asked for, as a sentence.
  /// - Throws: `unknownSession`, or `requestRefused` if the application refuses it at once.
  func perform(on application: Application, limit: Int) throws(DashboardError) -> String {
    switch self {
    case .disconnect(let session): try Self.disconnect(session, application)
    case .discard(let session): try Self.discard(session, application)
    case .pressure(let share): Self.relieve(application, keeping: share, limit)
    case .storm(let count): Self.storm(application, min(count, limit))
    case .drain:
      throw DashboardError(.badParameter, "expected another action: no application is drained")
    }
  }

  private static func disconnect(
    _ session: SessionIdentifier, _ application: Application
  ) throws(DashboardError) -> String {
    try requireOpen(session, application)
    guard let scene = application.scene(for: session) else {
      return "Session \(session) has no scene."
    }
    let refusals = Refusals()
    // The system takes scenes in the background alone (R-DIS-1).
    if scene.activationState != .background { application.host.submit(.background(session)) }
    application.host.submit(.disconnect(session)) { refusals.add($0) }
    try refusals.check()
    return "The scene of session \(session) is being disconnected."
  }

  private static func discard(
    _ session: SessionIdentifier, _ application: Application
  ) throws(DashboardError) -> String {
    try requireOpen(session, application)
    let refusals = Refusals()
    application.submit(.destroy(session)) { refusals.add($0) }
    try refusals.check()
    return "Session \(session) is being discarded."
  }

  private static func relieve(
    _ application: Application, keeping share: Int, _ limit: Int
  ) -> String {
    let connected = application.connectedSceneCount
    let count = min(connected - connected * share / 100, limit)
    guard count > 0 else { return "No scene is connected." }
    application.host.submit(.relievePressure(count: count))
    return "Up to \(PageText.number(count)) of \(PageText.number(connected)) scenes are being "
      + "disconnected, the least recently active first; those in the foreground stay."
  }

  private static func storm(_ application: Application, _ count: Int) -> String {
    var sessions: [SessionIdentifier] = []
    var walk = SessionWalk()
    walk.visit(application, atMost: 1_000_000) { session, state in
      if state == .unattached { sessions.append(session) }
      return sessions.count < count
    }
    let refusals = Refusals()
    for session in sessions {
      application.host.submit(.connect(session)) { refusals.add($0) }
    }
    let refused = refusals.count
    return "\(PageText.number(sessions.count - refused)) sessions are being connected"
      + (refused > 0 ? ", \(PageText.number(refused)) were refused." : ".")
  }

  private static func requireOpen(
    _ session: SessionIdentifier, _ application: Application
  ) throws(DashboardError) {
    guard application.session(session) != nil else {
      throw DashboardError(.unknownSession, "expected an open session, \(session) is none")
    }
  }
}

/// The requests that the application refused before `submit` returned, and those that came later
/// while a caller still waited.
private final class Refusals: Sendable {
  private let errors = Guarded<(count: Int, first: SceneError?)>((0, nil))

  var count: Int { errors.withLock { $0.count } }

  func add(_ error: SceneError) {
    errors.withLock { errors in
      errors.count += 1
      errors.first = errors.first ?? error
    }
  }

  func check() throws(DashboardError) {
    guard let error = errors.withLock({ $0.first }) else { return }
    throw DashboardError(.requestRefused, "the application refused it: \(error)")
  }
}
