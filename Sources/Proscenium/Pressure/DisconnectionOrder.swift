// SPDX-License-Identifier: Apache-2.0

/// Decides which of the connected scenes the system disconnects first.
///
/// An order is a value that only decides. It is told what happens to scenes, and asked who goes
/// first; the shard that asks disconnects that scene and reports it.
/// ``DisconnectionPolicy/Order`` has those that come with the runtime.
///
/// A scene is named by its *key*, a number below 67,108,864. Keys are dense: one that is free
/// again is given to the next scene before a higher one, since memory is taken for every key up to
/// the highest. A session is named by any 32 bits that are the same each time it is connected, such
/// as a part of its identifier's hash. By them an order can know a session that comes back; where
/// two sessions share them, their histories are mixed up, and nothing else happens.
///
/// Equal calls give equal answers: an order knows no clock, and no randomness but its seed. It
/// keeps something for the connected scenes and for ``capacity``, never for all sessions that it
/// has seen. What is reported of a key without a scene is ignored.
///
/// A scene that gets an event is always connected. An order that would rather not have let it in
/// names it next.
public protocol DisconnectionOrder: Sendable {
  /// How many scenes are expected to be connected at a time: 1 or more.
  ///
  /// It sizes what is kept of sessions without a scene. It is no limit: more scenes can be
  /// connected, and how many have to go is decided by the caller. It may be changed at any time.
  var capacity: Int { get set }

  /// The number of connected scenes.
  var count: Int { get }

  /// Takes note that a scene was connected, which counts as its first use.
  ///
  /// - Parameters:
  ///   - scene: The scene's key; of a scene that is connected already, this is another use.
  ///   - session: The 32 bits of its session.
  mutating func didConnect(_ scene: UInt32, session: UInt32)

  /// Takes note that a scene was used, as by an event that was delivered to it.
  ///
  /// O(1) without an allocation: it is called for every event.
  ///
  /// - Parameter scene: The scene's key.
  mutating func didUse(_ scene: UInt32)

  /// Takes note that a scene was disconnected, whether or not it was named; its key is free.
  ///
  /// - Parameter scene: The scene's key.
  mutating func didDisconnect(_ scene: UInt32)

  /// Takes note that a scene is gone together with its session, which will not come back.
  ///
  /// - Parameter scene: The scene's key.
  mutating func didDiscard(_ scene: UInt32)

  /// Names the scene that goes first.
  ///
  /// The scene stays until it is reported as gone; asked again before that, an order names it
  /// again unless something was reported in between or other scenes are spared. A scene that is
  /// passed over because it is spared counts as used when it is found spared no more.
  ///
  /// Each scene is passed over once, not each time; naming one costs O(1) on the average however
  /// many are spared. Only where all of them are, the answer costs O(n): it makes no sense to
  /// ask again before one of them can go.
  ///
  /// - Parameter isSpared: Says whether a scene stays, such as one in the foreground; it does not
  ///   change its mind during the call.
  /// - Returns: The scene's key; nil if every scene is spared, or if there is none.
  mutating func first(sparing isSpared: (UInt32) -> Bool) -> UInt32?
}
