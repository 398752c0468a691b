// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Synchronization

  /// What a process has received, and how long it was on its way.
  final class LinkTally: Sendable {
    let count = Atomic(0)
    private let delays = Guarded<[Double]>([])
    /// What a call has asked this process to measure by itself, and what came of it.
    let orders: AsyncStream<Void>
    private let order: AsyncStream<Void>.Continuation
    let result = Guarded("")

    init() {
      (orders, order) = AsyncStream.makeStream()
    }

    /// Notes a message.
    func note(_ message: SceneMessage) {
      count.add(1, ordering: .relaxed)
      guard let time = LinkTraffic.time(in: message) else { return }
      let delay = Double(LinkTraffic.now - time) / 1_000
      delays.withLock { $0.append(delay) }
    }

    /// Answers what the trial asks.
    func answer(_ question: String) -> String {
      switch question {
      case "local":
        result.withLock { $0 = "" }
        order.yield()
        return ""
      case "result": return result.withLock { $0 }
      case "delays":
        let all = delays.withLock { delays in
          defer { delays = [] }
          return delays.sorted()
        }
        return "\(LinkTraffic.share(0.5, of: all)) \(LinkTraffic.share(0.99, of: all)) \(all.count)"
      default:
        return "\(count.load(ordering: .acquiring)) \(LinkTraffic.processorTime)"
      }
    }
  }

  /// Messages of 256 bytes; the first ones say when they were sent, if that is to be measured.
  enum LinkTraffic {
    static let size = 256

    /// A monotonic time that all processes of a machine have, in nanoseconds.
    static var now: UInt64 { clock_gettime_nsec() }

    private static func clock_gettime_nsec() -> UInt64 {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The processor time that this process has used, in microseconds.
    static var processorTime: Double {
      var usage = rusage()
      unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      func time(_ value: timeval) -> Double { Double(value.tv_sec) * 1e6 + Double(value.tv_usec) }
      return time(usage.ru_utime) + time(usage.ru_stime)
    }

    /// A message that does not say when it was sent.
    static let plain = SceneMessage([UInt8](repeating: 0, count: size))

    /// The bytes of a message that says when it was sent.
    static func timed() -> [UInt8] {
      let now = now
      return [1] + (0..<8).map { UInt8(truncatingIfNeeded: now >> (8 * $0)) }
        + [UInt8](repeating: 0, count: size - 9)
    }

    static func time(in message: SceneMessage) -> UInt64? {
      message.withBytes { bytes in
        guard bytes.byteCount >= 9, unsafe bytes.unsafeLoad(as: UInt8.self) == 1 else { return nil }
        return (0..<8).reduce(0) { time, place in
          time | UInt64(unsafe bytes.unsafeLoad(fromByteOffset: 1 + place, as: UInt8.self))
            << UInt64(8 * place)
        }
      }
    }

    /// The value below which a share of sorted values are.
    static func share(_ share: Double, of sorted: [Double]) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// Sends messages for a time, one behind the other, as fast as they are taken.
    ///
    /// - Returns: How many were sent.
    @concurrent
    static func send(
      to sessions: [SessionIdentifier], of application: Application, for time: Duration
    ) async throws -> Int {
      let end = now + UInt64(time / .nanoseconds(1))
      var count = 0
      while now < end {
        // A look at the clock costs as much as a part of a message.
        for _ in 0..<64 {
          try await application.sendWithBackpressure(plain, to: sessions[count % sessions.count])
          count += 1
        }
      }
      return count
    }

    /// Calls a body for each of so many messages a second, in ticks of a millisecond.
    @concurrent
    static func pace(
      _ rate: Int, for time: Duration, _ body: @Sendable (_ count: Int) async throws -> Void
    ) async throws {
      let clock = ContinuousClock()
      let begin = clock.now
      var sent = 0
      while clock.now - begin < time {
        // Between two ticks nothing is sent.
        try await clock.sleep(for: .milliseconds(1))
        let due = Int((clock.now - begin) / .seconds(1) * Double(rate))
        try await body(due - sent)
        sent = due
      }
    }
  }

  /// Notes what it is told, and answers what the trial asks.
  final class LinkDelegate: SceneDelegate {
    private let tally: LinkTally

    init(_ tally: LinkTally) {
      self.tally = tally
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) { tally.note(message) }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      SceneMessage(tally.answer(message.string))
    }
  }
#endif
