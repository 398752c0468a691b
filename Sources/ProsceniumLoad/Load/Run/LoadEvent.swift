// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives
import ProsceniumSimulation

/// One event of a load test: for which session it is, which of its events it is, and when it was
/// due.
struct LoadEvent: Hashable, Sendable {
  /// The place of the session it was sent to.
  let place: UInt32
  /// The number of the session among those of its place.
  let generation: UInt32
  /// 1 for the first event of a session.
  let number: UInt32
  /// In nanoseconds since the beginning of the run.
  let time: UInt64

  fileprivate static let size = 20
  /// The key of the event in what carries texts.
  fileprivate static let key = "event"
}

extension LoadEvent {
  // MARK: - As a message

  /// Reads a message; nil if it is none of these.
  init?(_ message: SceneMessage) {
    guard message.count == Self.size else { return nil }
    self = message.withBytes { bytes in
      unsafe LoadEvent(
        place: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt32.self),
        generation: bytes.unsafeLoadUnaligned(fromByteOffset: 12, as: UInt32.self),
        number: bytes.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt32.self),
        time: bytes.unsafeLoadUnaligned(as: UInt64.self))
    }
  }

  var message: SceneMessage {
    let words = (time, place, generation, number)
    return unsafe withUnsafeBytes(of: words) { bytes in
      unsafe SceneMessage(UnsafeRawBufferPointer(rebasing: bytes[..<Self.size]))
    }
  }

  // MARK: - As an event that is routed

  /// The content of the session in a place, by which events are routed to it.
  static func content(of place: Int) -> String {
    "load://place/\(place)/"
  }

  /// The event in a form that is routed by its content.
  func routed(as kind: LoadEventKind) -> SceneEvent {
    if kind == .url { return .url(OpenURLContext(Self.content(of: Int(place)) + text)) }
    let target = Self.content(of: Int(place))
    switch kind {
    case .shortcut:
      return .shortcut(
        ShortcutItem(
          "load", localizedTitle: "Load", targetContentIdentifier: target,
          userInfo: [Self.key: .string(text)]))
    case .notification:
      return .notification(
        NotificationResponse(
          text, targetContentIdentifier: target,
          userInfo: [Self.key: .string(text)]))
    case .activity, .message, .url:
      return .activity(
        UserActivity("load", title: text, targetContentIdentifier: target))
    }
  }

  /// Reads the text that an event carries; nil if it is none of these.
  init?(text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let place = UInt32(parts[0]), let generation = UInt32(parts[1]),
      let number = UInt32(parts[2]), let time = UInt64(parts[3])
    else { return nil }
    self.init(place: place, generation: generation, number: number, time: time)
  }

  /// Reads what an activity carries.
  init?(_ activity: UserActivity) {
    guard let text = activity.title else { return nil }
    self.init(text: text)
  }

  /// Reads what a quick action carries.
  init?(_ userInfo: [String: UserInfoValue]) {
    guard case .string(let text)? = userInfo[Self.key] else { return nil }
    self.init(text: text)
  }

  /// Reads an event that was routed; nil if it is none of these.
  init?(_ event: SceneEvent) {
    switch event {
    case .url(let context):
      guard let slash = context.url.lastIndex(of: "/") else { return nil }
      self.init(text: context.url[slash...].dropFirst())
    case .activity(let activity): self.init(activity)
    case .shortcut(let item): self.init(item.userInfo)
    case .notification(let response): self.init(text: response.identifier)
    case .share, .handoff: return nil
    }
  }

  /// Reads the events that a scene is connected for; nil for each that is none of these.
  static func events(of options: Scene.ConnectionOptions) -> [LoadEvent?] {
    var events = options.urlContexts.map { LoadEvent(.url($0)) }
    events += options.userActivities.filter { LoadSetup($0) == nil }.map { LoadEvent($0) }
    if let item = options.shortcutItem { events.append(LoadEvent(.shortcut(item))) }
    if let response = options.notificationResponse {
      events.append(LoadEvent(.notification(response)))
    }
    return events
  }

  /// Reads what was lost; nil if it is none of these.
  init?(_ loss: LifecycleEvent.Loss) {
    switch loss {
    case .message(let message): self.init(message)
    case .event(let event): self.init(event)
    case .handoff: return nil
    }
  }

  var text: String { "\(place).\(generation).\(number).\(time)" }
}

/// What a session remembers of its events: the number of the last one, and a value that depends on
/// each of them and on their order.
///
/// The sender of the events computes the same: if both agree in the end, each came once, and in its
/// order.
struct LoadHistory: Hashable, Sendable {
  /// The greatest number so far; 0 before the first event.
  private(set) var last: UInt32 = 0
  private var chain: UInt64 = 0

  init() {}

  /// Adds the event with a number.
  mutating func append(_ number: UInt32) {
    last = max(last, number)
    // The mixing steps of a generator of random numbers: every bit of the last value reaches all.
    var value = (chain ^ UInt64(number)) &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    chain = value ^ value >> 27
  }

  /// Reads a history; nil if the text is none.
  init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let last = UInt32(parts[0]), let chain = UInt64(parts[1], radix: 16)
    else { return nil }
    self.last = last
    self.chain = chain
  }

  var text: String { "\(last).\(String(chain, radix: 16))" }
}

/// What a session of a load test is made with: who it is, how large its state is, and which events
/// are routed to it.
///
/// It is in the activity of its first connection, and then in its state.
struct LoadSetup: Hashable, Sendable {
  fileprivate static let activityType = "load.setup"
  fileprivate static let key = "setup"

  /// The place of the session.
  let place: Int
  /// The number of the session among those of its place.
  let generation: Int
  /// How many bytes its state has apart from what it remembers.
  let size: Int
  /// Whether events are routed to it.
  let isRouted: Bool
}

extension LoadSetup {
  /// Reads an activity; nil if it is none of these.
  init?(_ activity: UserActivity) {
    guard activity.activityType == Self.activityType,
      case .string(let text)? = activity.userInfo[Self.key]
    else { return nil }
    self.init(text: text)
  }

  /// Reads a setup; nil if the text is none.
  init?(text: String) {
    let numbers = text.split(separator: ".").compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    self.init(
      place: numbers[0], generation: numbers[1], size: numbers[2], isRouted: numbers[3] == 1)
  }

  var text: String { "\(place).\(generation).\(size).\(isRouted ? 1 : 0)" }

  /// The activity that a session is made for.
  var activity: UserActivity {
    UserActivity(Self.activityType, userInfo: [Self.key: .string(text)])
  }

  /// What fills the state: the same for the same session.
  var body: [UInt8] {
    var random = SplitMix64(seed: UInt64(place), stream: generation)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 7)
    while bytes.count < size {
      unsafe withUnsafeBytes(of: random.next()) { unsafe bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - size)
    return bytes
  }

  /// The conditions by which events find the session; nil if none are routed.
  var conditions: SceneActivationConditions? {
    guard isRouted else { return nil }
    // The text has neither a wrong character nor a wrong length.
    guard let prefers = try? ContentPredicate.hasPrefix(LoadEvent.content(of: place)) else {
      return nil
    }
    return SceneActivationConditions(can: .false, prefers: prefers)
  }
}
