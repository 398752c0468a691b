// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoadNodes

  extension ChildProcess {
    /// Waits until a server can be connected to.
    ///
    /// - Returns: Its port on 127.0.0.1.
    /// - Throws: ``ChildFailure`` if it ends before.
    func port() async throws -> Int {
      let text = try await line(with: LoadHost.ready)
      guard let port = Int(text) else {
        throw LiveFailure(message: "expected a port, found '\(text)'")
      }
      return port
    }
  }
#endif
