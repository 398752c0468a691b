// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

// What happens when half of the time is over.
extension LoadRun {
  /// How long scenes may stay connected over a new limit, on any machine.
  private static let squeezeTime = Duration.seconds(10)
  /// What a session that comes back may take, its waiting task included, in bytes.
  private static let sessionLimit = 16_384
  /// What may come and go besides when scenes go, and when they come back, in bytes.
  private static let (noise, tolerance) = (16 << 20, 64 << 20)
  /// How many tasks one group has: it looks through all of them when one ends.
  private static let groupSize = 1_000

  /// Leaves a tenth of the connected scenes, and notes what is kept.
  func squeeze(_ application: Application) async throws {
    let limit = max((scenario.connected ?? scenario.sessions) / 10, 1)
    let (before, connected) = (test.meter.memory(), application.connectedSceneCount)
    application.host.setDisconnectionPolicy(policy(connected: limit))
    let end = test.clock.now.advanced(by: Self.squeezeTime)
    while application.connectedSceneCount > limit, test.clock.now < end {
      try await test.clock.sleep(for: .milliseconds(2))
    }
    let left = application.connectedSceneCount
    if left > limit { audit.note(.keptScenes, nil, count: left - limit) }
    // Each had its state in memory at least; half of that is beyond what others allocate meanwhile.
    let held = (connected - left) * scenario.stateSize.typical / 2
    if let before, let after = test.meter.memory(), held > Self.noise,
      after.allocated > before.allocated - held
    {
      audit.note(.keptMemory, nil, count: after.allocated - (before.allocated - held))
    }
  }

  /// Brings all sessions back at once, as users do whose server has crashed, and notes what takes
  /// too much memory.
  func storm(_ tenants: LoadTenants, _ application: Application) async throws {
    test.meter.releaseUnused()
    let before = test.meter.memory()?.resident ?? 0
    let peak = try await withThrowingTaskGroup(of: Int.self) { group in
      // Looks how much is resident, until it is cancelled.
      group.addTask {
        var peak = 0
        while !Task.isCancelled {
          peak = max(peak, test.meter.memory()?.resident ?? 0)
          try? await test.clock.sleep(for: .milliseconds(5))
        }
        return peak
      }
      await reconnect(tenants, application)
      group.cancelAll()
      return try await group.next() ?? 0
    }
    let excess = peak - before - Self.tolerance - tenants.count * Self.sessionLimit
    if excess > 0 { audit.note(.tookMemory, nil, count: excess) }
  }

  /// Activates every session by a task of its own, in no order.
  private func reconnect(_ tenants: LoadTenants, _ application: Application) async {
    var random = SplitMix64(seed: scenario.seed)
    let places = (0..<tenants.count).shuffled(using: &random)
    await withTaskGroup { groups in
      for start in stride(from: 0, to: places.count, by: Self.groupSize) {
        let part = places[start..<min(start + Self.groupSize, places.count)]
        // A group for each part, see the size of one.
        groups.addTask {
          await withTaskGroup { group in
            for place in part where !test.isInterrupted() {
              // One user; a session that does not come back differs from what was sent to it.
              group.addTask {
                do throws(SceneError) {
                  try await application.requestSceneSessionActivation(tenants[place].session)
                } catch {
                  audit.fail(error)
                }
              }
            }
          }
        }
      }
    }
  }
}
