// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad
  import ProsceniumTerminal

  /// What `proscenium load live` prints around its results.
  enum LiveText {
    /// What is run, and where.
    static func beginning(_ plan: LivePlan) -> String {
      let nodes = plan.cluster.map { " on \($0) nodes" } ?? ""
      let events = plan.events.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        .sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.key) × \($0.value), " }.joined()
      return "\(Terminal.machine)\nlive: \(NumberText.grouped(plan.clients)) clients\(nodes), "
        + "\(NumberText.rate(plan.rate)) inputs, \(NumberText.rate(plan.breaks)) broken lines, "
        + "\(NumberText.rate(plan.hides)) hidden tabs, \(events)seed \(plan.seed)\n\n"
    }

    /// Shows how far a run has come.
    static func show(_ progress: LiveProgress, _ line: ProgressLine) {
      func show(_ what: String, _ done: Int, _ all: Int) {
        line.show(Double(done) / Double(max(all, 1))) { _ in
          ["\(what) \(NumberText.grouped(done)) of \(NumberText.grouped(all)) clients"]
        }
      }
      switch progress {
      case .attaching(let done, let all): show("attaching", done, all)
      case .verifying(let done, let all): show("verifying", done, all)
      case .draining(let count):
        line.show(nil) { _ in ["waiting for \(NumberText.grouped(count)) inputs"] }
      case .measuringFloor: line.show(nil) { _ in ["measuring the echo"] }
      case .running(let sample, let seconds):
        line.show(min(sample.time / seconds, 1), left: max(seconds - sample.time, 0)) { _ in
          figures(sample)
        }
      }
    }

    private static func figures(_ sample: LiveSummary.Sample) -> [String] {
      let latency = sample.tally.steady
      return [
        NumberText.rate(Double(sample.tally.sent) / max(sample.seconds, 0.001)),
        "p50 \(latency.text(50))", "p99 \(latency.text(99))",
        "\(NumberText.grouped(sample.attached)) attached", NumberText.bytes(sample.resident),
      ]
    }

    /// The memory of idle sockets.
    static func table(_ figures: [IdleRun.Figure], _ clients: Int, _ seconds: Double) -> TextTable {
      var table = TextTable([.left, .right, .right, .right])
      table.add(
        "\(NumberText.grouped(clients)) idle sockets", "each", "to echo", "processor time")
      for figure in figures {
        let ratio = figure.bytes / max(figures[0].bytes, 1)
        table.add(
          figure.name, NumberText.bytes(Int(figure.bytes)),
          "× \(NumberText.fixed(ratio, places: 2))",
          "\(NumberText.fixed(figure.processorTime, places: 2)) s in \(Int(seconds)) s")
      }
      return table
    }
  }
#endif
