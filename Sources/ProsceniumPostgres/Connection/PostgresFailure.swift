// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// Why a call did not give an answer.
  struct PostgresFailure: Error {
    enum Kind {
      /// Whether the call took effect is not known, unless the connection was never made.
      case connectionLost
      /// The server has taken the call back as a whole.
      case refused
    }

    let kind: Kind
    /// PostgreSQL's code of five characters; empty if the server has given none.
    let state: String
    /// What libpq or the server says, in one line.
    let message: String

    init(_ kind: Kind, state: String = "", _ message: String) {
      // A server that ends a connection, or cannot be written to, is of no use on this connection.
      let ends = ["57P01", "57P02", "57P03", "57P05", "25006", "40P01"]
      self.kind = state.hasPrefix("08") || ends.contains(state) ? .connectionLost : kind
      self.state = state
      self.message = message
    }

    /// Whether something of what was sent cannot be written, whatever the state of the server is.
    var concernsContent: Bool {
      kind == .refused
        && ["22", "23", "54", "XX"].contains(where: state.hasPrefix)
    }

    /// The error as the user of a store is told it.
    ///
    /// - Parameter place: The server and its database.
    /// - Returns: The error.
    func error(at place: String) -> StoreError {
      StoreError(code, "\(place): \(message)\(state.isEmpty ? "" : " (SQLSTATE \(state))")")
    }

    private var code: StoreError.Code {
      switch state {
      case "53100": .full
      case "28P01", "28000", "3D000", "42501", "42704", "42883", "3F000", "42P01": .unusable
      case let state where state.hasPrefix("XX"): .damaged
      case let state where state.hasPrefix("54"): .limitExceeded
      default: .failed
      }
    }
  }
#endif
