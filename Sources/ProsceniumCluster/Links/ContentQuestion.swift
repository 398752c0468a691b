// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// What a node asks another one about some content.
  package enum ContentQuestion: Sendable {
    /// Which of its sessions that prefer the content is the best one.
    case best(String, source: SessionIdentifier?)
    /// It is to deliver an event, if its sessions show the content.
    case event(RoutedEvent)

    /// The question as a message.
    ///
    /// - Throws: `limitExceeded` if it is larger than a message may be.
    package func encoded() throws(SceneError) -> SceneMessage {
      var fields = RequestFields()
      switch self {
      case .best(let identifier, let source):
        fields["best"] = identifier
        fields["source"] = source?.description
      case .event(let routed): fields.add(routed)
      }
      return try fields.message(upTo: SceneMessage.sizeLimit)
    }

    /// Reads a question, which can be any bytes.
    ///
    /// - Parameter message: The bytes.
    /// - Returns: The question.
    /// - Throws: `notDecodable`.
    package static func decoded(_ message: SceneMessage) throws(SceneError) -> ContentQuestion {
      let fields = try RequestFields(message)
      if let identifier = fields["best"] {
        return .best(identifier, source: fields["source"].flatMap { SessionIdentifier($0) })
      }
      guard let routed = fields.routedEvent else {
        throw SceneError(.notDecodable, "expected a question that this build knows")
      }
      return .event(routed)
    }
  }

  /// What a node answers about some content.
  package enum ContentAnswer: Sendable, Equatable {
    /// It has no session for it.
    case nothing
    /// A session for it may be on its way to the node, or from it.
    case moving
    /// The best of its sessions.
    case best(SessionIdentifier, SessionRank.State, isSource: Bool)
    /// The session that got the event, after the delivery.
    case session(StoredSession)

    /// How many bytes an answer with the best session has; the description of a session has more.
    private static let bestSize = 19

    /// The answer as a message.
    package func encoded() -> Result<SceneMessage, SceneError> {
      switch self {
      case .nothing: .success(SceneMessage([0]))
      case .moving: .success(SceneMessage([1]))
      case .best(let session, let state, let isSource):
        .success(
          SceneMessage(
            [2, state.rawValue, isSource ? 1 : 0]
              + [session.high, session.low].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
              }))
      case .session(let session): session.encoded()
      }
    }

    /// Reads an answer, which can be any bytes.
    ///
    /// - Parameter message: The bytes.
    /// - Returns: The answer.
    /// - Throws: `notDecodable`.
    package static func decoded(_ message: SceneMessage) throws(SceneError) -> ContentAnswer {
      let bytes = message.count <= bestSize ? message.bytes : []
      if bytes == [0] { return .nothing }
      if bytes == [1] { return .moving }
      if bytes.count == bestSize, bytes[0] == 2, let state = SessionRank.State(rawValue: bytes[1]) {
        let words = [bytes[3..<11], bytes[11...]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        return .best(
          SessionIdentifier(high: words[0], low: words[1]), state, isSource: bytes[2] != 0)
      }
      guard let session = try StoredSession.decoded(message).get() else {
        throw SceneError(.notDecodable, "expected an answer about content")
      }
      return .session(session)
    }
  }
#endif
