// SPDX-License-Identifier: Apache-2.0

/// What Unicode says about decomposing, composing and case, read once from the tables' sources.
final class UnicodeTables: Sendable {
  static let shared = UnicodeTables()

  /// The smallest scalar that decomposes.
  static let firstDecomposable: UInt32 = 0xC0
  /// The smallest scalar that has a combining class or is composed with its predecessor.
  static let firstMark: UInt32 = 0x300

  /// The classes other than 0.
  let combiningClasses: [UInt32: UInt8]
  /// The first step of each decomposition, for all but Korean syllables.
  let decompositions: [UInt32: [UInt32]]
  /// The full case foldings of the scalars that do not decompose.
  let caseFoldings: [UInt32: [UInt32]]
  /// The composites by their ``pair(_:_:)``, for all but Korean syllables.
  let compositions: [UInt64: UInt32]

  private init() {
    let composites = Self.table(Self.compositeSource)
    combiningClasses = Self.table(Self.combiningClassSource).mapValues { UInt8($0[0]) }
    decompositions = Self.table(Self.decompositionSource).merging(composites) { $1 }
    caseFoldings = Self.table(Self.caseFoldingSource)
    compositions = Dictionary(
      uniqueKeysWithValues: composites.map { (Self.pair($0.value[0], $0.value[1]), $0.key) })
  }

  static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
    UInt64(first) << 32 | UInt64(second)
  }

  /// Reads a table's source, whose head describes the form.
  private static func table(_ source: String) -> [UInt32: [UInt32]] {
    var table: [UInt32: [UInt32]] = [:]
    var scalar: UInt32 = 0
    for word in source.split(whereSeparator: \.isWhitespace) {
      if word.last == ":" {
        scalar = number(word.dropLast())
        continue
      }
      if word == "-" {
        scalar += 1
        continue
      }
      let run = word.split { "*>/".contains($0) }
      let values = run[0].split(separator: "+").map(number)
      let count = run.count == 1 ? 1 : number(run[1])
      let step: UInt32 = word.contains("/") ? 2 : 1
      let rise = word.contains("*") ? 0 : step
      for index in 0..<count {
        table[scalar + index * step] = index == 0 ? values : [values[0] + index * rise]
      }
      scalar += (count - 1) * step + 1
    }
    return table
  }

  private static func number(_ digits: Substring) -> UInt32 {
    UInt32(digits, radix: 16) ?? 0
  }
}
