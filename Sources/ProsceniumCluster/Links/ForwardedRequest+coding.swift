// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

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
      case .event(let routed): fields.add(routed)
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
        if let routed = fields.routedEvent { return .event(routed) }
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
#endif
