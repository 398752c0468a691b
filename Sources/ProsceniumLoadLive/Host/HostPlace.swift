// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  /// A host, as clients know it.
  struct HostPlace: Sendable, Equatable {
    let name: String
    /// Its port on 127.0.0.1.
    var port: Int

    /// The path by which a host sends pages to a line of another one.
    static func line(of name: String) -> String { "/\(name)/line" }

    /// The name in such a path; nil if it is another one.
    static func name(in path: some StringProtocol) -> String? {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isEmpty, parts[2] == "line" else { return nil }
      return String(parts[1])
    }
  }
#endif
