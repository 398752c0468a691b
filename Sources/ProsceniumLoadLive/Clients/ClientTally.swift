// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad

  /// What clients have seen since it was asked for last.
  struct ClientTally: Sendable {
    /// How many sentences about violations are kept.
    static let sentenceLimit = 10

    var sent = 0
    var acknowledged = 0
    var breaks = 0
    var resumed = 0
    var hides = 0
    /// Lines that a host has ended since it had given the session to another one.
    var moves = 0
    /// Resets of clients that had been welcomed before, by their reason.
    var resets: [String: Int] = [:]
    /// Those of them that no kill explains.
    var undueResets: [String: Int] = [:]
    /// Why the host has ended lines, and with which codes it has closed sockets.
    var ends: [String: Int] = [:]
    /// Latencies of inputs whose line held; of those whose line was lost; of those whose session
    /// moved; of those in an outage.
    var steady = LatencyHistogram()
    var interrupted = LatencyHistogram()
    var moved = LatencyHistogram()
    var outage = LatencyHistogram()
    var violations = 0
    var sentences: [String] = []
    /// To how many clients a node spoke whose sessions others had taken over, and some of what it
    /// said.
    var late = 0
    var lateSentences: [String] = []

    /// Latencies of all inputs.
    var latency: LatencyHistogram {
      var all = steady
      for part in [interrupted, moved, outage] { all.add(part) }
      return all
    }

    mutating func violate(_ client: Int, _ sentence: String) {
      violations += 1
      if sentences.count < Self.sentenceLimit { sentences.append("client \(client): \(sentence)") }
    }

    mutating func noteLate(_ client: Int, _ said: String) {
      late += 1
      if lateSentences.count < Self.sentenceLimit {
        lateSentences.append("'\(said.prefix(60))' to client \(client)")
      }
    }

    mutating func add(_ other: ClientTally) {
      sent += other.sent
      acknowledged += other.acknowledged
      breaks += other.breaks
      resumed += other.resumed
      hides += other.hides
      moves += other.moves
      resets.merge(other.resets) { $0 + $1 }
      undueResets.merge(other.undueResets) { $0 + $1 }
      ends.merge(other.ends) { $0 + $1 }
      steady.add(other.steady)
      interrupted.add(other.interrupted)
      moved.add(other.moved)
      outage.add(other.outage)
      violations += other.violations
      sentences += other.sentences.prefix(max(Self.sentenceLimit - sentences.count, 0))
      late += other.late
      lateSentences += other.lateSentences.prefix(max(Self.sentenceLimit - lateSentences.count, 0))
    }
  }
#endif
