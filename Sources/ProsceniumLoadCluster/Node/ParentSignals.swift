// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Dispatch
  import Foundation

  /// What the process that has started this one asks for, by signals.
  struct ParentSignals: ~Copyable {
    /// What is asked for.
    enum Order: Sendable {
      /// To end in order: by SIGTERM, or the parent is gone.
      case end
      /// To say what came of everything, by SIGUSR1.
      case tell
    }

    let orders: AsyncStream<Order>
    private let sources: [any DispatchSourceProtocol]

    /// Takes signals from now on; what a terminal tells all processes is for the parent alone.
    init() {
      let (orders, sink) = AsyncStream.makeStream(of: Order.self)
      self.orders = orders
      signal(SIGINT, SIG_IGN)
      let signals = [(SIGTERM, Order.end), (SIGUSR1, .tell)].map { number, order in
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { sink.yield(order) }
        source.resume()
        return source
      }
      let parent = getppid()
      let timer = DispatchSource.makeTimerSource(queue: .global())
      // Nothing tells when a parent has ended.
      timer.schedule(deadline: .now(), repeating: .milliseconds(200))
      timer.setEventHandler { if getppid() != parent { sink.yield(.end) } }
      timer.resume()
      sources = signals + [timer]
    }

    deinit {
      for source in sources { source.cancel() }
    }
  }
#endif
