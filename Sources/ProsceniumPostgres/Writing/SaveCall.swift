// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPredicate
  import ProsceniumStoring

  /// What one call of `save_1` brings: the changes of some sessions, each of which is in one place.
  struct SaveCall: Sendable {
    /// The drafts, of which all or none is applied.
    private(set) var drafts: [SessionDraft] = []
    private var parameters = PostgresParameters()
    /// The keys that it writes.
    private(set) var keyed: [SessionIdentifier: [UInt8]] = [:]

    /// How many sessions, and about how many bytes of saved state, one call brings.
    private static let limit = (sessions: 256, bytes: 4 << 20)

    static let statement =
      "SELECT proscenium.save_1(" + (1...28).map { "$\($0)" }.joined(separator: ",") + ")"

    /// - Parameters:
    ///   - drafts: The drafts.
    ///   - numbers: The number of each configuration in them.
    ///   - isStored: Whether a session is kept with the key that its state was sealed with.
    init(
      _ drafts: [SessionDraft], _ numbers: [StoredConfiguration: Int16],
      isStored: (SessionIdentifier, ArraySlice<UInt8>) -> Bool
    ) {
      self.drafts = drafts
      var rows = RowColumns()
      var gone: [SessionIdentifier] = []
      var active: [SessionIdentifier] = []
      var counters: [Int64] = []
      var keys: [[UInt8]] = []
      var keyed: [SessionIdentifier] = []
      var saved: [SessionIdentifier] = []
      var versions: [Int64] = []
      var records: [ArraySlice<UInt8>] = []
      for draft in drafts {
        let session = draft.session
        if draft.removes, !draft.isInsertion { gone.append(session) }
        if let row = draft.row {
          rows.add(
            row, of: session, isNew: draft.isInsertion, activation: draft.activation,
            numbers[row.configuration] ?? 0)
        }
        if let counter = draft.activation, !draft.isInsertion {
          active.append(session)
          counters.append(Int64(clamping: counter))
        }
        guard let state = draft.saved.flatMap(SealedState.init) else { continue }
        saved.append(session)
        versions.append(state.version)
        records.append(state.record)
        if draft.isInsertion || !isStored(session, state.wrappedKey) {
          keyed.append(session)
          let key = Array(state.wrappedKey)
          keys.append(key)
          self.keyed[session] = key
        }
      }
      parameters.add(places: gone)
      rows.add(to: &parameters)
      parameters.add(places: active)
      parameters.add(counters)
      parameters.add(places: keyed)
      parameters.add(keys)
      parameters.add(places: saved)
      parameters.add(versions)
      parameters.add(records)
    }

    /// The arguments for a node behind a fence.
    func parameters(of node: Int32, behind fence: Int32) -> PostgresParameters {
      var parameters = parameters
      parameters.add(node)
      parameters.add(fence)
      return parameters
    }

    /// The drafts of one lane in parts, each for one call, in order.
    static func parts(of drafts: [SessionDraft]) -> [ArraySlice<SessionDraft>] {
      var parts: [ArraySlice<SessionDraft>] = []
      var rest = drafts[...]
      while !rest.isEmpty {
        var bytes = 0
        let count =
          rest.prefix(limit.sessions).prefix { draft in
            defer { bytes += draft.saved?.count ?? 0 }
            return bytes < limit.bytes
          }.count
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      return parts
    }
  }

  /// The columns of rows that are written.
  private struct RowColumns {
    private var sessions: [SessionIdentifier] = []
    private var areNew: [Bool] = []
    private var configurations: [Int16] = []
    private var ends: [Int16] = []
    private var activated: [Int64] = []
    private var wakes: [Int64?] = []
    private var used: [Int64?] = []
    private var groups: [String?] = []
    private var owners: [String?] = []
    private var can: [String?] = []
    private var prefers: [String?] = []
    private var titles: [String?] = []
    private var subtitles: [String?] = []

    mutating func add(
      _ row: SessionRow, of session: SessionIdentifier, isNew: Bool, activation: UInt64?,
      _ configuration: Int16
    ) {
      sessions.append(session)
      areNew.append(isNew)
      configurations.append(configuration)
      ends.append(Int16(truncatingIfNeeded: DestructionBits.bits(of: row.destructionConditions)))
      activated.append(Int64(clamping: activation ?? row.lastActivated))
      wakes.append(row.nextWake)
      used.append(row.lastUsed)
      groups.append(row.group?.rawValue)
      owners.append(row.owner)
      let (conditions, usual) = (row.activationConditions, SceneActivationConditions())
      can.append(conditions.can == usual.can ? nil : conditions.can.description)
      prefers.append(conditions.prefers == usual.prefers ? nil : conditions.prefers.description)
      titles.append(row.title)
      subtitles.append(row.subtitle)
    }

    func add(to parameters: inout PostgresParameters) {
      parameters.add(places: sessions)
      parameters.add(areNew)
      parameters.add(configurations)
      parameters.add(ends)
      parameters.add(activated)
      parameters.add(wakes)
      parameters.add(used)
      for texts in [groups, owners, can, prefers, titles, subtitles] { parameters.add(texts) }
    }
  }
#endif
