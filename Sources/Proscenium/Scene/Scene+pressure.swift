// SPDX-License-Identifier: Apache-2.0

// What a scene says about its memory; it holds for this connection.
extension Scene {
  /// Whether a ``DisconnectionPolicy`` spares the scene.
  ///
  /// For work that cannot be captured, such as a transfer. What the host disconnects goes all the
  /// same.
  public var keepsConnected: Bool {
    get { hints.keepsConnected }
    set { changeHints { $0.keepsConnected = newValue } }
  }

  /// Has a ``DisconnectionPolicy`` spare the scene for a time.
  ///
  /// - Parameter duration: How long from now on; it replaces what is left of an earlier one, so
  ///   that zero or less ends it.
  public func delayDisconnection(for duration: Duration) {
    let end = duration > .zero ? context.services.elapsed() + duration : nil
    changeHints { $0.delayedUntil = end }
  }

  /// How many bytes the scene declares to take, or `nil` for
  /// ``DisconnectionPolicy/memoryCost``: 0 to 68,719,476,736, more counts as that.
  ///
  /// It counts where ``DisconnectionPolicy/memory`` is ``MemoryPressureSource/declared``.
  public var memoryCost: Int? {
    get { hints.memoryCost }
    set {
      let cost = newValue.map { min(max($0, 0), 1 << 36) }
      changeHints { $0.memoryCost = cost }
    }
  }

  /// What the scene has said so far.
  var hints: ConnectionHints { extras?.hints ?? ConnectionHints() }

  /// Changes what the scene says; a scene that has ended says nothing.
  private func changeHints(_ change: (inout ConnectionHints) -> Void) {
    var changed = hints
    change(&changed)
    guard !lifecycle.isEnded, extras != nil || changed != ConnectionHints() else { return }
    context.tally.setCost(from: hints.memoryCost, to: changed.memoryCost)
    ensureExtras().hints = changed
  }

  /// Takes back what the scene said, since it ends.
  func dropHints() {
    context.tally.setCost(from: hints.memoryCost, to: nil)
    extras?.hints = ConnectionHints()
  }
}
