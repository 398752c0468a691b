// SPDX-License-Identifier: Apache-2.0

import Proscenium

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

  private static let size = 20
  /// The key of the event in what carries texts.
  private static let key = "event"

  init(place: UInt32, generation: UInt32, number: UInt32, time: UInt64) {
    self.place = place
    self.generation = generation
    self.number = number
    self.time = time
  }

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
    String(dottedCapacity: contentSize) { writeContent(of: UInt64(place), to: &$0) }
  }

  /// The event in a form that is routed by its content.
  func routed(as kind: LoadEventKind) -> SceneEvent {
    if kind == .url { return .url(OpenURLContext(url)) }
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
  init?(text: some Sequence<UInt8>) {
    var numbers = DottedNumbers(text)
    guard let place: UInt32 = numbers.next(), let generation: UInt32 = numbers.next(),
      let number: UInt32 = numbers.next(), let time: UInt64 = numbers.next(), numbers.isAtEnd
    else { return nil }
    self.init(place: place, generation: generation, number: number, time: time)
  }

  /// Reads what an activity carries.
  init?(_ activity: UserActivity) {
    guard let text = activity.title else { return nil }
    self.init(text: text.utf8)
  }

  /// Reads what a quick action carries.
  init?(_ userInfo: [String: PropertyListValue]) {
    guard case .string(let text)? = userInfo[Self.key] else { return nil }
    self.init(text: text.utf8)
  }

  /// Reads an event that was routed; nil if it is none of these.
  init?(_ event: SceneEvent) {
    switch event {
    case .url(let context):
      let bytes = context.url.utf8
      guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      self.init(text: bytes[bytes.index(after: slash)...])
    case .activity(let activity): self.init(activity)
    case .shortcut(let item): self.init(item.userInfo)
    case .notification(let response): self.init(text: response.identifier.utf8)
    case .share, .handoff: return nil
    }
  }

  /// Reads what was lost; nil if it is none of these.
  init?(_ loss: LifecycleEvent.Loss) {
    switch loss {
    case .message(let message): self.init(message)
    case .event(let event): self.init(event)
    case .handoff: return nil
    }
  }

  var text: String { String(dottedCapacity: Self.textSize, write) }

  // MARK: - The parts of its texts

  private static let contentSize = 32 + DottedText.numberSize
  private static let textSize = 4 * DottedText.numberSize

  /// The content, and the event behind it.
  private var url: String {
    String(dottedCapacity: Self.contentSize + Self.textSize) { text in
      Self.writeContent(of: UInt64(place), to: &text)
      write(&text)
    }
  }

  private static func writeContent(of place: UInt64, to text: inout DottedText) {
    text.append("load://place/")
    text.append(place)
    text.append("/")
  }

  private func write(_ text: inout DottedText) {
    text.append(place)
    text.append(generation)
    text.append(number)
    text.append(time)
  }
}
