// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What a sign of life is answered with.
  package struct ClusterBeat: Sendable, Equatable {
    /// It grows with each change of an owner, and is another one after each change that was undone.
    package var map: Int64
    /// The node's fence.
    package var fence: Int32

    package init(map: Int64, fence: Int32) {
      self.map = map
      self.fence = fence
    }
  }

  /// A node of the cluster that is not dead.
  public struct ClusterMember: Sendable, Equatable {
    /// Its number, which is never given again.
    public var number: Int32
    /// What it is called where people see it.
    public var name: String
    /// Where its clients find it.
    public var address: String
    /// Where the other nodes reach it.
    package var link: LinkIdentity
    /// The build of its program.
    public var build: Int32
    /// Its counter, which grows with each sign of life.
    public var beat: Int64
    /// How many slices it owns.
    public var slices: Int
    /// Whether it gives its slices away, and is given none.
    public var isDraining: Bool

    package init(
      number: Int32, name: String, address: String, link: LinkIdentity = .init(), build: Int32,
      beat: Int64, slices: Int, isDraining: Bool = false
    ) {
      self.number = number
      self.name = name
      self.address = address
      self.link = link
      self.build = build
      self.beat = beat
      self.slices = slices
      self.isDraining = isDraining
    }
  }

  /// Who owns what, and a node's fence, as of one moment.
  package struct ClusterMap: Sendable, Equatable {
    /// One slice.
    package struct Slice: Sendable, Equatable {
      /// The number of its owner, if it has one.
      package var owner: Int32?
      /// It grows with each change of the owner.
      package var epoch: UInt32
      /// How many of its owners died in a short time.
      package var deaths: Int
      /// Whether the owner before has given it away, and has not ended.
      package var isHandedOver: Bool
      /// Another one with each change of the owner: a database that goes back can give an epoch
      /// again, and no mark.
      package var mark: Int64

      package init(
        owner: Int32? = nil, epoch: UInt32 = 0, deaths: Int = 0, isHandedOver: Bool = false,
        mark: Int64 = 0
      ) {
        self.owner = owner
        self.epoch = epoch
        self.deaths = deaths
        self.isHandedOver = isHandedOver
        self.mark = mark
      }
    }

    /// It grows with each change of an owner, and is another one after each change that was undone.
    package var number: Int64
    package var fence: Int32
    package var slices: [Slice]

    package init(number: Int64, fence: Int32, slices: [Slice]) {
      self.number = number
      self.fence = fence
      self.slices = slices
    }
  }
#endif
