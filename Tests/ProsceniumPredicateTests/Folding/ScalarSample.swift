// SPDX-License-Identifier: Apache-2.0

/// Scalars and texts to try the folding with.
enum ScalarSample {
  /// The scalars of Unicode 17, which the tables are made of, in blocks of some hundred.
  static let blocks = blocks(upTo: (major: 17, minor: 0))

  /// The scalars that Foundation knows too, in blocks of some hundred.
  static let foundationBlocks = blocks(upTo: foundation)

  private static let foundation: Unicode.Version = (major: 15, minor: 0)

  private static func blocks(upTo version: Unicode.Version) -> [[Unicode.Scalar]] {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter {
      guard let age = $0.properties.age else { return false }
      return age <= version
    }
    return stride(from: 0, to: scalars.count, by: 500).map {
      Array(scalars[$0..<min($0 + 500, scalars.count)])
    }
  }

  /// Letters, marks of many classes, jamo, composites, exclusions and singletons.
  private static let ingredients: [ClosedRange<UInt32>] = [
    0x41...0x7A, 0xC0...0x17F, 0x300...0x36F, 0x300...0x36F, 0x370...0x3FF, 0x591...0x5F4,
    0x915...0x95F, 0xF40...0xFBC, 0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2,
    0x1DC0...0x1DFF, 0x1E00...0x1FFF, 0x3046...0x30FF, 0xAB70...0xABBF, 0xAC00...0xAC40,
    0xFB1D...0xFB4E, 0x1D157...0x1D182, 0x2F800...0x2F820,
  ]

  /// Random texts of up to ten scalars, the same for the same seed.
  static func texts(count: Int, seed: UInt64) -> [String] {
    var random = Xorshift(state: seed)
    return (0..<count).map { _ in
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...10, using: &random) {
        let range = ingredients[Int.random(in: ingredients.indices, using: &random)]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)),
          let age = scalar.properties.age, age <= foundation
        {
          scalars.append(scalar)
        }
      }
      return String(scalars)
    }
  }

  private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state &* 0x2545_F491_4F6C_DD1D
    }
  }
}
