// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  /// Which host a client dials next, as a page does behind a proxy: the one that it was told, and
  /// after three attempts in vain another one, whichever the proxy takes.
  struct DialPlan: Sendable {
    /// After how many attempts in vain another host is dialled.
    private static let patience = 3

    /// The place of the host in the list of all.
    private(set) var host: Int
    /// How many attempts were in vain since the client had a line.
    private(set) var failures = 0

    init(host: Int) {
      self.host = host
    }

    /// The client has a line.
    mutating func succeed() { failures = 0 }

    /// The client was told that another host serves its session.
    mutating func follow(to host: Int) { self.host = host }

    /// A line was lost, or an attempt was in vain.
    ///
    /// - Parameter count: How many hosts there are.
    mutating func fail(of count: Int) {
      failures += 1
      if failures.isMultiple(of: Self.patience) { host = (host + 1) % count }
    }
  }
#endif
