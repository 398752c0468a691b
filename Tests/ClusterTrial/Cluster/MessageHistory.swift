// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// What became of messages that nodes have sent to sessions anywhere: none came twice or out of
  /// order, and none was lost in silence while its session stayed where it was.
  struct MessageHistory: Sendable {
    /// What one sender has sent to one session.
    private struct Line: Hashable {
      let session: SessionIdentifier
      let sender: UInt64
    }

    private struct Passage: Sendable {
      /// In the order in which a process has written them.
      var given: [(epoch: UInt32, number: Int)] = []
      var answered: [(epoch: UInt32, number: Int)] = []
      var lost: Set<Int> = []
    }

    private var passages: [Line: Passage] = [:]
    /// How many messages came.
    private(set) var given = 0
    /// How many messages their senders were told to be lost.
    private(set) var lost = 0
    /// How many messages had to have come, since calls before and after them were answered.
    private(set) var proven = 0

    mutating func take(_ entry: HistoryEntry) {
      let line = Line(session: entry.session, sender: entry.sender)
      let place = (epoch: entry.tenure.epoch, number: entry.count)
      switch entry.kind {
      case .given:
        given += 1
        passages[line, default: Passage()].given.append(place)
      case .answered: passages[line, default: Passage()].answered.append(place)
      case .lost:
        lost += 1
        passages[line, default: Passage()].lost.insert(entry.count)
      case .loaded, .acknowledged: break
      }
    }

    /// Looks at all that was taken.
    mutating func problems() -> [String] {
      var problems: [String] = []
      for (line, passage) in passages {
        // An epoch has one owner, so that its lines are in one history.
        let given = passage.given.enumerated().sorted {
          ($0.element.epoch, $0.offset) < ($1.element.epoch, $1.offset)
        }.map(\.element)
        for (before, after) in zip(given, given.dropFirst()) where after.number <= before.number {
          problems.append(
            "message \(after.number) of \(line.sender) came to \(line.session) in epoch"
              + " \(after.epoch) after \(before.number) in epoch \(before.epoch)")
        }
        let known = passage.lost.union(given.map(\.number))
        for (before, after) in zip(passage.answered, passage.answered.dropFirst())
        where before.epoch == after.epoch && before.number < after.number {
          proven += after.number - before.number
          for number in before.number + 1...after.number where !known.contains(number) {
            problems.append(
              "message \(number) of \(line.sender) to \(line.session) is missing in epoch"
                + " \(after.epoch)")
          }
        }
      }
      return problems
    }
  }
#endif
