// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a trial came to.
struct TrialReport: Sendable {
  let findings: [String]
  let text: String

  init(_ clients: [TrialClient.State], _ plan: TrialPlan, seconds: Duration) {
    let books = clients.map(\.book)
    func sum(_ value: (TrialClient.State) -> Int) -> Int { clients.reduce(0) { $0 + value($1) } }
    let sent = sum { Int($0.book.sent) }
    let latencies = clients.flatMap(\.latencies).sorted()
    func quantile(_ share: Double) -> String {
      guard !latencies.isEmpty else { return "-" }
      let value = latencies[min(Int(share * Double(latencies.count)), latencies.count - 1)]
      return "\((value * 10_000).rounded() / 10) ms"
    }
    var findings = books.flatMap(\.findings)
    let resets = books.reduce(into: [:]) { $0.merge($1.resets) { $0 + $1 } }
    let runs = plan.kills + plan.restarts + 2
    let without = sum(\.book.resetsWithoutCause)
    if without > 0 { findings.append("\(without) resets after breaks alone") }
    for book in books {
      // One for each run of the server, since frames live in memory.
      let count = book.resets.values.reduce(0, +) - book.resets[.overflow, default: 0]
      if count > runs { findings.append("client \(book.client): \(count) resets in \(runs) runs") }
    }
    if plan.breaks > 0, sum(\.breaks) == 0 { findings.append("no line was broken") }
    let took = seconds / .seconds(1)
    var lines = [
      "clients         \(plan.clients)",
      "time            \((took * 10).rounded() / 10) s",
      "inputs          \(sent), \(Int(Double(sent) / plan.seconds)) a second",
      "acknowledged    \(sum { Int($0.book.acknowledged) })",
      "sent again      \(sum(\.repeated))",
      "latency         p50 \(quantile(0.5)), p99 \(quantile(0.99)), max \(quantile(1))",
      "broken lines    \(sum(\.breaks)), \(Int(Double(sum(\.breaks)) / plan.seconds)) a second",
      "resumed         \(sum(\.book.resumed))",
      "server          \(plan.kills) kills, \(plan.restarts) restarts in order",
    ]
    for reset in OutputReset.allCases {
      lines.append("reset, \(reset.rawValue)".padded(16) + "\(resets[reset, default: 0])")
    }
    let ends = clients.reduce(into: [:]) { $0.merge($1.ends) { $0 + $1 } }
    for (end, count) in ends.sorted(by: { $0.key < $1.key }) {
      lines.append("ended, \(end)".padded(16) + "\(count)")
    }
    lines += findings.prefix(20).map { "wrong: \($0)" }
    lines.append(findings.isEmpty ? "held" : "violated: \(findings.count)")
    self.findings = findings
    text = lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
