// SPDX-License-Identifier: Apache-2.0

extension SavedStateReader {
  /// Reads wakes.
  ///
  /// - Parameter activity: Has to read the fields of a wake's activity up to an offset.
  /// - Returns: The number of the last wake that there was.
  /// - Throws: `damaged`, or what `activity` throws.
  mutating func wakes(
    _ activity: (inout SavedStateReader, Wake.ID, _ time: Int64, _ limit: Int)
      throws(SavedStateError) -> Void
  ) throws(SavedStateError) -> UInt64 {
    let start = offset
    let last = try number()
    guard last > 0 else { throw failure(at: start, "the number of a wake", "0") }
    let place = offset
    let count = try count("wakes", ofSize: 3)
    guard count <= WakeList.limit else {
      throw failure(at: place, "at most \(WakeList.limit) wakes", "\(count)")
    }
    var previous: UInt64 = 0
    for index in 0..<count {
      do throws(SavedStateError) {
        let start = offset
        let id = try number()
        guard id > previous, id <= last else {
          throw failure(at: start, "a number after \(previous), up to \(last)", "\(id)")
        }
        previous = id
        let time = SavedStateForm.halved(try number())
        guard -Wake.timeLimit...Wake.timeLimit ~= time else {
          throw failure(at: start, "a time within 2^53 milliseconds of 1970", "\(time)")
        }
        let limit = try self.count("bytes of an activity", ofSize: 1) + offset
        try activity(&self, Wake.ID(rawValue: id), time, limit)
      } catch {
        throw error.under("[\(index)]")
      }
    }
    return last
  }
}
