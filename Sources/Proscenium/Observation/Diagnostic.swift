// SPDX-License-Identifier: Apache-2.0

import Logging

/// Something that the runtime did by a rule and that surprises people.
///
/// Each is logged under its name and reported to observers of lifecycle events.
public enum Diagnostic: Sendable, Hashable {
  /// No session can show the content and a new one is not possible: the most recently active one
  /// got the event (semantics#routing-decision).
  case forcedRoute
  /// Nothing makes a delegate for the configuration, so that the scene connects without one
  /// (R-CFG-3).
  case configurationNotFound(name: String?)
  /// The application delegate was not asked, since the session is not new (R-CON-1).
  case configurationSkipped
  /// The captured activity is not kept, since its type is not among the declared ones; or a drop
  /// opened nothing for the same reason (R-SR-5, R-DD-1).
  case undeclaredActivityType(String)
  /// The delegate does not implement what an event, a message or a call asked for (R-LEG-3).
  case unhandledEvent
  /// The data of an announced activity did not come, and the delegate does not implement that it is
  /// told (semantics#hand-off).
  case handoffFailed(String)
  /// The last application ended while it was restoring its own state, so that the saved state of
  /// all sessions was dropped.
  case savedStateDropped(sessions: Int)
  /// A snapshot was larger than the limit and is not kept.
  case snapshotTooLarge(bytes: Int)
  /// More different predicates than the settings expect have no text to be found by.
  case residualPredicates(Int)
  /// A method of the scene's delegate has used up its ``ApplicationSettings/callbackBudget``: it
  /// still runs, or it has returned after `duration`.
  case slowCallback(DelegateCallback, duration: Duration, isRunning: Bool)

  /// The name under which it is logged.
  public var name: String {
    switch self {
    case .forcedRoute: "forcedRoute"
    case .configurationNotFound: "configurationNotFound"
    case .configurationSkipped: "configurationSkipped"
    case .undeclaredActivityType: "undeclaredActivityType"
    case .unhandledEvent: "unhandledEvent"
    case .handoffFailed: "handoffFailed"
    case .savedStateDropped: "savedStateDropped"
    case .snapshotTooLarge: "snapshotTooLarge"
    case .residualPredicates: "residualPredicates"
    case .slowCallback: "slowCallback"
    }
  }

  private var level: Logger.Level {
    switch self {
    case .configurationSkipped: .debug
    case .forcedRoute: .notice
    default: .warning
    }
  }

  func log(_ session: SessionIdentifier?, to log: Logger) {
    log.log(level: level, "\(name)", metadata: metadata(session))
  }

  private func metadata(_ session: SessionIdentifier?) -> Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    if let session { metadata["session"] = "\(session)" }
    switch self {
    case .configurationNotFound(let name): metadata["configuration"] = "\(name ?? "")"
    case .undeclaredActivityType(let type), .handoffFailed(let type): metadata["type"] = "\(type)"
    case .snapshotTooLarge(let bytes): metadata["bytes"] = "\(bytes)"
    case .savedStateDropped(let count): metadata["sessions"] = "\(count)"
    case .residualPredicates(let count): metadata["count"] = "\(count)"
    case .slowCallback(let callback, let duration, let isRunning):
      metadata["callback"] = "\(callback.rawValue)"
      metadata["duration"] = "\(duration)"
      metadata["isRunning"] = "\(isRunning)"
    case .forcedRoute, .configurationSkipped, .unhandledEvent: break
    }
    return metadata
  }
}
