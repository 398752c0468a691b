// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// The scenes of slices that are about to be handed over to this node, until it takes the slices
  /// up.
  ///
  /// What is known too late, or of another epoch, is of no account: these sessions connect when
  /// they are wanted.
  final class ReturningScenes: Sendable {
    private struct Slice: Sendable {
      let epoch: UInt32
      var sessions: [HandedOverSessions.Connected] = []
    }

    /// How many sessions are remembered.
    static let limit = 1 << 16

    private let slices = Guarded<[Int: Slice]>([:])
    private let sliceBits: Int

    init(sliceBits: Int) {
      self.sliceBits = sliceBits
    }

    /// Takes note of what another node is about to hand over.
    func expect(
      _ epochs: [SliceEpoch], _ connected: [HandedOverSessions.Connected]
    ) {
      slices.withLock { slices in
        for next in epochs where next.slice < 1 << sliceBits {
          slices[next.slice] = Slice(epoch: next.epoch)
        }
        let left = Self.limit - slices.values.reduce(0) { $0 + $1.sessions.count }
        // The most recently active ones come last, and are the ones to keep.
        for session in connected.suffix(max(0, left)) {
          slices[session.session.slice(bits: sliceBits)]?.sessions.append(session)
        }
      }
    }

    /// The sessions of slices that are taken up, in the order in which they come back.
    func take(_ tenures: [Int: SliceLedger.Tenure]) -> [HandedOverSessions.Connected] {
      slices.withLock { slices in
        tenures.sorted { $0.key < $1.key }.flatMap { index, tenure in
          guard let slice = slices.removeValue(forKey: index), slice.epoch == tenure.epoch else {
            return [HandedOverSessions.Connected]()
          }
          return slice.sessions
        }
      }
    }
  }
#endif
