// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// A term of an index as other processes know it: how it is looked for in an identifier, and 40
/// bits of a hash.
///
/// The hashes are the same in all processes. Two terms that share one cost a look for nothing.
package struct SharedTerm: Sendable, Hashable {
  /// What the sessions that are found by a term do with the content.
  package enum Kind: UInt8, Sendable, CaseIterable {
    case prefers, can
  }

  /// How a term is looked for: terms of one shape differ in their hashes alone.
  ///
  /// In ascending order come those of one kind, of one set of options, of one position.
  package struct Shape: Sendable, Hashable, Comparable {
    /// From the top: the kind, the options, the position, and 16 bits with the length.
    package let rawValue: UInt32

    /// The position of what no term finds: any identifier will do.
    static let unbounded: UInt32 = 4

    /// Reads a shape that another process has sent; nil for what none has.
    package init?(rawValue: UInt32) {
      guard rawValue >> 22 == 0, rawValue >> 16 & 7 <= Self.unbounded else { return nil }
      self.rawValue = rawValue
    }

    /// Creates a shape; nil for a text that is longer than any identifier.
    init?(
      _ kind: Kind, _ options: ContentPredicate.Options, _ position: RoutingTerm.Position,
      length: Int
    ) {
      guard let length = UInt16(exactly: length) else { return nil }
      rawValue =
        UInt32(kind.rawValue) << 21 | UInt32(options.rawValue & 3) << 19
        | UInt32(position.rawValue) << 16 | UInt32(length)
    }

    /// The shape of what any identifier may be for.
    package init(unbounded kind: Kind) {
      rawValue = UInt32(kind.rawValue) << 21 | Self.unbounded << 16
    }

    package var kind: Kind { rawValue >> 21 & 1 == 0 ? .prefers : .can }
    package var isUnbounded: Bool { rawValue >> 16 & 7 == Self.unbounded }
    var options: ContentPredicate.Options {
      ContentPredicate.Options(rawValue: UInt8(rawValue >> 19 & 3))
    }
    var position: RoutingTerm.Position? {
      RoutingTerm.Position(rawValue: UInt8(rawValue >> 16 & 7))
    }
    /// How many bytes are hashed: of a whole identifier, all of them.
    var length: Int { Int(rawValue & 0xFFFF) }
    /// What tells the hashes of different kinds of terms apart.
    fileprivate var salt: UInt32 { rawValue >> 16 }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package let shape: Shape
  /// 40 bits; those of an ``Shape/isUnbounded`` one are 0.
  package let hash: UInt64

  /// What any identifier may be for.
  init(unbounded kind: Kind) {
    shape = Shape(unbounded: kind)
    hash = 0
  }

  /// The term of a text; nil for one that is longer than any identifier.
  init?(_ kind: Kind, _ key: RoutingTerm, _ trace: TermTrace) {
    switch trace {
    case .text:
      let isWhole = key.position == .whole
      guard
        let shape = Shape(
          kind, key.options, key.position, length: isWhole ? 0 : key.text.count)
      else { return nil }
      var hash = Self.hash(shape)
      self.hash = hash.value(of: key.text.count, in: key.text.span) >> 24
      self.shape = shape
    case .gram(let gram, let size):
      guard let shape = Shape(kind, key.options, .anywhere, length: size) else { return nil }
      hash = Self.hash(shape).value(ofGram: gram, size) >> 24
      self.shape = shape
    }
  }

  private static func hash(_ shape: Shape) -> RunningHash {
    RunningHash(shared: shape.salt, isBackwards: shape.position == .ending)
  }

  /// Calls a function with the hash of each term of some shapes that may match an identifier.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - shapes: The shapes in ascending order, without unbounded ones.
  ///   - body: Is given the hash of each term that would match, or whose gram would.
  package static func look(
    for identifier: String, _ shapes: [Shape], _ body: (UInt64) -> Void
  ) {
    var folded = FoldedSubject()
    let subject = identifier.utf8.span
    var start = 0
    while start < shapes.count {
      let first = shapes[start]
      var end = start + 1
      while end < shapes.count, shapes[end].salt == first.salt { end += 1 }
      if first.options.isEmpty {
        look(in: subject, shapes[start..<end], body)
      } else {
        look(in: folded.bytes(first.options, of: subject).span, shapes[start..<end], body)
      }
      start = end
    }
  }

  /// Looks for shapes that differ in their lengths alone.
  private static func look(
    in text: Span<UInt8>, _ shapes: ArraySlice<Shape>, _ body: (UInt64) -> Void
  ) {
    guard let first = shapes.first else { return }
    var hash = hash(first)
    switch first.position {
    case .whole: body(hash.value(of: text.count, in: text) >> 24)
    case .beginning, .ending:
      for shape in shapes {
        if shape.length > text.count { return }
        body(hash.value(of: shape.length, in: text) >> 24)
      }
    case .anywhere:
      for shape in shapes where (1...8).contains(shape.length) {
        let mask = UInt64.max >> UInt64(64 - shape.length * 8)
        var gram: UInt64 = 0
        for end in 0..<text.count {
          gram = (gram << 8 | UInt64(text[end])) & mask
          if end >= shape.length - 1 { body(hash.value(ofGram: gram, shape.length) >> 24) }
        }
      }
    case nil: break
    }
  }
}

/// What has become of a term.
package enum TermChange: Sendable {
  /// The first session is found by it.
  case entered
  /// None is any more.
  case left
  /// The last one that was found by it goes to another process.
  case departed
}

/// Is told what becomes of the terms of an index.
package typealias TermObserver = @Sendable (SharedTerm, TermChange) -> Void

/// By what a new term is found.
enum TermTrace: Sendable {
  /// By its text.
  case text
  /// By a part of its text, of some bytes.
  case gram(UInt64, size: Int)
}
