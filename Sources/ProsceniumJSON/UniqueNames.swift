// SPDX-License-Identifier: Apache-2.0

/// Names that may each occur once, compared byte by byte.
package struct UniqueNames {
  private var names: Set<[UInt8]> = []

  package init() {}

  /// Notes a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - node: Its place.
  /// - Throws: `duplicate` if it was there before.
  package mutating func insert(_ name: String, _ node: JSONNode) throws(FileError) {
    guard names.insert(Array(name.utf8)).inserted else {
      throw node.failure(
        .duplicate, "a name that was not there before",
        found: "\(JSONValue.excerpt(name)) again")
    }
  }
}
