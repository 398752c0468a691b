// SPDX-License-Identifier: Apache-2.0

/// Where one predicate of a session is entered in the index.
struct Membership: Sendable, Equatable {
  /// What the session is a member of.
  enum Home: Equatable {
    /// Nothing: the predicate never holds.
    case nowhere
    /// The sessions for which every identifier will do.
    case everything
    /// A term that decides alone.
    case term(Address<TermNode>)
    /// A predicate with several terms, or with one that is only a hint.
    case predicate(UInt)
  }

  static let none = Membership(word: 0, place: 0)

  private enum Tag {
    static let mask: UInt = 3
    static let term: UInt = 1
    static let predicate: UInt = 2
    static let everything: UInt = 3
  }

  /// The address, with what it is the address of in its low bits.
  let word: UInt
  /// The place among the members there.
  let place: UInt32

  init(word: UInt, place: UInt32) {
    self.word = word
    self.place = place
  }

  static func everything(_ place: UInt32) -> Membership {
    Membership(word: Tag.everything, place: place)
  }

  static func term(_ term: Address<TermNode>, _ place: UInt32) -> Membership {
    Membership(word: term.bits | Tag.term, place: place)
  }

  static func predicate(_ predicate: SharedPredicate, _ place: UInt32) -> Membership {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(predicate).toOpaque())
    return Membership(word: address | Tag.predicate, place: place)
  }

  var home: Home {
    let bits = word & ~Tag.mask
    switch word & Tag.mask {
    case Tag.term: return .term(Address(bits: bits))
    case Tag.predicate: return .predicate(bits)
    case Tag.everything: return .everything
    default: return .nowhere
    }
  }

  /// The predicate that a membership names; it lives while it has a member.
  static func predicate(at address: UInt) -> SharedPredicate {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
      .takeUnretainedValue()
  }
}
