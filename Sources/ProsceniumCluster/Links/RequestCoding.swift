// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumStoring

  // Requests and sessions as messages to other nodes. They have the form of a saved state, whose
  // parts have names: a node leaves alone what another build has added.

  extension ForwardedRequest {
    /// The request as a message.
    ///
    /// - Throws: `limitExceeded` if it is larger than a message may be.
    func encoded() throws(SceneError) -> SceneMessage {
      var fields = RequestFields()
      switch self {
      case .action(let action): fields["action"] = action.rawValue
      case .destroy(let reason): fields["destroy"] = String(reason.rawValue)
      case .newSession(let role, let group, let owner):
        fields["new"] = role.rawValue
        fields["group"] = group?.rawValue
        fields["owner"] = owner
      case .activate(let request):
        fields["activate"] = request.role.rawValue
        fields["named"] = request.session.map { _ in "" }
        fields.state.activity = request.userActivity
        fields["requester"] = request.options.requestingScene?.description
        fields["group"] = request.options.group?.rawValue
        fields["owner"] = request.options.owner
        fields["joins"] = String(request.options.collectionJoinBehavior.rawValue)
      }
      return try fields.message(upTo: SceneMessage.sizeLimit)
    }

    /// Reads a request, which can be any bytes.
    ///
    /// - Parameters:
    ///   - message: The bytes.
    ///   - session: The session to which it was sent.
    /// - Returns: The request, or `notDecodable`.
    static func decoded(
      _ message: SceneMessage, for session: SessionIdentifier
    ) -> Result<ForwardedRequest, SceneError> {
      Result { () throws(SceneError) in
        let fields = try RequestFields(message)
        if let action = fields["action"].flatMap(Action.init) { return .action(action) }
        if let reason = fields["destroy"].flatMap({ UInt8($0) })
          .flatMap(SceneDestructionReason.init)
        {
          return .destroy(reason)
        }
        let group = fields["group"].map(SceneGroup.init(rawValue:))
        if let role = fields["new"] {
          return .newSession(SceneSessionRole(rawValue: role), group, owner: fields["owner"])
        }
        guard let role = fields["activate"] else {
          throw SceneError(
            .notDecodable, session: session, "expected a request that this build knows")
        }
        let options = Scene.ActivationRequestOptions(
          requestingScene: fields["requester"].flatMap { SessionIdentifier($0) }, group: group,
          owner: fields["owner"],
          collectionJoinBehavior: fields["joins"].flatMap { Int($0) }
            .flatMap(Scene.ActivationRequestOptions.CollectionJoinBehavior.init) ?? .automatic)
        let activity = fields.state.activity
        return .activate(
          fields["named"] == nil
            ? SceneSessionActivationRequest(
              role: SceneSessionRole(rawValue: role), userActivity: activity, options: options)
            : SceneSessionActivationRequest(
              session: session, userActivity: activity, options: options))
      }
    }
  }

  extension StoredSession {
    /// The session without its saved state as a message.
    func encoded() -> Result<SceneMessage, SceneError> {
      Result { () throws(SceneError) in
        var fields = RequestFields()
        fields["session"] = persistentIdentifier.description
        fields["role"] = role.rawValue
        fields["name"] = configurationName
        fields["delegate"] = delegateClass
        fields["scene"] = sceneClass
        fields["revision"] = manifestRevision
        fields["group"] = group?.rawValue
        fields["owner"] = owner
        fields["title"] = title
        fields["subtitle"] = subtitle
        fields["ends"] = String(DestructionBits.bits(of: destructionConditions))
        if activationConditions != SceneActivationConditions() {
          fields["can"] = "\(activationConditions.can)"
          fields["prefers"] = "\(activationConditions.prefers)"
        }
        return try fields.message(upTo: LinkItem.replySizeLimit)
      }
    }

    /// Reads a session, which can be any bytes; an empty message has none.
    static func decoded(_ message: SceneMessage) -> Result<StoredSession?, SceneError> {
      Result { () throws(SceneError) in
        if message.count == 0 { return nil }
        let fields = try RequestFields(message)
        guard let session = fields["session"].flatMap({ SessionIdentifier($0) }),
          let role = fields["role"]
        else { throw SceneError(.notDecodable, "expected a session and its role") }
        var predicates = PredicateCache()
        var conditions = SceneActivationConditions()
        if let can = fields["can"].flatMap({ predicates[$0] }) { conditions.can = can }
        if let prefers = fields["prefers"].flatMap({ predicates[$0] }) {
          conditions.prefers = prefers
        }
        return StoredSession(
          persistentIdentifier: session, role: SceneSessionRole(rawValue: role),
          configurationName: fields["name"], delegateClass: fields["delegate"],
          sceneClass: fields["scene"], manifestRevision: fields["revision"],
          group: fields["group"].map(SceneGroup.init(rawValue:)),
          activationConditions: conditions, title: fields["title"], subtitle: fields["subtitle"],
          destructionConditions: DestructionBits.conditions(
            of: fields["ends"].flatMap { Int64($0) } ?? 0),
          owner: fields["owner"])
      }
    }
  }

  /// Texts by name, and an activity.
  private struct RequestFields {
    var state = SavedState()

    init() {
      state.userInfo = [:]
    }

    init(_ message: SceneMessage) throws(SceneError) {
      do throws(SavedStateError) {
        state = try SavedState(decoding: message.bytes)
      } catch {
        throw SceneError(.notDecodable, "expected a request or a session: \(error)")
      }
    }

    subscript(name: String) -> String? {
      get { state.userInfo?[name]?.string }
      set { state.userInfo?[name] = newValue.map { .string($0) } }
    }

    func message(upTo limit: Int) throws(SceneError) -> SceneMessage {
      let bytes: [UInt8]
      do throws(SavedStateError) {
        bytes = try state.encoded()
      } catch {
        throw SceneError(.limitExceeded, "expected what another node can be sent: \(error)")
      }
      guard bytes.count <= limit else {
        throw SceneError(
          .limitExceeded,
          "expected at most \(limit) bytes for another node, found \(bytes.count)")
      }
      return SceneMessage(bytes)
    }
  }
#endif
