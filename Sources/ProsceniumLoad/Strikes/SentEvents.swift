// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// What one sender has sent: how many messages to the session of each place.
struct SentEvents: Sendable {
  let sender: Int
  private var numbers: [UInt32]
  private var generations: [UInt32]
  /// Messages that were accepted.
  private(set) var accepted = 0

  init(sender: Int, places: Int) {
    self.sender = sender
    numbers = [UInt32](repeating: 0, count: places)
    generations = numbers
  }

  /// How many messages the session of a place should have had.
  func count(_ place: Int, _ generation: UInt32) -> UInt32 {
    generations[place] == generation ? numbers[place] : 0
  }

  /// Sends one message.
  mutating func send(
    to place: Int, of sessions: LoadTenants, by application: Application, at time: UInt64
  ) async throws(SceneError) {
    let tenant = sessions[place]
    if generations[place] != tenant.generation {
      (generations[place], numbers[place]) = (tenant.generation, 0)
    }
    let event = CountedEvent(sender: sender, number: numbers[place] + 1, time: time)
    do throws(SceneError) {
      try await application.sendAwaitingRoom(event.message, to: tenant.session)
      numbers[place] += 1
      accepted += 1
    } catch {
      // It was discarded, and the next one moves in.
      guard error.code == .requestDenied else { throw error }
    }
  }
}
