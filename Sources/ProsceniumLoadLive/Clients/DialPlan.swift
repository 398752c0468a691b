// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  /// Which host a client dials next, as a page does behind a proxy: the one that it was told, and
  /// after a line that was lost any, of which it takes one after the other.
  struct DialPlan: Sendable {
    /// The place of the host in the list of all.
    private(set) var host: Int
    /// How many attempts were in vain since the client had a line, or was told where to go on.
    private(set) var failures = 0
    /// Whether it was told to dial the host, and has not yet.
    private var isTold = false
    /// Whether any host will do.
    private var isAtHome = true
    /// The host that it was told and that was lost last.
    private var lost: Int?

    init(host: Int) {
      self.host = host
    }

    /// The client has a line.
    mutating func succeed() {
      failures = 0
      lost = nil
      isAtHome = false
    }

    /// The client was told that another host serves its session.
    mutating func follow(to host: Int) {
      // One that is not reached is a failure each time.
      if host != lost { failures = 0 }
      self.host = host
      isTold = true
      isAtHome = false
    }

    /// A line was lost, or an attempt was in vain.
    ///
    /// - Parameter count: How many hosts there are.
    mutating func fail(of count: Int) {
      failures += 1
      defer { isTold = false }
      if isTold { return }
      if !isAtHome { lost = host }
      isAtHome = true
      host = (host + 1) % count
    }
  }
#endif
