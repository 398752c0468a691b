// SPDX-License-Identifier: Apache-2.0

/// What Unicode says about decomposing, composing and case, read once from the tables' sources.
final class UnicodeTables: Sendable {
  static let shared = UnicodeTables()

  /// The smallest scalar that decomposes.
  static let firstDecomposable: UInt32 = 0xC0
  /// The smallest scalar that has a combining class or is composed with its predecessor.
  static let firstMark: UInt32 = 0x300

  /// The classes other than 0.
  let combiningClasses: ScalarMap
  /// The first step of each decomposition, for all but Korean syllables.
  let decompositions: ScalarMap
  /// The full case foldings of the scalars that do not decompose.
  let caseFoldings: ScalarMap
  /// The composites by their ``pair(_:_:)``, for all but Korean syllables.
  let compositions: [UInt64: UInt32]

  private init() {
    let composites = ScalarMap.entries(of: Self.compositeSource)
    combiningClasses = ScalarMap(ScalarMap.entries(of: Self.combiningClassSource))
    decompositions = ScalarMap(composites + ScalarMap.entries(of: Self.decompositionSource))
    caseFoldings = ScalarMap(ScalarMap.entries(of: Self.caseFoldingSource))
    compositions = Dictionary(
      composites.map { (Self.pair($0.values[0], $0.values[1]), $0.scalar) },
      uniquingKeysWith: { first, _ in first })
  }

  static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
    UInt64(first) << 32 | UInt64(second)
  }
}
