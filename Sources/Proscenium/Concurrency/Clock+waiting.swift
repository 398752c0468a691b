// SPDX-License-Identifier: Apache-2.0

extension Clock<Duration> {
  /// Returns a function that tells how much time has passed since now.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }

  /// Waits until something else has come, but no longer than a time.
  ///
  /// - Parameters:
  ///   - duration: The time; nil sets no limit.
  ///   - rest: Waits for what else may come; it has to return when its task is cancelled.
  func wait(atMost duration: Duration?, for rest: @escaping @Sendable () async -> Void) async {
    await withTaskGroup { group in
      // Children, so that the one that is late ends with this function; a sleep that is cut short
      // has nothing to report.
      if let duration { group.addTask { try? await self.sleep(for: duration) } }
      group.addTask { await rest() }
      await group.next()
      group.cancelAll()
    }
  }
}

extension Duration {
  /// The duration in whole nanoseconds, at most those of an Int64.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product + attoseconds / 1_000_000_000
  }
}
