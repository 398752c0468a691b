// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation

  /// What the logs of nodes say of slices that they gave to others.
  ///
  /// From the moment in which a gift begins, until its receiver serves it, no node serves the
  /// sessions of its slices: that is their blackout.
  struct Gifts: Sendable {
    private struct Gift: Sendable {
      let sessions: Int
      /// In seconds.
      let blackout: Double
    }

    private var all: [Gift] = []
    /// How many slices were given.
    private(set) var slices = 0
    /// What could not be given away.
    private(set) var failures: [String] = []

    /// Reads the logs of nodes.
    init(logs: Set<String>) {
      for log in logs.sorted() {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") { take(line) }
      }
      all.sort { $0.blackout < $1.blackout }
    }

    private mutating func take(_ line: Substring) {
      if line.contains("slices could not be given away") { failures.append(String(line)) }
      guard line.contains("slices were given to another node") else { return }
      slices += Int(Self.value("slices", in: line))
      all.append(
        Gift(
          sessions: Int(Self.value("sessions", in: line)), blackout: Self.value("time", in: line)))
    }

    /// The number that a line gives under a name.
    private static func value(_ name: String, in line: Substring) -> Double {
      let text = line.split(separator: "\(name)=").dropFirst().first ?? ""
      return Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
    }

    var count: Int { all.count }

    /// The blackout that a share of the sessions did not exceed, in seconds; nil if none moved.
    func blackout(_ share: Double) -> Double? {
      let limit = share * Double(all.reduce(0) { $0 + $1.sessions })
      var count = 0
      for gift in all {
        count += gift.sessions
        if Double(count) >= limit { return gift.blackout }
      }
      return all.last?.blackout
    }
  }
#endif
