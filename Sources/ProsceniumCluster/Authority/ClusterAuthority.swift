// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium
  package import ProsceniumStoring

  /// What decides which node serves which slice, and keeps the sessions of all.
  ///
  /// Each call is one step: it takes effect as a whole or not at all, and one that throws may have
  /// taken effect. What takes slices from a node raises the node's fence in the same step, and a
  /// save takes effect only behind the fence that is in force.
  package protocol ClusterAuthority: Sendable {
    /// Makes what is missing, and looks at what all nodes share.
    func open() async throws(StoreError) -> ClusterFacts

    /// Enters this process as a new node.
    func join(_ description: NodeDescription) async throws(StoreError) -> Int32

    /// Shows that a node lives.
    ///
    /// - Returns: What is in force; `nil` if the node was buried.
    func beat(as node: Int32) async throws(StoreError) -> ClusterBeat?

    /// Waits for a change of owners, and no longer than a time; returns whether there was one.
    func waitForNews(atMost time: Duration) async -> Bool

    /// The nodes that are not dead.
    func members() async throws(StoreError) -> [ClusterMember]

    /// Who owns what, and a node's fence, as of one moment; `nil` if the node was buried.
    func map(for node: Int32) async throws(StoreError) -> ClusterMap?

    /// Takes slices that no node owns.
    func claim(upTo count: Int, as node: Int32) async throws(StoreError)

    /// Declares a node dead if its counter still is what was seen, and deals its slices to others.
    ///
    /// - Parameters:
    ///   - victim: The node.
    ///   - beat: Its counter.
    ///   - heirs: The nodes that are known to live. Another one may have died with the victim, and
    ///     each burial counts a death of its slices.
    /// - Returns: Whether it was.
    /// - Throws: What the database refuses, or that it cannot be reached: then it may be buried.
    func bury(
      _ victim: Int32, seen beat: Int64, heirs: [Int32]
    ) async throws(StoreError) -> Bool

    /// Gives slices of a node to another one that lives, and keeps its own.
    ///
    /// - Returns: Whether they were given: the one must own them all, and the other live.
    func handOver(
      _ slices: [Int], from node: Int32, to receiver: Int32
    ) async throws(StoreError) -> Bool

    /// Lets a node give its slices away for good: it is given none while another one lives that
    /// keeps its own.
    func drain(_ node: Int32) async throws(StoreError)

    /// Forgets the deaths of slices that a node has served for long.
    func calm(_ slices: [Int], as node: Int32) async throws(StoreError)

    /// Lets a node go; its slices have no owner from then on.
    func leave(_ node: Int32) async throws(StoreError)

    /// The rows of the sessions of slices, in any order.
    func rows(of slices: [Int]) async throws(StoreError) -> [SessionRow]

    /// Seals a state, so that it can be saved.
    func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8]

    /// The version of a sealed state, which grows with each of a session; `nil` if it is none.
    func version(of sealed: [UInt8]) -> UInt64?

    /// Writes sessions, each as a whole or not at all.
    ///
    /// - Parameters:
    ///   - drafts: What is written.
    ///   - node: The node.
    ///   - fence: The node's fence as it knows it.
    ///   - lane: Which of two connections: a session always has the same.
    /// - Returns: What came of it.
    /// - Throws: What the database refuses, or that it cannot be reached: then the drafts may have
    ///   been written, and can be offered again.
    func save(
      _ drafts: [SessionDraft], as node: Int32, behind fence: Int32, on lane: Int
    ) async throws(StoreError) -> SaveAnswer

    /// The versions of the states that are kept of sessions, 0 for none; nothing of a session that
    /// is not kept.
    func versions(
      of sessions: [SessionIdentifier], on lane: Int
    ) async throws(StoreError) -> [SessionIdentifier: UInt64]

    /// Reads and opens saved states, as a store does.
    ///
    /// - Parameters:
    ///   - sessions: The sessions.
    ///   - known: States of some of them that were acknowledged. Where the database has an older
    ///     one, it has lost this one, which is opened instead.
    /// - Returns: What a store returns.
    func savedStates(
      of sessions: [SessionIdentifier], known: [SessionIdentifier: AcknowledgedState]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>]

    /// Notes how many milliseconds applications have run on the store.
    func setRunningTime(_ milliseconds: Int64, as node: Int32) async throws(StoreError)

    /// Ends the connections.
    func close() async
  }

  /// What all nodes share.
  package struct ClusterFacts: Sendable {
    /// How many bits of an identifier name its slice.
    package var sliceBits: Int
    /// How many milliseconds applications have run on the store.
    package var runningTime: Int64

    package init(sliceBits: Int, runningTime: Int64) {
      self.sliceBits = sliceBits
      self.runningTime = runningTime
    }
  }

  /// What came of a save.
  package enum SaveAnswer: Sendable {
    /// Everything is durable but these sessions, which cannot be written.
    case saved(refused: [SessionIdentifier: StoreError])
    /// Another fence is in force: nothing of the rest was written.
    case fenceMoved
    /// The connection is a new one, which has raised the fence; nothing was written. What the
    /// database has is to be believed before anything is.
    case newConnection
  }

  /// How a node describes itself.
  package struct NodeDescription: Sendable {
    package var name: String
    package var address: String
    package var link: LinkIdentity
    package var build: Int32

    package init(name: String, address: String, link: LinkIdentity = .init(), build: Int32) {
      self.name = name
      self.address = address
      self.link = link
      self.build = build
    }
  }
#endif
