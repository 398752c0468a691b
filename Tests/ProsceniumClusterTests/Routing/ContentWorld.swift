// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPredicate
  import ProsceniumPrimitives

  @testable import ProsceniumCluster

  /// Nodes that tell each other by which terms their sessions are found: everything happens by
  /// chance, and nothing at once.
  struct ContentWorld {
    private struct Session {
      let handle: SessionHandle
      let slice: Int
      let content: String
      let kind: SharedTerm.Kind
      /// The nodes that have heard of it.
      var knowing: Set<Int32> = []
      /// The news with which other nodes hear of it.
      var news: [Int32: Int] = [:]
      var isTold = false
    }

    private struct Node {
      let feed: ContentFeed
      let router: ContentRouter
      /// The dead that it has not heard of.
      var unheard: Set<Int32> = []
    }

    private struct Mail: Sendable {
      let item: LinkItem
      let sender: Int32
      let receiver: Int32
    }

    private final class Post: Sendable {
      let mails = Guarded<[Mail]>([])
    }

    private static let sliceCount = 8

    private var random: SplitMix64
    private var nodes: [Int32: Node] = [:]
    private var sessions: [Session] = []
    /// The node that serves each slice; none while it is on its way.
    private var owners = [Int32?](repeating: nil, count: sliceCount)
    private var epochs = [UInt32](repeating: 0, count: sliceCount)
    /// All that was ever sent, and what of it has come, or never will.
    private let post = Post()
    /// What no node should refuse.
    private var refused: String?
    private var delivered: Set<Int> = []
    private var (lastHandle, lastNode): (UInt32, Int32) = (0, 0)

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      for _ in 0..<4 { join() }
      for slice in 0..<Self.sliceCount { take(slice) }
    }

    private var numbers: [Int32] { nodes.keys.sorted() }

    private mutating func anyNode() -> Int32 {
      numbers[random.number(below: nodes.count)]
    }

    // MARK: - What happens

    mutating func step() {
      switch random.number(below: 14) {
      case 0, 1: open()
      case 2: close()
      case 3: give()
      case 4: take(random.number(below: Self.sliceCount))
      case 5:
        if nodes.count > 2, random.number(below: 5) == 0 { kill() }
        if nodes.count < 5, random.number(below: 5) == 0 { join() }
      case 6: hear()
      case 7, 8: tell(anyNode())
      default: deliver(from: anyNode(), to: anyNode())
      }
    }

    /// Everything comes, and everything that is on its way arrives.
    mutating func settle() {
      for slice in owners.indices { take(slice) }
      for _ in 0..<4 {
        while nodes.values.contains(where: { !$0.unheard.isEmpty }) { hear() }
        for node in numbers { tell(node) }
        for sender in numbers {
          for receiver in numbers { while deliver(from: sender, to: receiver) {} }
        }
      }
    }

    private mutating func join() {
      lastNode += 1
      let number = lastNode
      let feed = ContentFeed(sliceCount: Self.sliceCount) { .zero }
      let router = ContentRouter(observer: feed.note) {
        SessionIdentifier(high: 0, low: UInt64($0.rawValue))
      }
      nodes[number] = Node(feed: feed, router: router)
      for other in numbers where other != number {
        nodes[other]?.feed.begin(number, 1, sending(from: other))
        feed.begin(other, 1, sending(from: number))
        noteTold(by: other, to: number)
      }
    }

    private func sending(from sender: Int32) -> ContentFeed.Sending {
      { [post] item, receiver, _ in
        post.mails.withLock { $0.append(Mail(item: item, sender: sender, receiver: receiver)) }
      }
    }

    private mutating func tell(_ node: Int32) {
      nodes[node]?.feed.tell(sending(from: node))
      for index in sessions.indices where owners[sessions[index].slice] == node {
        sessions[index].isTold = true
      }
      for other in numbers where other != node { noteTold(by: node, to: other) }
    }

    /// A node has told another one of all its sessions.
    private mutating func noteTold(by node: Int32, to other: Int32) {
      let last = post.mails.withLock { $0.lastIndex { $0.sender == node && $0.receiver == other } }
      guard let last else { return }
      for index in sessions.indices
      where owners[sessions[index].slice] == node && sessions[index].isTold {
        if sessions[index].news[other] == nil { sessions[index].news[other] = last }
      }
    }

    /// The next news of a node comes to another one; returns whether there was some.
    @discardableResult
    private mutating func deliver(from sender: Int32, to receiver: Int32) -> Bool {
      let all = post.mails.withLock { $0 }
      let next = all.indices.first {
        !delivered.contains($0) && all[$0].sender == sender && all[$0].receiver == receiver
      }
      guard let next, case .terms(let delta) = all[next].item else { return false }
      delivered.insert(next)
      let lives = nodes[receiver]?.unheard.contains(sender) == true || nodes[sender] != nil
      do {
        try nodes[receiver]?.feed.take(delta, from: sender) { _ in lives }
      } catch {
        refused = "node \(receiver) refuses what node \(sender) tells: \(error)"
      }
      for index in sessions.indices where sessions[index].news[receiver] == next {
        sessions[index].knowing.insert(receiver)
      }
      return true
    }

    private mutating func open() {
      let slice = random.number(below: Self.sliceCount)
      guard let owner = owners[slice] else { return }
      lastHandle += 1
      let session = Session(
        handle: SessionHandle(rawValue: lastHandle), slice: slice,
        // Some share their content.
        content: "doc/\(random.number(below: 30))",
        kind: random.number(below: 2) == 0 ? .can : .prefers, knowing: [owner])
      sessions.append(session)
      enter(session, on: owner)
    }

    private func enter(_ session: Session, on node: Int32) {
      guard let predicate = try? ContentPredicate.equals(session.content) else { return }
      nodes[node]?.router.insert(
        session.handle, role: 0, SessionRank(.archived, lastActivated: 0),
        SceneActivationConditions(
          can: session.kind == .can ? predicate : .false,
          prefers: session.kind == .prefers ? predicate : .false))
    }

    private mutating func close() {
      guard !sessions.isEmpty else { return }
      let index = random.number(below: sessions.count)
      guard let owner = owners[sessions[index].slice] else { return }
      nodes[owner]?.router.remove(sessions[index].handle)
      sessions.remove(at: index)
    }

    /// A node lets some of its slices go.
    private mutating func give() {
      let sender = anyNode()
      let slices = owners.indices.filter { owners[$0] == sender }
        .filter { _ in random.number(below: 2) == 0 }
      if slices.isEmpty { return }
      nodes[sender]?.feed.beginDeparture(of: Set(slices))
      for session in sessions where slices.contains(session.slice) {
        nodes[sender]?.router.remove(session.handle, departs: true)
      }
      nodes[sender]?.feed.endDeparture()
      for slice in slices { owners[slice] = nil }
    }

    /// A slice that is on its way arrives at a node.
    private mutating func take(_ slice: Int) {
      if owners[slice] != nil { return }
      let node = anyNode()
      epochs[slice] += 1
      owners[slice] = node
      for index in sessions.indices where sessions[index].slice == slice {
        enter(sessions[index], on: node)
        sessions[index].isTold = false
        sessions[index].knowing.insert(node)
      }
      nodes[node]?.feed.complete([SliceEpoch(slice: slice, epoch: epochs[slice])])
    }

    /// A node dies, with all that it has sent and has not come; the others do not know it yet.
    private mutating func kill() {
      let dead = anyNode()
      nodes[dead] = nil
      for slice in owners.indices where owners[slice] == dead { owners[slice] = nil }
      let all = post.mails.withLock { $0 }
      for (index, mail) in all.enumerated() where mail.sender == dead || mail.receiver == dead {
        delivered.insert(index)
      }
      for node in numbers { nodes[node]?.unheard.insert(dead) }
    }

    /// A node hears that another one is dead.
    private mutating func hear() {
      let node = anyNode()
      guard let dead = nodes[node]?.unheard.sorted().first else { return }
      nodes[node]?.unheard.remove(dead)
      nodes[node]?.feed.end(dead)
    }

    // MARK: - What is so

    /// What a node has refused of another one, or a session that a node does not find, though it
    /// has heard of it and of nothing else since.
    var missed: String? {
      if let refused { return refused }
      for (number, node) in nodes.sorted(by: { $0.key < $1.key }) {
        for session in sessions where session.knowing.contains(number) {
          // It has it itself, or another one for the same.
          if sessions.contains(where: {
            $0.content == session.content && $0.kind == session.kind && owners[$0.slice] == number
          }) {
            continue
          }
          let hits = node.feed.look(for: session.content, session.kind)
          if hits.nodes.isEmpty, !hits.isMoving, node.feed.isComplete {
            return "node \(number) does not find \(session.content) of slice \(session.slice)"
          }
        }
      }
      return nil
    }

    /// A node that is named for content that it does not show.
    var namedInVain: String? {
      for (number, node) in nodes.sorted(by: { $0.key < $1.key }) {
        for kind in SharedTerm.Kind.allCases {
          for content in (0..<30).map({ "doc/\($0)" }) {
            let hits = node.feed.look(for: content, kind)
            let expected = Set(
              sessions.filter { $0.content == content && $0.kind == kind }
                .compactMap { owners[$0.slice] }
            ).subtracting([number]).sorted()
            if hits.nodes != expected || hits.isMoving {
              return "node \(number), \(content): \(hits), not \(expected)"
            }
          }
        }
      }
      return nil
    }
  }
#endif
