// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives
import ProsceniumSimulation

/// What a session of a load test is made with: who it is, how large its state is, and which events
/// are routed to it.
///
/// It stands in the activity of its first connection, and in its state.
struct LoadSetup: Hashable, Sendable {
  private static let activityType = "load.setup"
  private static let key = "setup"

  /// The place of the session.
  let place: Int
  /// The number of the session among those of its place.
  let generation: Int
  /// How many bytes its state has beside what it remembers.
  let size: Int
  /// Whether events are routed to it.
  let isRouted: Bool

  init(place: Int, generation: Int, size: Int, isRouted: Bool) {
    self.place = place
    self.generation = generation
    self.size = size
    self.isRouted = isRouted
  }

  /// Reads an activity; nil if it is none of these.
  init?(_ activity: UserActivity) {
    guard activity.activityType == Self.activityType,
      case .string(let text)? = activity.userInfo[Self.key]
    else { return nil }
    var numbers = DottedNumbers(text.utf8)
    guard let place: UInt64 = numbers.next(), let generation: UInt64 = numbers.next(),
      let size: UInt64 = numbers.next(), let routed: UInt64 = numbers.next(), numbers.isAtEnd,
      let place = Int(exactly: place), let generation = Int(exactly: generation),
      let size = Int(exactly: size)
    else { return nil }
    self.init(place: place, generation: generation, size: size, isRouted: routed == 1)
  }

  /// The setup as an activity, to which what a session remembers can be added.
  var activity: UserActivity {
    let text = String(dottedCapacity: 4 * DottedText.numberSize) { text in
      text.append(UInt64(place))
      text.append(UInt64(generation))
      text.append(UInt64(size))
      text.append(UInt64(isRouted ? 1 : 0))
    }
    return UserActivity(Self.activityType, userInfo: [Self.key: .string(text)])
  }

  /// What fills the state: the same for the same session.
  var body: [UInt8] {
    var random = SplitMix64(seed: UInt64(place), stream: generation)
    return (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
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
