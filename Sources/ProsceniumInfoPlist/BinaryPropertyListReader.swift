// SPDX-License-Identifier: Apache-2.0

/// Reads a property list in binary form (`bplist00`).
///
/// Such a file is a table of objects that refer to one another by number. It can refer in circles,
/// or to the same object many times over; so the depth of what is read has a limit, and so has its
/// sum.
struct BinaryPropertyListReader {
  /// What may be read: each value counts 16, and each byte of a text one.
  private static let effortLimit = 16 << 20

  private static let trailerSize = 32

  private let file: PropertyListFile
  private let bytes: [UInt8]
  private let objectCount: Int
  private let topObject: Int
  private let tableStart: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private var effort = 0

  /// Reads the trailer, which says where everything is.
  ///
  /// - Throws: `damaged` if the trailer and the file's size do not fit each other.
  init(_ file: PropertyListFile) throws(ManifestError) {
    let bytes = file.bytes
    let trailer = bytes.count - Self.trailerSize
    guard trailer > Self.headerSize else {
      throw file.failure(
        .damaged, "a header, objects and a trailer of \(Self.trailerSize) bytes",
        found: "\(bytes.count) bytes")
    }
    let number = { (offset: Int) in
      Int(exactly: Self.integer(bytes, at: trailer + offset, size: 8)) ?? Int.max
    }
    let sizes = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let (count, top, table) = (number(8), number(16), number(24))
    let (tableSize, overflows) = count.multipliedReportingOverflow(by: sizes.0)
    guard 1...8 ~= sizes.0, 1...8 ~= sizes.1, top < count, Self.headerSize < table,
      table < trailer, !overflows, trailer - table == tableSize
    else {
      throw file.failure(
        .damaged, at: trailer, "a trailer that fits the file",
        found: "one that does not, as at the end of a file that was cut off")
    }
    self.file = file
    self.bytes = bytes
    objectCount = count
    topObject = top
    tableStart = table
    (offsetSize, referenceSize) = sizes
  }

  private static var headerSize: Int { 8 }

  /// Reads the top object, and with it the whole file.
  ///
  /// - Throws: `damaged` or `limitExceeded`.
  mutating func root() throws(ManifestError) -> PropertyListNode {
    try object(topObject, depth: 0, from: bytes.count - Self.trailerSize)
  }

  // MARK: - Objects

  /// Reads the object with a number, which is in the file at the offset `from`.
  private mutating func object(
    _ number: Int, depth: Int, from reference: Int
  ) throws(ManifestError) -> PropertyListNode {
    guard number < objectCount else {
      throw failure(at: reference, "the number of one of \(objectCount) objects", "\(number)")
    }
    let offset = integer(at: tableStart + number * offsetSize, size: offsetSize)
    guard Self.headerSize..<tableStart ~= offset else {
      throw failure(
        at: tableStart + number * offsetSize,
        "an offset from \(Self.headerSize) to \(tableStart - 1)", "\(offset)")
    }
    try spend(16, at: offset)
    let value: PropertyListNode.Value
    switch bytes[offset] {
    case 0xA0...0xAF: value = .array(try objects(at: offset, in: 1, depth: depth + 1)[0])
    case 0xD0...0xDF: value = .dictionary(try entries(at: offset, depth: depth + 1))
    default: value = try leaf(at: offset)
    }
    return PropertyListNode(value: value, offset: offset)
  }

  /// Reads an object that has no others; apart, so that nested ones take little of the stack.
  private mutating func leaf(at offset: Int) throws(ManifestError) -> PropertyListNode.Value {
    let low = Int(bytes[offset] & 0x0F)
    switch bytes[offset] {
    case 0x00: return .other(type: "null")
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x14: return try other("an integer", at: offset, size: 1 << low)
    case 0x22, 0x23: return try other("a real", at: offset, size: 1 << low)
    case 0x33: return try other("a date", at: offset, size: 8)
    case 0x40...0x4F:
      _ = try content(at: offset, unit: 1)
      return .other(type: "data")
    case 0x50...0x5F: return .string(try ascii(at: offset))
    case 0x60...0x6F: return .string(try utf16(at: offset))
    case 0x80...0x8F: return try other("an identifier of an archive", at: offset, size: low + 1)
    case 0xB0...0xCF:
      _ = try content(at: offset, unit: referenceSize)
      return .other(type: "a set")
    default:
      throw failure(
        at: offset, "the marker of a type", "0x" + String(bytes[offset], radix: 16, uppercase: true)
      )
    }
  }

