// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// A node's connections with the other ones of a simulated cluster.
  final class SimulatedNetwork: LinkNetwork {
    private let world: ClusterWorld
    private let name: String
    /// Is given what others open.
    private let take = Guarded<(@Sendable (any LinkConnection) -> Void)?>(nil)
    private let lines = Guarded<[SimulatedLine]>([])
    private let dead = Guarded(false)

    init(_ world: ClusterWorld, name: String) {
      self.world = world
      self.name = name
    }

    func open(
      _ take: @escaping @Sendable (any LinkConnection) -> Void
    ) async throws -> LinkIdentity {
      self.take.withLock { $0 = take }
      world.listen(at: name, self)
      return LinkIdentity(address: name, fingerprint: Array(name.utf8))
    }

    func connect(to member: ClusterMember) async throws(LinkFault) -> any LinkConnection {
      await world.nap(world.drawLinkTime())
      guard let other = world.network(at: member.link.address), !isDead, !other.isDead,
        !world.isCut(name, member.link.address), let take = other.take.withLock({ $0 })
      else { throw LinkFault("\(member.link.address) is not reached") }
      let (near, far) = SimulatedLine.pair(world, Array(name.utf8), Array(other.name.utf8))
      enter(near)
      other.enter(far)
      take(far)
      return near
    }

    func close() async {
      take.withLock { $0 = nil }
      breakLines()
    }

    private func enter(_ line: SimulatedLine) {
      lines.withLock { lines in
        lines.removeAll { $0.isClosed }
        lines.append(line)
      }
    }

    private var isDead: Bool { dead.withLock { $0 } }

    /// Breaks all connections that there are.
    func breakLines() {
      for line in lines.withLock({ $0 }) { line.tear() }
    }

    /// Ends with the process.
    func sever() {
      dead.withLock { $0 = true }
      breakLines()
    }
  }

  /// One end of a connection.
  final class SimulatedLine: LinkConnection {
    /// The bytes that go one way.
    fileprivate final class Pipe: Sendable {
      fileprivate struct State: Sendable {
        var bytes: [UInt8] = []
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
      }

      private let state = Guarded(State())

      var isClosed: Bool { state.withLock { $0.isClosed } }

      func append(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
          if !state.isClosed { state.bytes += bytes }
          return state.wake()
        }?.resume()
      }

      func close(forgets: Bool) {
        state.withLock { state in
          state.isClosed = true
          if forgets { state.bytes = [] }
          return state.wake()
        }?.resume()
      }

      /// Takes the next frame without its length; `nil` at the end.
      func next(upTo limit: Int) async throws(LinkFault) -> [UInt8]? {
        while true {
          let (frame, isOver) = try state.withLock { (state) throws(LinkFault) in
            (try state.takeFrame(upTo: limit), state.isClosed)
          }
          if let frame { return frame }
          if isOver { return nil }
          await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
              if state.isClosed || state.hasFrame { return true }
              state.reader = continuation
              return false
            }
            if isReady { continuation.resume() }
          }
        }
      }
    }

    private let world: ClusterWorld
    let fingerprint: [UInt8]
    private let incoming: Pipe
    private let outgoing: Pipe

    private init(
      _ world: ClusterWorld, to fingerprint: [UInt8], _ incoming: Pipe, _ outgoing: Pipe
    ) {
      self.world = world
      self.fingerprint = fingerprint
      self.incoming = incoming
      self.outgoing = outgoing
    }

    /// The two ends of a new connection.
    static func pair(
      _ world: ClusterWorld, _ near: [UInt8], _ far: [UInt8]
    ) -> (SimulatedLine, SimulatedLine) {
      let (one, other) = (Pipe(), Pipe())
      return (
        SimulatedLine(world, to: far, one, other), SimulatedLine(world, to: near, other, one)
      )
    }

    var isClosed: Bool { incoming.isClosed }

    func write(_ bytes: [UInt8]) async throws(LinkFault) {
      // Part of it can have arrived when the line breaks.
      let part = world.number(below: 4) == 0 ? world.number(below: bytes.count + 1) : bytes.count
      await world.nap(world.drawLinkTime())
      outgoing.append(bytes[..<part])
      if part < bytes.count {
        await world.nap(world.drawLinkTime())
        outgoing.append(bytes[part...])
      }
      if outgoing.isClosed { throw LinkFault("the line is broken") }
    }

    func read(upTo limit: Int) async throws(LinkFault) -> [UInt8]? {
      try await incoming.next(upTo: limit)
    }

    func close() { tear() }

    /// Breaks the line: what has arrived is still read, or is lost.
    func tear() {
      incoming.close(forgets: world.number(below: 2) == 0)
      outgoing.close(forgets: world.number(below: 2) == 0)
    }
  }

  extension SimulatedLine.Pipe.State {
    private var length: Int? {
      guard bytes.count >= 4 else { return nil }
      return (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    }

    fileprivate var hasFrame: Bool { length.map { bytes.count >= 4 + $0 } ?? false }

    fileprivate mutating func takeFrame(upTo limit: Int) throws(LinkFault) -> [UInt8]? {
      guard let length else { return nil }
      guard length <= limit else { throw LinkFault("a frame of \(length) bytes") }
      guard bytes.count >= 4 + length else { return nil }
      defer { bytes.removeFirst(4 + length) }
      return Array(bytes[4..<4 + length])
    }

    fileprivate mutating func wake() -> CheckedContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }
  }
#endif
