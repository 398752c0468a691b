// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// How values are written in a timeline.
enum TimelineText {
  /// How many characters of a text are written.
  static let lengthLimit = 120

  /// A text as itself if it is plain, otherwise in double quotes with escapes.
  static func atom(_ text: String) -> String {
    let plain = text.count <= lengthLimit ? text : text.prefix(lengthLimit) + "…"
    if isPlain(text) { return plain }
    return "\"" + plain.unicodeScalars.map(escaped).joined() + "\""
  }

  /// An activity: its type, and in parentheses what it shows.
  static func activity(_ activity: UserActivity) -> String {
    let content = activity.targetContentIdentifier ?? activity.webpageURL
    return atom(activity.activityType) + (content.map { "(\(atom($0)))" } ?? "")
  }

  /// An activity that may be missing.
  static func activity(_ activity: UserActivity?) -> String {
    activity.map { self.activity($0) } ?? "nil"
  }

  /// Why a scene connects.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - atom: How a text is written.
  ///   - urls: How the URLs are.
  ///   - activities: How the activities are.
  /// - Returns: What there is of them, in one order.
  static func options(
    _ options: Scene.ConnectionOptions, atom: (String) -> String = TimelineText.atom,
    urls: ([String]) -> String = { $0.map(TimelineText.atom).joined(separator: ", ") },
    activities: ([UserActivity]) -> String = {
      $0.map { TimelineText.activity($0) }.joined(separator: ", ")
    }
  ) -> String {
    let parts = [
      options.urlContexts.isEmpty ? nil : "url:[\(urls(options.urlContexts.map(\.url)))]",
      options.handoffUserActivityType.map { "handoff:\(atom($0))" },
      options.userActivities.isEmpty ? nil : "act:[\(activities(options.userActivities))]",
      options.notificationResponse.map { "notif:\(atom($0.identifier))" },
      options.shortcutItem.map { "shortcut:\(atom($0.type))" },
      options.shareMetadata.map { "share:\(atom($0.identifier))" },
    ]
    return "{\(parts.compactMap(\.self).joined(separator: ", "))}"
  }

  private static let plainMarks = Set("_.~:/?#@!$&'*+;=%|-".utf8)

  /// Whether a text cannot be mistaken for anything else.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text != "nil"
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: plainMarks.contains(byte)
        }
      }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    // What splits lines elsewhere must not do it here.
    case _ where scalar.value < 0x20 || scalar.properties.isWhitespace && scalar != " ":
      "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }
}

extension LifecycleEvent {
  /// What a timeline says of the event after its subject, and what it belongs to; nil if it says
  /// nothing.
  var timelineText: (TimelineRecorder.Contents, String)? {
    switch kind {
    case .configured(let name): (.reasons, "configured(\(name.map(TimelineText.atom) ?? "nil"))")
    case .connected(let isNew): (.reasons, isNew ? "connected(new)" : "connected")
    case .notification(let notification): (.notifications, "note(\(notification.rawValue))")
    case .applicationNotification(let notification):
      (.notifications, "note(\(notification.rawValue))")
    case .snapshotTaken(let variant):
      (.snapshots, variant.map { "snapshot(\(TimelineText.atom($0)))" } ?? "snapshot")
    case .disconnected(let reason): (.reasons, "disconnected(\(reason.text))")
    case .discarded(let reason): (.reasons, "discarded(\(reason.text))")
    case .left(let reason): (.reasons, "left(\(reason.text))")
    case .routed(let decision): (.routes, "routed(\(decision.rule))")
    case .woken(let wake): (.reasons, "woken(\(wake))")
    case .lost(let loss): (.diagnostics, "lost(\(loss.name))")
    case .diagnosed(let diagnostic): (.diagnostics, "log(\(diagnostic.name))")
    case .failed(let error): (.diagnostics, "failed(\(error.code))")
    case .transition, .captured, .settledInBackground: nil
    }
  }

  /// Whether the event is about the scene, rather than its session.
  var isAboutScene: Bool {
    switch kind {
    case .connected, .notification, .snapshotTaken, .disconnected: true
    default: false
    }
  }
}

extension LifecycleEvent.Reason {
  fileprivate var text: String {
    switch self {
    case .dismissed(.commit): "dismissed, commit"
    case .dismissed(.decline): "dismissed, decline"
    default: name.rawValue
    }
  }
}