  private func other(
    _ type: String, at offset: Int, size: Int
  ) throws(ManifestError) -> PropertyListNode.Value {
    try check(size, of: 1, after: offset + 1)
    return .other(type: type)
  }

  private mutating func entries(
    at offset: Int, depth: Int
  ) throws(ManifestError) -> [(key: String, node: PropertyListNode)] {
    let lists = try objects(at: offset, in: 2, depth: depth)
    var entries: [(key: String, node: PropertyListNode)] = []
    for (key, node) in zip(lists[0], lists[1]) {
      guard case .string(let text) = key.value else {
        throw failure(at: key.offset, "a string, as it is a key", key.summary)
      }
      entries.append((text, node))
    }
    return entries
  }

  /// Reads the objects of an array, or the keys and the values of a dictionary.
  private mutating func objects(
    at offset: Int, in listCount: Int, depth: Int
  ) throws(ManifestError) -> [[PropertyListNode]] {
    guard depth <= PropertyListNode.depthLimit else {
      throw file.failure(
        .limitExceeded, at: offset,
        "at most \(PropertyListNode.depthLimit) arrays and dictionaries within one another",
        found: "one more, or a circle of them")
    }
    let range = try content(at: offset, unit: listCount * referenceSize)
    let count = range.count / (listCount * referenceSize)
    var lists: [[PropertyListNode]] = []
    for list in 0..<listCount {
      var nodes: [PropertyListNode] = []
      for index in 0..<count {
        let place = range.lowerBound + (list * count + index) * referenceSize
        let number = integer(at: place, size: referenceSize)
        nodes.append(try object(number, depth: depth, from: place))
      }
      lists.append(nodes)
    }
    return lists
  }

  // MARK: - Texts

  private mutating func ascii(at offset: Int) throws(ManifestError) -> String {
    let range = try content(at: offset, unit: 1)
    try spend(range.count, at: offset)
    guard bytes[range].allSatisfy({ $0 < 0x80 }) else {
      throw failure(at: offset, "ASCII", "a text in another encoding")
    }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func utf16(at offset: Int) throws(ManifestError) -> String {
    let range = try content(at: offset, unit: 2)
    try spend(range.count, at: offset)
    let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { index in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw failure(at: offset, "UTF-16", "half a surrogate pair")
    }
    return text
  }

  // MARK: - Sizes

  /// The bytes of an object whose marker has the number of its units, or says that an integer has.
  private func content(at offset: Int, unit: Int) throws(ManifestError) -> Range<Int> {
    var count = Int(bytes[offset] & 0x0F)
    var start = offset + 1
    if count == 0x0F {
      try check(1, of: 1, after: start)
      guard 0x10...0x13 ~= bytes[start] else {
        throw failure(at: start, "an integer: the number of what follows", "another type")
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      try check(size, of: 1, after: start + 1)
      count = integer(at: start + 1, size: size)
      start += 1 + size
    }
    try check(count, of: unit, after: start)
    return start..<start + count * unit
  }

  /// Checks that so many units fit between an offset and the table.
  private func check(_ count: Int, of unit: Int, after start: Int) throws(ManifestError) {
    guard start <= tableStart, count <= (tableStart - start) / unit else {
      throw failure(
        at: min(start, tableStart), "\(count) × \(unit) bytes of an object",
        "the objects' end after \(max(tableStart - start, 0))")
    }
  }

  private func integer(at offset: Int, size: Int) -> Int {
    Int(exactly: Self.integer(bytes, at: offset, size: size)) ?? Int.max
  }

  private static func integer(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  private mutating func spend(_ amount: Int, at offset: Int) throws(ManifestError) {
    effort += amount
    guard effort <= Self.effortLimit else {
      throw file.failure(
        .limitExceeded, at: offset, "at most \(Self.effortLimit >> 20) MiB of values",
        found: "more, since objects are in several places")
    }
  }

  private func failure(at offset: Int, _ expected: String, _ found: String) -> ManifestError {
    file.failure(.damaged, at: offset, expected, found: found)
  }
}
