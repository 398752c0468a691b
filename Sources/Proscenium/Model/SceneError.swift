// SPDX-License-Identifier: Apache-2.0

/// What went wrong with a request, a message or an event, and about which session.
///
/// Two errors are equal if their codes and sessions are; the message is for people.
public struct SceneError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in logs and in `Docs/ERRORS.md`.
    public let description: String

    /// UIKit's number for the error, where UIKit has one (semantics#errors).
    ///
    /// UIKit has one number, 1, for every request that it refuses.
    public let uiKitCode: Int?

    package init(_ description: String, uiKitCode: Int? = nil) {
      self.description = description
      self.uiKitCode = uiKitCode
    }

    /// The request needs a second session and the application does not support several.
    public static let multipleScenesNotSupported = Code("multipleScenesNotSupported", uiKitCode: 0)
    /// The session is not open, or is about to end.
    public static let sessionNotOpen = Code("sessionNotOpen", uiKitCode: 1)
    /// The first connection of a new session failed, so that the session never opened.
    public static let connectionFailed = Code("connectionFailed", uiKitCode: 1)
    /// Nothing makes a scene for the session's configuration any more; the session is discarded
    /// (R-CFG-6).
    public static let unresolvableConfiguration = Code("unresolvableConfiguration", uiKitCode: 1)
    /// The session is the only one of a single-scene application, which a request cannot end.
    public static let onlySession = Code("onlySession", uiKitCode: 1)
    /// A new session would be more than ``ApplicationSettings/sessionQuota`` allows.
    public static let quotaReached = Code("quotaReached", uiKitCode: 1)
    /// ``ApplicationSettings/allowsRequest`` refused the request.
    public static let refusedByPolicy = Code("refusedByPolicy", uiKitCode: 1)
    /// No open session waits for the data of an activity of this type (semantics#hand-off).
    public static let handoffNotAnnounced = Code("handoffNotAnnounced", uiKitCode: 1)
    /// Another node of the cluster serves the session, or makes such sessions:
    /// ``SceneError/address`` tells which.
    public static let servedElsewhere = Code("servedElsewhere")
    /// An application runs once.
    public static let alreadyRun = Code("alreadyRun")
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
    /// The node that served the session has died, and may have taken the message before; it is not
    /// sent again.
    public static let outcomeUnknown = Code("outcomeUnknown")
    /// A call was not answered within its time, and was withdrawn: the scene may have received it.
    public static let timedOut = Code("timedOut")
    /// The task that waited was cancelled; the scene may have received the call.
    public static let cancelled = Code("cancelled")
    /// A value cannot be written as a message.
    public static let notEncodable = Code("notEncodable")
    /// A message is not what was to be read of it.
    public static let notDecodable = Code("notDecodable")
    /// A client may not attach, or not send input: another one has its place, it only watches, or
    /// it counts its input or its frames otherwise than the session does.
    public static let clientRefused = Code("clientRefused")
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
  /// It is an estimate from the length of the queue and its recent pace, where that is known.
  public let retryAfter: Duration?

  /// For ``Code/servedElsewhere``: the address of the node that serves the session, as that node
  /// gave it; `nil` for every other code.
  public let address: String?

  package init(
    _ code: Code, session: SessionIdentifier? = nil, _ message: String,
    retryAfter: Duration? = nil, address: String? = nil
  ) {
    self.address = code == .servedElsewhere ? address : nil
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

extension SceneError {
  /// A session's first connection failed.
  static func connectionFailed(_ session: SessionIdentifier) -> SceneError {
    SceneError(
      .connectionFailed, session: session,
      "the session's first connection failed, so that it never opened")
  }

  /// Nothing is admitted: the application has not begun, or has ended.
  static let notRunning = SceneError(.notRunning, "the application is not running")
}
