// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// What the process that has started this one asks for, by signals.
package struct ParentSignals: Sendable {
  /// What is asked for.
  package enum Order: Sendable {
    /// To end in order: by SIGTERM, or the parent is gone.
    case end
    /// To say what came of everything, by SIGUSR1.
    case tell
  }

  package let orders: AsyncStream<Order>

  /// Takes signals from now on; what a terminal tells all processes is for the parent alone.
  package init() {
    let (orders, sink) = AsyncStream.makeStream(of: Order.self)
    self.orders = orders
    signal(SIGINT, SIG_IGN)
    // Each source is kept by its own handler, as long as the process.
    for (number, order) in [(SIGTERM, Order.end), (SIGUSR1, .tell)] {
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { withExtendedLifetime(source) { _ = sink.yield(order) } }
      source.resume()
    }
    let parent = getppid()
    let timer = DispatchSource.makeTimerSource(queue: .global())
    // Nothing tells when a parent has ended.
    timer.schedule(deadline: .now(), repeating: .milliseconds(200))
    timer.setEventHandler {
      withExtendedLifetime(timer) { if getppid() != parent { sink.yield(.end) } }
    }
    timer.resume()
  }

  /// Waits until the end is asked for, or the task is cancelled.
  package func waitUntilEnd() async {
    for await order in orders where order == .end { return }
  }
}
