// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A message that says who sent it, which of his messages to the session it is, and when.
struct CountedEvent {
  /// Who sent it: 0 up to ``EventCounts/senderLimit``.
  let sender: Int
  /// 1 for the sender's first message to the session.
  let number: UInt32
  /// In nanoseconds by the measurement's clock.
  let time: UInt64

  init(sender: Int, number: UInt32, time: UInt64) {
    self.sender = sender
    self.number = number
    self.time = time
  }

  /// Reads a message; nil if it is none of these.
  init?(_ message: SceneMessage) {
    guard message.count == Self.size else { return nil }
    let (first, second) = message.withBytes { bytes in
      unsafe (
        bytes.unsafeLoadUnaligned(as: UInt64.self),
        bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
    let sender = Int(first >> 32)
    guard sender < EventCounts.senderLimit else { return nil }
    self.init(sender: sender, number: UInt32(truncatingIfNeeded: first), time: second)
  }

  private static let size = 16

  var message: SceneMessage {
    let words = (UInt64(sender) << 32 | UInt64(number), time)
    return unsafe withUnsafeBytes(of: words) { unsafe SceneMessage($0) }
  }
}

/// The number of the last message of each sender.
struct EventCounts: Hashable, Sendable {
  /// How many senders there can be.
  static let senderLimit = 4

  private var numbers = SIMD4<UInt32>()

  init() {}

  /// Reads a text; what is no number is 0.
  init(text: some StringProtocol) {
    for (sender, part) in text.split(separator: ",").prefix(Self.senderLimit).enumerated() {
      numbers[sender] = UInt32(part) ?? 0
    }
  }

  var text: String { "\(numbers[0]),\(numbers[1]),\(numbers[2]),\(numbers[3])" }

  subscript(_ sender: Int) -> UInt32 {
    get { numbers[sender] }
    set { numbers[sender] = newValue }
  }
}
