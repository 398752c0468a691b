// SPDX-License-Identifier: Apache-2.0

/// Brings entries that were written in any order into the order of their bytes.
///
/// The entries of a dictionary are first written as the dictionary gives them, noted here, then
/// moved; so nothing is looked up twice, and sets and dictionaries are sorted alike. Entries within
/// an entry are noted above it, and are gone when the outer ones are sorted.
struct EntrySorter: ~Copyable {
  private struct Entry {
    /// The first eight bytes, which decide nearly always.
    let word: UInt64
    let offset: UInt32
    let length: UInt32
  }

  /// How many entries there is room for between two states.
  private static let keptCapacity = 1_024

  private var entries: [Entry] = []
  private var sorted = EncodingBuffer()

  /// Forgets all entries, and gives back what a giant state took.
  mutating func clear() {
    sorted.clear()
    if entries.capacity > Self.keptCapacity {
      entries = []
    } else {
      entries.removeAll(keepingCapacity: true)
    }
  }

  /// Begins the entries of a dictionary or set, and returns what ``sort(_:from:)`` needs.
  @inline(__always)
  func begin() -> Int { entries.count }

  /// Notes the entry that begins at an offset and ends where the buffer does.
  @inline(__always)
  mutating func add(_ buffer: borrowing EncodingBuffer, from offset: Int) {
    let length = buffer.count - offset
    entries.append(
      Entry(
        word: buffer.word(at: offset, byteCount: length), offset: UInt32(offset),
        length: UInt32(length)))
  }

  /// Sorts the entries since a mark, which are the buffer's end.
  mutating func sort(
    _ buffer: inout EncodingBuffer, from mark: Int
  ) throws(SavedStateLimits.Excess) {
    let count = entries.count - mark
    defer { entries.removeLast(count) }
    guard count > 1 else { return }
    let start = Int(entries[mark].offset)
    let isMoved = unsafe entries.withUnsafeMutableBufferPointer { all in
      // Safe: the mark is a count that the list had before.
      var entries = unsafe UnsafeMutableBufferPointer(rebasing: all[mark...])
      return unsafe Self.sort(&entries, buffer)
    }
    guard isMoved else { return }
    sorted.empty()
    for entry in entries[mark...] {
      try sorted.append(buffer, from: Int(entry.offset), byteCount: Int(entry.length))
    }
    buffer.replace(from: start, with: sorted)
  }

  /// Sorts entries by insertion as long as they are few; returns whether any had to be moved.
  private static func sort(
    _ entries: inout UnsafeMutableBufferPointer<Entry>, _ buffer: borrowing EncodingBuffer
  ) -> Bool {
    var isMoved = false
    for index in 1..<entries.count {
      let entry = unsafe entries[index]
      guard unsafe precedes(entry, entries[index - 1], buffer) else { continue }
      if entries.count > 32 {
        unsafe entries.sort { precedes($0, $1, buffer) }
        return true
      }
      isMoved = true
      var place = index
      repeat {
        unsafe entries[place] = entries[place - 1]
        place -= 1
      } while unsafe place > 0 && precedes(entry, entries[place - 1], buffer)
      unsafe entries[place] = entry
    }
    return isMoved
  }

  /// Tells whether an entry comes before a different one: none begins with the whole of another.
  @inline(__always)
  private static func precedes(
    _ left: Entry, _ right: Entry, _ buffer: borrowing EncodingBuffer
  ) -> Bool {
    left.word != right.word ? left.word < right.word : precedesBehindWord(left, right, buffer)
  }

  private static func precedesBehindWord(
    _ left: Entry, _ right: Entry, _ buffer: borrowing EncodingBuffer
  ) -> Bool {
    let lengths = (Int(left.length), Int(right.length))
    var offset = 8
    while offset < min(lengths.0, lengths.1) {
      let leftWord = buffer.word(
        at: Int(left.offset) + offset, byteCount: lengths.0 - offset)
      let rightWord = buffer.word(
        at: Int(right.offset) + offset, byteCount: lengths.1 - offset)
      if leftWord != rightWord { return leftWord < rightWord }
      offset += 8
    }
    return lengths.0 < lengths.1
  }
}
