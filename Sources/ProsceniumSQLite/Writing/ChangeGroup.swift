// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// What the changes of one commit come to, session by session: of several the last one counts.
struct ChangeGroup {
  /// What is to be done with one session.
  ///
  /// The numbers of changes are places in the group.
  struct Net {
    let session: SessionIdentifier
    /// The number of the session as it is kept until now.
    let oldNumber: SessionNumber?
    /// The number of the session as it is kept from now on.
    fileprivate(set) var number: SessionNumber?
    /// The session is kept after the changes.
    fileprivate(set) var isKept: Bool
    /// What was kept of the session until now is removed.
    fileprivate(set) var removesOld = false
    /// The saved state that was kept until now does not count any more.
    fileprivate(set) var dropsState = false
    /// The insertion or the last update.
    fileprivate(set) var row: Int?
    /// The last activation, or the insertion if there was none since.
    fileprivate(set) var activation: Int?
    /// The last saved state since the insertion.
    fileprivate(set) var save: Int?

    fileprivate init(_ session: SessionIdentifier, _ oldNumber: SessionNumber?) {
      self.session = session
      self.oldNumber = oldNumber
      number = oldNumber
      isKept = oldNumber != nil
    }

    /// The session has no row yet, or loses it before it gets the new one.
    var isNew: Bool { isKept && (oldNumber == nil || removesOld) }
  }

  /// How many changes are looked up together.
  private static let strip = 16

  private(set) var nets: ContiguousArray<Net> = []
  private var table = HandleTable()

  /// Takes the changes in, and gives new sessions their numbers and keys.
  ///
  /// Who seals for such a session while its insertion is being written finds them there.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - keys: Keys for the sessions that are inserted, and what they are wrapped to.
  ///   - index: The index.
  /// - Throws: `limitExceeded`; no number is taken then.
  mutating func take(
    _ changes: [StoreChange], _ keys: [SessionIdentifier: PendingSessions.Key],
    _ index: inout SessionIndex
  ) throws(StoreError) {
    // After an exceptionally large group the table would be slow to empty.
    if nets.count > 4_096 { table = HandleTable() } else { table.removeAll() }
    nets.removeAll(keepingCapacity: true)
    for first in stride(from: 0, to: changes.count, by: Self.strip) {
      let strip = changes[first..<min(first + Self.strip, changes.count)]
      if strip.count > 1 { index.prefetch(strip) }
      for place in strip.indices {
        let net = net(of: changes[place].session, index)
        nets[net].take(changes[place].kind, place)
      }
    }
    for place in nets.indices where nets[place].isNew {
      nets[place].number = nil
    }
    for place in nets.indices where nets[place].isNew {
      if let pending = index.pending[nets[place].session], pending.isNew {
        nets[place].number = pending.sid
        continue
      }
      do throws(StoreError) {
        let number = try index.takeNumber()
        nets[place].number = number
        _ = index.addPending(
          PendingSessions.Session(
            sid: number, key: keys[nets[place].session], isNew: true),
          for: nets[place].session)
      } catch {
        giveBack(&index)
        throw error
      }
    }
  }

  /// Gives the numbers back for which there is no key, because the new sessions were not inserted.
  func giveBack(_ index: inout SessionIndex) {
    for net in nets where net.isNew {
      guard let pending = index.pending[net.session], pending.sid == net.number,
        pending.key == nil
      else { continue }
      index.pending.remove(net.session)
      index.giveBack(pending.sid)
    }
  }

  /// How many bytes of records the changes save.
  func recordBytes(_ changes: [StoreChange]) -> Int {
    nets.reduce(0) { sum, net in
      if let save = net.save, case .save(let record) = changes[save].kind {
        sum + record.count
      } else {
        sum
      }
    }
  }

  /// Whether the group replaces or removes the saved state of a session.
  func replacesState(of session: SessionIdentifier) -> Bool {
    guard let net = find(session) else { return false }
    return nets[net].save != nil || nets[net].removesOld || nets[net].dropsState
  }

  private func find(_ session: SessionIdentifier) -> Int? {
    table.find(session.spread) { nets[Int($0)].session == session }
      .map { Int($0) }
  }

  private mutating func net(of session: SessionIdentifier, _ index: SessionIndex) -> Int {
    if let net = find(session) { return net }
    nets.append(Net(session, index.find(session).map(index.number)))
    table.insert(UInt32(nets.count - 1), session.spread)
    return nets.count - 1
  }
}

extension ChangeGroup.Net {
  fileprivate mutating func take(_ kind: StoreChange.Kind, _ place: Int) {
    switch kind {
    case .insert:
      if oldNumber != nil, !removesOld { dropsState = true }
      (isKept, row, activation, save) = (true, place, place, nil)
    // A change of a session that is not kept does nothing.
    case .update where isKept:
      row = place
    case .activate where isKept:
      activation = place
    case .save where isKept:
      save = place
    case .remove:
      if oldNumber != nil { (removesOld, dropsState) = (true, false) }
      (isKept, row, activation, save) = (false, nil, nil, nil)
    default:
      break
    }
  }
}
