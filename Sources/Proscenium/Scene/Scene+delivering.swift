// SPDX-License-Identifier: Apache-2.0

// Each delivery reaches the delegate once and in its order, unless a bug is planted.
extension Scene {
  /// Delivers what a plan brings; returns what has to happen elsewhere before the plan can go on.
  @inline(__always)
  func deliverOnce(_ delivery: Delivery) -> Hold? {
    #if DEBUG
      if shard.core.settings.plantedFault != nil { return deliverWithFault(delivery) }
    #endif
    return deliver(delivery)
  }

  /// Gives the delegate a message.
  @inline(__always)
  func receiveOnce(_ message: SceneMessage) {
    #if DEBUG
      if shard.core.settings.plantedFault != nil { return receiveWithFault(message) }
    #endif
    callee?.scene(self, didReceive: message)
  }

  #if DEBUG
    private func deliverWithFault(_ delivery: Delivery) -> Hold? {
      let core = shard.core
      if core.strikes(.drop) { return nil }
      if core.hasFault(.deliverTwice) || core.strikes(.double) { _ = deliver(delivery) }
      let extras = ensureExtras()
      if extras.heldDelivery == nil, core.strikes(.swap) {
        extras.heldDelivery = delivery
        return nil
      }
      let hold = deliver(delivery)
      if let held = extras.heldDelivery.take() { _ = deliver(held) }
      return hold
    }

    private func receiveWithFault(_ message: SceneMessage) {
      let core = shard.core
      if core.strikes(.drop) { return }
      if core.strikes(.double) { callee?.scene(self, didReceive: message) }
      let extras = ensureExtras()
      if extras.heldMessage == nil, core.strikes(.swap) {
        extras.heldMessage = message
        return
      }
      callee?.scene(self, didReceive: message)
      if let held = extras.heldMessage.take() { callee?.scene(self, didReceive: held) }
    }
  #endif
}
