// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// The scenes and the clients of slices that are about to be handed over to this node, until it
  /// takes the slices up; or of its own slices that it could not give away.
  ///
  /// What is known too late, or of another epoch, is of no account: these sessions connect when
  /// they are wanted, and their clients get everything again.
  final class ReturningScenes: Sendable {
    private struct Slice: Sendable {
      let epoch: UInt32
      /// The tenure, if it is one of this node.
      var number: UInt32?
      var sessions: [HandedOverSessions.Connected] = []
      var lines: [HandedOverLine] = []

      func isOf(_ tenure: SliceLedger.Tenure) -> Bool {
        epoch == tenure.epoch && number ?? tenure.number == tenure.number
      }
    }

    private struct State: Sendable {
      var slices: [Int: Slice] = [:]
      /// How many bytes the lines have.
      var size = 0

      mutating func set(_ slice: Slice?, at index: Int) {
        for line in slices[index]?.lines ?? [] { size -= line.size }
        slices[index] = slice
      }
    }

    /// How many sessions are remembered, and of how many clients are.
    static let limit = 1 << 16
    /// How many bytes there may be for clients; beyond it, they get everything again.
    static let sizeLimit = 64 << 20

    private let state = Guarded(State())
    private let sliceBits: Int

    init(sliceBits: Int) {
      self.sliceBits = sliceBits
    }

    /// Takes note of what another node is about to hand over.
    func expect(
      _ epochs: [SliceEpoch], _ connected: [HandedOverSessions.Connected]
    ) {
      state.withLock { state in
        for next in epochs where next.slice < 1 << sliceBits {
          state.set(Slice(epoch: next.epoch), at: next.slice)
        }
        add(connected, to: &state)
      }
    }

    /// Takes note of what the clients of such slices need.
    func expect(_ epochs: [SliceEpoch], _ lines: [HandedOverLine]) {
      state.withLock { state in
        let known = Set(epochs.filter { state.slices[$0.slice]?.epoch == $0.epoch }.map(\.slice))
        add(lines.filter { known.contains($0.session.slice(bits: sliceBits)) }, to: &state)
      }
    }

    /// Takes note of slices that this node could not give away.
    ///
    /// It takes them up again in their next tenures, unless another node has them in between.
    func keep(_ tenures: [Int: SliceLedger.Tenure], _ sessions: HandedOverSessions) {
      state.withLock { state in
        for (index, tenure) in tenures {
          state.set(Slice(epoch: tenure.epoch, number: tenure.number &+ 1), at: index)
        }
        add(sessions.connected, to: &state)
        add(sessions.lines, to: &state)
      }
    }

    private func add(_ connected: [HandedOverSessions.Connected], to state: inout State) {
      let left = Self.limit - state.slices.values.reduce(0) { $0 + $1.sessions.count }
      // The most recently active ones come last, and are the ones to keep.
      for session in connected.suffix(max(0, left)) {
        state.slices[session.session.slice(bits: sliceBits)]?.sessions.append(session)
      }
    }

    private func add(_ lines: [HandedOverLine], to state: inout State) {
      let left = Self.limit - state.slices.values.reduce(0) { $0 + $1.lines.count }
      for line in lines.prefix(max(0, left)) {
        let line = line.limited(to: min(HandedOverLine.sizeLimit, Self.sizeLimit - state.size))
        state.slices[line.session.slice(bits: sliceBits)]?.lines.append(line)
        state.size += line.size
      }
    }

    /// Whether something is known of a slice that is taken up.
    func has(_ slice: Int, _ tenure: SliceLedger.Tenure) -> Bool {
      state.withLock { $0.slices[slice]?.isOf(tenure) ?? false }
    }

    /// What is known of slices that are taken up: the sessions in the order in which they come
    /// back.
    func take(_ tenures: [Int: SliceLedger.Tenure]) -> HandedOverSessions {
      state.withLock { state in
        var taken = HandedOverSessions()
        for (index, tenure) in tenures.sorted(by: { $0.key < $1.key }) {
          guard let slice = state.slices[index] else { continue }
          state.set(nil, at: index)
          if !slice.isOf(tenure) { continue }
          taken.connected += slice.sessions
          taken.lines += slice.lines
        }
        return taken
      }
    }
  }
#endif
