// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// What a session of a crash test holds after so many writes: everything follows from its
/// identifier and their number, so that a state of another session, a mixture of two or a broken
/// one is seen.
struct CrashState: Hashable, Sendable {
  let session: SessionIdentifier
  /// How many writes the session has seen.
  let sequence: Int

  /// How often the title changes with the state: the two are one commit.
  private static let titleStep = 8

  /// The title that the session's row has with this state.
  var title: String? {
    let number = sequence / Self.titleStep * Self.titleStep
    return number == 0 ? nil : String(number)
  }

  /// Whether the title changes with this state.
  var changesTitle: Bool { sequence % Self.titleStep == 0 }

  /// The activity that is captured: about 100 to 1,500 bytes.
  var activity: UserActivity {
    UserActivity(
      "crash", userInfo: ["sequence": .integer(Int64(sequence)), "filler": .data(filler)])
  }

  private var filler: [UInt8] {
    var random = SplitMix64(
      seed: session.high ^ session.low &* 31 ^ UInt64(truncatingIfNeeded: sequence))
    var bytes = [UInt8](repeating: 0, count: 64 + random.number(below: 1_400))
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next() >> 32) }
    return bytes
  }
}

extension CrashState {
  /// Reads what a session was captured as.
  ///
  /// - Returns: nil where it is not a state of that session.
  init?(_ activity: UserActivity?, of session: SessionIdentifier) {
    guard let activity else {
      self.init(session: session, sequence: 0)
      return
    }
    guard let number = activity.userInfo["sequence"]?.integer, number > 0 else { return nil }
    self.init(session: session, sequence: Int(clamping: number))
    if self.activity != activity { return nil }
  }
}

/// One write, as it is sent to a session.
struct CrashOrder: Hashable, Sendable {
  /// The number of the write.
  let sequence: Int
  /// The number of the write before, or nil if it is unknown which one the session holds.
  let previous: Int?
  /// Whether an effect waits until the state is durable.
  let hasEffect: Bool

  /// The order as a message.
  var message: SceneMessage {
    SceneMessage("\(sequence) \(previous ?? -1)\(hasEffect ? " effect" : "")")
  }
}

extension CrashOrder {
  /// Reads a message.
  init?(_ message: SceneMessage) {
    let words = message.string.split(separator: " ")
    guard words.count >= 2, let sequence = Int(words[0]), let previous = Int(words[1]) else {
      return nil
    }
    self.init(
      sequence: sequence, previous: previous < 0 ? nil : previous, hasEffect: words.count > 2)
  }
}
