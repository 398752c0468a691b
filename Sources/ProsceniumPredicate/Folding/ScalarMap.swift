// SPDX-License-Identifier: Apache-2.0

/// A map from scalars to short lists of numbers, looked up by two indices instead of a search.
struct ScalarMap: Sendable {
  typealias Entry = (scalar: UInt32, values: [UInt32])

  /// The number of each block of 256 scalars, up to the last that is not empty; 0 is an empty one.
  private var blocks: [UInt16] = []
  /// The number of each scalar's list, block by block; 0 is an empty one.
  private var lists = [UInt16](repeating: 0, count: 256)
  /// Where each list begins in the values; it ends where the next one begins.
  private var starts = [0, 0]
  private var values: [UInt32] = []

  init(_ entries: [Entry]) {
    for entry in entries {
      let block = Int(entry.scalar >> 8)
      while blocks.count <= block { blocks.append(0) }
      if blocks[block] == 0 {
        blocks[block] = UInt16(lists.count / 256)
        lists += [UInt16](repeating: 0, count: 256)
      }
      lists[Int(blocks[block]) << 8 | Int(entry.scalar & 0xFF)] = UInt16(starts.count - 1)
      values += entry.values
      starts.append(values.count)
    }
  }

  /// The values of a scalar, none if the map does not have it.
  subscript(scalar: UInt32) -> ArraySlice<UInt32> {
    let block = Int(scalar >> 8)
    let list = block < blocks.count ? Int(lists[Int(blocks[block]) << 8 | Int(scalar & 0xFF)]) : 0
    return values[starts[list]..<starts[list + 1]]
  }

  /// Reads a table's source, whose head describes the form.
  static func entries(of source: String) -> [Entry] {
    var entries: [Entry] = []
    var scalar: UInt32 = 0
    var values: [UInt32] = []
    var number: UInt32?
    for byte in (source + "\n").utf8 {
      if let digit = hexadecimalDigit(byte) {
        number = (number ?? 0) << 4 | digit
        continue
      }
      switch byte {
      case UInt8(ascii: ":"): scalar = number ?? 0
      case UInt8(ascii: "-"): scalar += 1
      default:
        if let number { values.append(number) }
        if byte != UInt8(ascii: "+"), !values.isEmpty {
          entries.append((scalar, values))
          values = []
          scalar += 1
        }
      }
      number = nil
    }
    return entries
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
