// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// Decides by the histories of all nodes whether what is promised of a cluster holds.
  ///
  /// No clock is asked: epochs of slices order what different nodes did.
  struct HistoryChecker: Sendable {
    private var acknowledged: [SessionIdentifier: [UInt32: Int]] = [:]
    private var loaded: [SessionIdentifier: [UInt32: Int]] = [:]
    /// Who has acknowledged in a slice and an epoch.
    private var owners: [Place: Set<Int32>] = [:]
    private(set) var acknowledgements = 0
    private(set) var loads = 0
    private(set) var messages = MessageHistory()
    private(set) var problems: [String] = []

    private struct Place: Hashable, Sendable {
      let slice: UInt64
      let epoch: UInt32
    }

    /// Takes the history of one process, in its order.
    mutating func take(_ entries: some Sequence<HistoryEntry>) {
      // Within a process and an epoch, the order is that of the lines.
      var highest: [SessionIdentifier: (epoch: UInt32, count: Int)] = [:]
      for entry in entries {
        switch entry.kind {
        case .acknowledged:
          acknowledgements += 1
          let before = acknowledged[entry.session]?[entry.tenure.epoch] ?? 0
          acknowledged[entry.session, default: [:]][entry.tenure.epoch] = max(before, entry.count)
          owners[Place(slice: entry.session.high >> 54, epoch: entry.tenure.epoch), default: []]
            .insert(entry.tenure.node)
          highest[entry.session] = (entry.tenure.epoch, entry.count)
        case .loaded:
          loads += 1
          let before = loaded[entry.session]?[entry.tenure.epoch] ?? .max
          loaded[entry.session, default: [:]][entry.tenure.epoch] = min(before, entry.count)
          if let known = highest[entry.session], known.epoch == entry.tenure.epoch,
            entry.count < known.count
          {
            problems.append(
              "session \(entry.session) came back with \(entry.count) after \(known.count) was"
                + " acknowledged, in epoch \(entry.tenure.epoch)")
          }
        case .given, .answered, .lost: messages.take(entry)
        }
      }
    }

    /// Takes what others have found.
    mutating func add(_ findings: [String]) {
      problems += findings
    }

    /// Compares what different processes did, when all histories were taken.
    mutating func finish() {
      for (session, loads) in loaded {
        let acknowledged = acknowledged[session] ?? [:]
        for (epoch, count) in loads {
          let before = acknowledged.filter { $0.key < epoch }.values.max() ?? 0
          guard count < before else { continue }
          problems.append(
            "session \(session) was loaded with \(count) in epoch \(epoch) after \(before) was"
              + " acknowledged before")
        }
      }
      for (place, nodes) in owners where nodes.count > 1 {
        problems.append(
          "slice \(place.slice) had the owners \(nodes.sorted()) in epoch \(place.epoch)")
      }
      problems += messages.problems()
      problems.sort()
    }
  }
#endif
