// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumStoring

  // What is kept of sessions.
  extension SimulatedDatabase {
    /// Writes sessions; the caller has looked at the fence.
    ///
    /// It takes down what is written by another node than the slice's owner, or in another epoch
    /// than its own.
    mutating func write(_ drafts: [SessionDraft], as node: Int32) {
      for draft in drafts where !draft.isActivationAlone { check(draft, node) }
      for draft in drafts where draft.removes { rows[draft.session] = nil }
      for draft in drafts {
        writeRow(draft)
        if let counter = draft.activation { rows[draft.session]?.row.lastActivated = counter }
        guard let sealed = draft.saved, let version = SimulatedSeal.version(of: sealed),
          let kept = rows[draft.session]
        else { continue }
        rows[draft.session]?.row.hasSavedState = true
        if kept.version < version {
          rows[draft.session]?.version = version
          rows[draft.session]?.sealed = sealed
        } else if kept.sealed != sealed {
          findings.append(
            "session \(draft.session): version \(version) comes after \(kept.version)")
        }
      }
    }

    private mutating func writeRow(_ draft: SessionDraft) {
      guard let row = draft.row else { return }
      if draft.isInsertion {
        rows[draft.session] = Kept(row: row)
        rows[draft.session]?.row.hasSavedState = false
      } else if let kept = rows[draft.session]?.row {
        rows[draft.session]?.row = row
        rows[draft.session]?.row.lastActivated = kept.lastActivated
        rows[draft.session]?.row.hasSavedState = kept.hasSavedState
      }
    }

    private mutating func check(_ draft: SessionDraft, _ node: Int32) {
      let slice = slices[slice(of: draft.session)]
      guard slice.owner != node || slice.epoch != draft.epoch else { return }
      findings.append(
        "session \(draft.session) is written by node \(node) in epoch \(draft.epoch), and its"
          + " slice is that of \(slice.owner.map { "node \($0)" } ?? "no node") in epoch"
          + " \(slice.epoch)")
    }

    /// The rows of slices.
    func rows(of slices: [Int]) -> [SessionRow] {
      let wanted = Set(slices)
      return rows.filter { wanted.contains(slice(of: $0.key)) }
        .sorted { $0.key < $1.key }.map(\.value.row)
    }

    func versions(of sessions: [SessionIdentifier]) -> [SessionIdentifier: UInt64] {
      var versions: [SessionIdentifier: UInt64] = [:]
      for session in sessions { versions[session] = rows[session]?.version }
      return versions
    }
  }

  /// How states are sealed here: behind their version, in the open.
  enum SimulatedSeal {
    static func bytes(_ state: [UInt8], version: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: version >> UInt64(8 * $0)) } + state
    }

    static func version(of sealed: [UInt8]) -> UInt64? {
      guard sealed.count >= 8 else { return nil }
      return sealed.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func state(of sealed: [UInt8]) -> [UInt8] { Array(sealed.dropFirst(8)) }
  }
#endif
