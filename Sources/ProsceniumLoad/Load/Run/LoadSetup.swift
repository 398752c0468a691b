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
      case .integer(let place)? = activity.userInfo["place"],
      case .integer(let generation)? = activity.userInfo["generation"],
      case .integer(let size)? = activity.userInfo["size"],
      case .boolean(let isRouted)? = activity.userInfo["routed"]
    else { return nil }
    self.init(
      place: Int(place), generation: Int(generation), size: Int(size), isRouted: isRouted)
  }

  /// The setup as an activity, to which what a session remembers can be added.
  var activity: UserActivity {
    UserActivity(
      Self.activityType,
      userInfo: [
        "place": .integer(Int64(place)), "generation": .integer(Int64(generation)),
        "size": .integer(Int64(size)), "routed": .boolean(isRouted),
      ])
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
