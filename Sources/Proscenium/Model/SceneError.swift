// SPDX-License-Identifier: Apache-2.0

/// What went wrong with a request, a message or an event, and about which session.
///
/// Two errors are equal if their codes and sessions are; the message is for people.
public struct SceneError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as it stands in logs and in `Docs/ERRORS.md`.
    public let description: String

    /// UIKit's number for the code, where UIKit has one (section 1.14 of the semantics).
    public let number: Int?

    private init(_ description: String, number: Int? = nil) {
      self.description = description
      self.number = number
    }

    /// The request needs a second session and the application does not support several.
    public static let multipleScenesNotSupported = Code("multipleScenesNotSupported", number: 0)
    /// The request names a session that is not open, or the host's rules refuse it.
    public static let requestDenied = Code("requestDenied", number: 1)
    /// Scenes without a display have no geometry to change.
    public static let geometryRequestUnsupported = Code("geometryRequestUnsupported", number: 100)
    /// UIKit's code for a geometry that the system refuses; this runtime never returns it.
    public static let geometryRequestDenied = Code("geometryRequestDenied", number: 101)
    /// The application has no manifest and no delegate that chooses configurations (R-LEG-2).
    public static let sceneLifecycleRequired = Code("sceneLifecycleRequired")
    /// The scene extended its restoration and did not complete it in time (R-EXT-1).
    public static let restorationTimedOut = Code("restorationTimedOut")
    /// Only a scene in the background can be disconnected (R-DIS-1).
    public static let notInBackground = Code("notInBackground")
    /// The configuration that was returned is for another role than the session's (R-CFG-4).
    public static let roleMismatch = Code("roleMismatch")
    /// The application is not running: it has ended, or does not take this while it is launched.
    public static let notRunning = Code("notRunning")
    /// A queue is full; the same call can succeed after ``SceneError/retryAfter``.
    public static let systemBusy = Code("systemBusy")
    /// A message, a name or a list is larger than its limit.
    public static let limitExceeded = Code("limitExceeded")
    /// A session's `userInfo` was to hold what a property list cannot (R-SR-9); the old one stays.
    public static let notPropertyList = Code("notPropertyList")
    /// A call reached a delegate that does not answer calls.
    public static let unhandledCall = Code("unhandledCall")
    /// The saved state of the session cannot be opened: it is damaged, sealed with another key, or
    /// of a version that nothing migrates.
    ///
    /// What is kept stays as it is.
    public static let stateUnreadable = Code("stateUnreadable")
    /// The saved state of the session cannot be opened now, since there is no key (R-SR-6).
    public static let stateUnavailable = Code("stateUnavailable")
    /// A state was captured and is not durable: the store refused it, or the application ended.
    public static let notDurable = Code("notDurable")
    /// A message was accepted and its session was discarded before it was delivered.
    public static let lost = Code("lost")
  }

  /// The kind.
  public let code: Code

  /// The session that the error is about, if it is about one.
  public let session: SessionIdentifier?

  /// What was expected and what was found, as a sentence.
  public let message: String

  /// For ``Code/systemBusy``: how long to wait before the same call is worth another try, 1 ms to
  /// 10 s; `nil` for every other code.
  ///
  /// It is an estimate: how much stands before the call, at the pace of the last while where that
  /// is known.
  public let retryAfter: Duration?

  init(
    _ code: Code, session: SessionIdentifier? = nil, _ message: String,
    retryAfter: Duration? = nil
  ) {
    self.code = code
    self.session = session
    self.message = message
    self.retryAfter = code == .systemBusy ? retryAfter ?? .milliseconds(10) : nil
  }

  /// The code, the session and the sentence.
  public var description: String {
    if let session {
      "\(code) (session \(session)): \(message)"
    } else {
      "\(code): \(message)"
    }
  }
}

extension SceneError: Hashable {
  /// Tells whether codes and sessions are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.session == right.session
  }

  /// Hashes code and session.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(session)
  }
}
