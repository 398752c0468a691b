// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLive

  /// The tokens of the clients, signed by the key of the host.
  struct LoadTokens: Sendable {
    private let tokens: LiveTokens

    /// Reads the key, or makes it.
    init(_ folder: String) throws {
      tokens = try LiveTokens(.file(folder + "/key"))
    }

    /// The cookie of a client, which is a user of its own.
    func cookie(_ client: Int) -> String {
      "proscenium=\(tokens.make(owner: "client-\(client)", lifetime: .seconds(86_400)))"
    }
  }
#endif
