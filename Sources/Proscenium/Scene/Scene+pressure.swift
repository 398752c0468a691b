// SPDX-License-Identifier: Apache-2.0

// What a scene says about its memory; it holds for this connection.
extension Scene {
  /// Whether a ``DisconnectionPolicy`` spares the scene.
  ///
  /// For work that cannot be captured, such as a transfer. What the host disconnects goes all the
  /// same.
  public var keepsConnected: Bool {
    get { shard.wishes(slot).keepsConnected }
    set { shard.changeWishes(of: self) { $0.keepsConnected = newValue } }
  }

  /// Has a ``DisconnectionPolicy`` spare the scene for a time.
  ///
  /// - Parameter duration: How long from now on; it replaces what is left of an earlier one, so
  ///   that zero or less ends it.
  public func delayDisconnection(for duration: Duration) {
    let end = duration > .zero ? shard.core.pressure.elapsed() + duration : nil
    shard.changeWishes(of: self) { $0.delayedUntil = end }
  }

  /// How many bytes the scene declares to take, or `nil` for
  /// ``DisconnectionPolicy/memoryCost``: 0 to 68,719,476,736, more counts as that.
  ///
  /// It counts where ``DisconnectionPolicy/memory`` is ``MemoryPressureSource/declared``.
  public var memoryCost: Int? {
    get { shard.wishes(slot).memoryCost }
    set {
      let cost = newValue.map { min(max($0, 0), 1 << 36) }
      shard.changeWishes(of: self) { $0.memoryCost = cost }
    }
  }
}
