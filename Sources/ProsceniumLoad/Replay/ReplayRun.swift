// SPDX-License-Identifier: Apache-2.0

/// Keeps what a run tells the verifier: where each line went, and which states were seen.
///
/// The driver calls the methods from the callbacks of the scenes, behind its own lock. The calls
/// of one session must come in the order of its callbacks, and what concerns a line of a user
/// before anything that concerns the user's next line; nothing else about the order matters.
/// 16 bytes a line and 56 a restoration.
public struct ReplayRun: Sendable {
  /// Names a session towards the verifier, in whatever way the driver likes.
  public typealias Label = UInt32

  struct Sighting: Sendable {
    let line: Int
    let session: Label
  }

  struct Restoration: Sendable {
    let session: Label
    let state: ReplayStateSummary
    // The number of sightings, in the whole run, before it.
    let position: Int
  }

  struct Destruction: Sendable {
    let session: Label
    let line: Int
    let state: ReplayStateSummary?
  }

  private(set) var sightings: [Sighting] = []
  private(set) var restorations: [Restoration] = []
  private(set) var destructions: [Destruction] = []
  private(set) var endings: [(session: Label, state: ReplayStateSummary)] = []

  /// Makes an empty record.
  public init() {}

  /// The number of restorations so far.
  public var restorationCount: Int { restorations.count }

  /// Records that a session saw a line, whether in its connection options or as an event.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - line: The number of the line in the log, from 1.
  public mutating func saw(_ session: Label, line: Int) {
    sightings.append(Sighting(line: line, session: session))
  }

  /// Records that a session was connected again, and the state that it got back.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - state: The restored state, before the line for which it was connected.
  public mutating func restored(_ session: Label, state: ReplayStateSummary) {
    restorations.append(
      Restoration(session: session, state: state, position: sightings.count))
  }

  /// Records that the driver had a session destroyed, to make room for another one.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - line: The number of the line that needed the room.
  ///   - state: The state that went with the session, if it is known.
  public mutating func destroyed(
    _ session: Label, before line: Int, state: ReplayStateSummary? = nil
  ) {
    destructions.append(Destruction(session: session, line: line, state: state))
  }

  /// Records the state of an open session after the last line, be it connected or not.
  ///
  /// - Parameters:
  ///   - session: The session; every open one has to be recorded once.
  ///   - state: The state of its scene, or the captured one if it is not connected.
  public mutating func ended(_ session: Label, state: ReplayStateSummary) {
    endings.append((session, state))
  }
}
