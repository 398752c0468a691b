// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumStoring

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
#endif
