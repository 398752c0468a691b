// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// What goes from one node to another one.
  package enum LinkItem: Sendable, Equatable {
    /// What is done with a message, and whether the sender waits for it.
    package enum Delivery: Sendable, Equatable {
      /// It is delivered, as by `send(_:to:)`.
      case plain
      /// The sender waits until its effect is durable, as by `sendDurably(_:to:)`.
      case durable(ticket: UInt64)
      /// The sender waits for the scene's reply, as by `call(_:to:within:)`.
      case call(ticket: UInt64)
      /// It is a request, and the sender waits for its outcome.
      case request(ticket: UInt64)

      /// What the sender knows its reply by, if it waits for one.
      var ticket: UInt64? {
        switch self {
        case .plain: nil
        case .durable(let ticket), .call(let ticket), .request(let ticket): ticket
        }
      }
    }

    /// A message for a session.
    case message(SceneMessage, to: SessionIdentifier, Delivery)
    /// What has come of a message whose sender waits: the reply, which is empty for a durable one,
    /// or the error.
    ///
    /// That of a request has up to ``replySizeLimit`` bytes, any other no more than a message.
    case reply(ticket: UInt64, Result<SceneMessage, SceneError>)

    /// How many bytes a reply may have.
    package static let replySizeLimit = 1 << 20

    /// Slices are about to be the receiver's, in the epochs that they will have: the sessions of
    /// these that had scenes until now.
    case handingOver(epochs: [SliceEpoch], [HandedOverSessions.Connected])

    /// What the terms of the sender are since what it has told before.
    case terms(TermDelta)
    /// What the sender asks about content; the receiver replies.
    case question(SceneMessage, ticket: UInt64)
    /// Slices are about to be the receiver's: what the clients of their sessions need.
    case clientLines(epochs: [SliceEpoch], [HandedOverLine])

    /// The session that it is for, or `nil` if it is for the node itself.
    package var session: SessionIdentifier? {
      switch self {
      case .message(_, let session, _): session
      case .reply, .handingOver, .terms, .question, .clientLines: nil
      }
    }

    /// Whether it tells what the receiver is about to be given.
    var isAnnouncement: Bool {
      switch self {
      case .handingOver, .clientLines: true
      case .message, .reply, .terms, .question: false
      }
    }

    /// What its sender knows the reply by, if it waits for one.
    package var ticket: UInt64? {
      switch self {
      case .message(_, _, let delivery): delivery.ticket
      case .question(_, let ticket): ticket
      case .reply, .handingOver, .terms, .clientLines: nil
      }
    }

    /// About how many bytes it has.
    package var size: Int {
      switch self {
      case .message(let message, _, _): 32 + message.count
      case .reply(_, .success(let message)): 32 + message.count
      case .reply(_, .failure(let error)): 64 + error.message.utf8.count
      case .handingOver(let epochs, let connected): 32 + 8 * epochs.count + 17 * connected.count
      case .terms(let delta): delta.size
      case .question(let message, _): 16 + message.count
      case .clientLines(let epochs, let lines):
        lines.reduce(32 + 8 * epochs.count) { $0 + $1.size }
      }
    }
  }
#endif
