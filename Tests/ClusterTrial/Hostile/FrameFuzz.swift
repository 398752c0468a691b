// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// Frames of a node that has gone mad, and what the other one has to make of each.
  struct FrameFuzz {
    /// What is wrong with a frame, if anything is.
    enum Kind: String, CaseIterable {
      case wellFormed = "well formed, of hostile items"
      case replayed = "sent before"
      case changed = "bits, bytes or the kind changed"
      case random = "random bytes"
      case otherLength = "with another length"
      case huge = "huge"
      case outOfPlace = "of a kind that is out of place"
      case otherNumbers = "with numbers that cannot be"
    }

    /// What has to become of a frame.
    enum Fate {
      case taken
      /// The connection ends.
      case refused
      /// More has to come until it is a frame.
      case awaited
    }

    static let sliceBits = 10

    private var items: HostileItems
    /// What the node has received, as this side knows it.
    private var inbox = LinkInbox()
    private var terms = ContentTerms()
    private(set) var last: UInt64 = 0
    private var confirmed: UInt64 = 0
    /// What was written and is no whole frame yet.
    private var rest: [UInt8] = []
    private var before: [UInt8] = []

    init(seed: UInt64, sessions: [SessionIdentifier]) {
      items = HostileItems(random: SplitMix64(seed: seed), sessions: sessions)
    }

    /// Begins with a new connection; returns what confirms all that the node has received, and
    /// takes all terms back.
    mutating func begin(last: UInt64) -> [UInt8] {
      inbox = LinkInbox()
      inbox.receive(Int(last))
      (self.last, confirmed, rest, before) = (last, 0, [], [])
      let item = LinkItem.terms(TermDelta(begins: true))
      let bytes = Self.bytes(
        of: .items(
          .init(
            first: last + 1, confirmed: last,
            entries: [.init(item: item, slice: nil, size: item.size, restarts: false)])))
      _ = fate(of: bytes)
      return bytes
    }

    static func bytes(of frame: LinkFrame) -> [UInt8] {
      var bytes: [UInt8] = []
      frame.write(to: &bytes)
      return bytes
    }

    static func withLength(_ body: [UInt8]) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
    }

    // MARK: - Frames

    /// The next frame, and what has to become of it.
    mutating func next() -> (bytes: [UInt8], kind: Kind, fate: Fate) {
      let kind = drawKind()
      let bytes = frame(kind)
      let fate = fate(of: bytes)
      if fate == .taken { before = bytes }
      return (bytes, kind, fate)
    }

    private mutating func drawKind() -> Kind {
      switch items.random.number(below: 100) {
      case 0..<70: .wellFormed
      case 70..<82: before.isEmpty ? .wellFormed : .replayed
      case 82..<91: .changed
      case 91..<93: .random
      case 93..<95: .otherLength
      case 95..<96: .huge
      case 96..<98: .outOfPlace
      default: .otherNumbers
      }
    }

    private mutating func batch() -> LinkFrame {
      .items(
        .init(first: last + 1, confirmed: last, entries: items.entries(upTo: 6)))
    }

    private mutating func frame(_ kind: Kind) -> [UInt8] {
      switch kind {
      case .wellFormed: return Self.bytes(of: batch())
      case .replayed: return before
      case .changed: return Self.withLength(changed(Array(Self.bytes(of: batch())[4...])))
      case .random:
        let count = items.random.number(below: 200)
        return Self.withLength(
          (0..<count).map { _ in UInt8(truncatingIfNeeded: items.random.next()) })
      case .otherLength:
        var bytes = Self.bytes(of: batch())
        bytes[0] = UInt8(truncatingIfNeeded: items.random.next())
        bytes[1] = UInt8(items.random.number(below: 4))
        return bytes
      case .huge:
        let length = LinkFrame.sizeLimit + 1 + items.random.number(below: 1 << 31)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + [2, 1, 0]
      case .outOfPlace: return Self.bytes(of: outOfPlace())
      case .otherNumbers: return Self.bytes(of: otherNumbers())
      }
    }

    private mutating func changed(_ body: [UInt8]) -> [UInt8] {
      var body = body
      for _ in 0...items.random.number(below: 3) where !body.isEmpty {
        // Half of the changes are where the kind and the numbers are.
        let place = items.random.number(
          below: items.random.number(below: 2) == 0 ? min(21, body.count) : body.count)
        switch items.random.number(below: 4) {
        case 0: body[place] ^= 1 << UInt8(items.random.number(below: 8))
        case 1: body[place] = UInt8(truncatingIfNeeded: items.random.next())
        case 2: body.remove(at: place)
        default: body.removeSubrange(place...)
        }
      }
      return body
    }

    private mutating func outOfPlace() -> LinkFrame {
      switch items.random.number(below: 5) {
      case 0: .greeting(from: 1, to: 2, count: items.random.next())
      case 1: .welcome(process: items.random.next(), LinkAnswer(last: last))
      case 2: .answer(LinkAnswer(last: items.random.next(), refused: [.init(1, .notOpen)]))
      case 3: .served([items.random.number(below: 1_024), Int(UInt32.max)])
      default: .goodbye
      }
    }

    private mutating func otherNumbers() -> LinkFrame {
      let entries = items.entries(upTo: 2)
      return switch items.random.number(below: 4) {
      case 0: .items(.init(first: last + 2, confirmed: last, entries: entries))
      case 1: .items(.init(first: last + 1, confirmed: last + 1, entries: entries))
      case 2: .items(.init(first: 0, confirmed: 0, entries: entries))
      default: .items(.init(first: .max, confirmed: .max - 1, entries: entries))
      }
    }

    // MARK: - Fates

    /// What has to become of bytes, which is read and counted here as in the node.
    private mutating func fate(of bytes: [UInt8]) -> Fate {
      rest += bytes
      while rest.count >= 4 {
        let length = (0..<4).reduce(0) { $0 | Int(rest[$1]) << (8 * $1) }
        if length > LinkFrame.sizeLimit { return .refused }
        if rest.count < 4 + length { return .awaited }
        let body = Array(rest[4..<4 + length])
        rest.removeFirst(4 + length)
        guard isTaken(body) else { return .refused }
      }
      return rest.isEmpty ? .taken : .awaited
    }

    private mutating func isTaken(_ body: [UInt8]) -> Bool {
      guard case .items(let batch)? = try? LinkFrame(reading: body, sliceBits: Self.sliceBits),
        let known = try? inbox.begin(
          first: batch.first, count: batch.entries.count, confirmed: batch.confirmed)
      else { return false }
      for entry in batch.entries[known...] {
        if case .terms(let delta) = entry.item, (try? terms.take(delta, from: 1)) == nil {
          return false
        }
        inbox.receive()
        last += 1
      }
      return true
    }
  }
#endif
