// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// Why a node does not take an item that another one has sent to it.
  package enum LinkRefusal: UInt8, Sendable, CaseIterable {
    /// It does not serve the slice now: the sender keeps the item, and sends it again.
    case notServed = 1
    /// An item of the slice before was refused, and this one must not overtake it.
    case outOfTurn
    /// The session is not open. The item is lost.
    case notOpen
    /// The slice is parked. The item is lost.
    case parked

    /// Whether the sender is to send the item again.
    package var isForNow: Bool { self == .notServed || self == .outOfTurn }
  }

  /// What a node tells another one about the items that it has received from it.
  ///
  /// Whatever is not refused was taken.
  package struct LinkAnswer: Sendable, Equatable {
    /// An item that was not taken.
    package struct Refused: Sendable, Equatable {
      package let number: UInt64
      package let refusal: LinkRefusal

      package init(_ number: UInt64, _ refusal: LinkRefusal) {
        self.number = number
        self.refusal = refusal
      }
    }

    /// The number of the last item that was received.
    package var last: UInt64
    /// What was not taken, in the order of the numbers.
    package var refused: [Refused]

    package init(last: UInt64, refused: [Refused] = []) {
      self.last = last
      self.refused = refused
    }
  }

  /// What another node has sent that no node of this format sends.
  package struct LinkFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
      self.description = description
    }
  }
#endif
