// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// Decides which node gives slices to which, so that each has its share.
  ///
  /// All nodes decide the same of one map, and only an owner gives its slices away: no node has to
  /// ask another one. While nodes of several builds live, none gives anything, and what a node
  /// leaves goes to the newest build first: in a rolling deploy each slice moves once. A node that
  /// drains has no share, and gives everything away whatever the builds are.
  package struct SliceBalance: Sendable {
    /// Slices that a node gives to another one.
    package struct Move: Sendable, Equatable {
      package let receiver: Int32
      package let count: Int

      package init(receiver: Int32, count: Int) {
        self.receiver = receiver
        self.count = count
      }
    }

    /// How many slices are on their way from a node at a time.
    package static let limit = 8

    private struct Standing {
      let node: Int32
      let share: Int
      /// How many slices it has above its share; less than nothing below.
      let excess: Int
    }

    private let shares: [Int32: Int]
    /// The nodes that have too much, those first that have most.
    private let donors: [Standing]
    /// The nodes that have too little, those first that have least.
    private let receivers: [Standing]

    /// - Parameters:
    ///   - owned: How many slices each node owns, by its number.
    ///   - builds: The build of each node that lives, by its number.
    ///   - draining: The nodes that give everything away, unless there is no other one.
    ///   - count: How many slices there are.
    package init(
      _ owned: [Int32: Int], builds: [Int32: Int32], draining: Set<Int32> = [], of count: Int
    ) {
      let keeping = builds.filter { !draining.contains($0.key) }
      // With no other one, none of them gives anything.
      let keepsAll = keeping.isEmpty || Set(keeping.values).count > 1
      shares = Self.shares(of: count, keeping.isEmpty ? builds : keeping).merging(
        keeping.isEmpty ? [:] : builds.filter { draining.contains($0.key) }.mapValues { _ in 0 }
      ) { share, _ in share }
      let all = shares.map { node, share in
        Standing(node: node, share: share, excess: owned[node, default: 0] - share)
      }
      donors = all.filter {
        draining.contains($0.node) && !keeping.isEmpty
          ? $0.excess > 0 : !keepsAll && $0.excess > Self.tolerance(of: $0.share)
      }.sorted { ($1.excess, $0.node) < ($0.excess, $1.node) }
      let poor = all.filter { $0.excess < 0 }
      let newest = poor.lazy.compactMap { builds[$0.node] }.max()
      receivers = poor.filter { builds[$0.node] == newest }
        .sorted { ($0.excess, $0.node) < ($1.excess, $1.node) }
    }

    /// How much more than its share a node may have without giving something away.
    private static func tolerance(of share: Int) -> Int { max(2, share / 20) }

    /// How many slices each node is to have.
    private static func shares(of count: Int, _ builds: [Int32: Int32]) -> [Int32: Int] {
      let newest = builds.values.max()
      let new = builds.keys.filter { builds[$0] == newest }.sorted()
      let old = builds.keys.filter { builds[$0] != newest }.sorted()
      if new.isEmpty { return [:] }
      let share = (count + builds.count - 1) / builds.count
      let ofNew = old.isEmpty ? count : min(count, share * new.count)
      return deal(ofNew, to: new).merging(deal(count - ofNew, to: old)) { first, _ in first }
    }

    private static func deal(_ count: Int, to nodes: [Int32]) -> [Int32: Int] {
      Dictionary(
        uniqueKeysWithValues: nodes.enumerated().map { seat, node in
          (node, count / nodes.count + (seat < count % nodes.count ? 1 : 0))
        })
    }

    /// How many slices a node is to have.
    package func share(of node: Int32) -> Int { shares[node] ?? 0 }

    /// What a node gives away next.
    ///
    /// - Parameter node: The node.
    /// - Returns: To which node, and how many slices, at most ``limit``; `nil` if it gives nothing.
    package func move(of node: Int32) -> Move? {
      guard !receivers.isEmpty, let place = donors.firstIndex(where: { $0.node == node })
      else { return nil }
      let receiver = receivers[place % receivers.count]
      // Several donors of one receiver share its room, so that it has never more than its share.
      let (seat, rest) = (place / receivers.count, place % receivers.count)
      let seats = (donors.count - rest + receivers.count - 1) / receivers.count
      let room = -receiver.excess
      let count = min(
        Self.limit, donors[place].excess, room / seats + (seat < room % seats ? 1 : 0))
      return count > 0 ? Move(receiver: receiver.node, count: count) : nil
    }
  }
#endif
