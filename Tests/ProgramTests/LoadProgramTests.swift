// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium load`, as its users meet it.
@Suite(.timeLimit(.minutes(20))) struct LoadProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let small = [
    "load", "--sessions", "300", "--connected", "100", "--rate", "2000", "--duration", "1s",
    "--warmup", "0s", "--disconnects", "200", "--discards", "20", "--shards", "4",
  ]

  @Test func `a load test ends with its verdict, and its rows are in the file`() async throws {
    let (csv, store) = (folder.path + "/load.csv", folder.path + "/sessions.db")
    for turn in 1...2 {
      let place = turn == 1 ? "memory" : store
      let run = try await ProgramRun(Self.small + ["--store", place, "--csv", csv, "--seed", "9"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.lastLine == "held")
      for text in ["events delivered", "p99.9", "reconnecting", "injected: disconnect", "again: "] {
        #expect(run.output.contains(text), "\(text) is missing")
      }
    }
    let table = CSVTable(try String(contentsOfFile: csv, encoding: .utf8))
    #expect(Set(table.rows.map { $0["suite"] }) == ["load", "meta"])
    #expect(Set(table.rows.map { $0["name"] }) == ["browse"])
    let metrics = Set(table.rows.compactMap { $0["metric"] })
    #expect(metrics.isSuperset(of: ["latency", "time", "seed", "machine", "scenes_connected"]))
    // The store stays, and a second test is not to mix with it.
    #expect(FileManager.default.fileExists(atPath: store))
    let again = try await ProgramRun(Self.small + ["--store", store])
    #expect(again.status == 2)
    #expect(again.errorLines == 1)
  }

  @Test func `a quiet test prints its verdict alone, and a threshold fails it`() async throws {
    let run = try await ProgramRun(
      Self.small + ["--quiet", "--fail-if", "p50>1us", "--fail-if", "max>1h"])
    #expect(run.status == 2, "an hour is no unit of latencies")
    let failing = try await ProgramRun(
      Self.small + [
        "--quiet", "--store", "memory", "--fail-if", "p50>1us", "--fail-if", "max>600s",
      ])
    #expect(failing.status == 1)
    #expect(failing.output == "violated: threshold p50>1us was crossed\n")
  }

  @Test func `a promise that is broken fails the test without any threshold`() async throws {
    // With their names these states are larger than what the runtime captures: none is there after
    // the next launch, whatever the machine's pace is. Events are counted, since a time can end
    // before the first of them; and no session is discarded, since that ends what it should
    // remember.
    let run = try await ProgramRun([
      "load", "--sessions", "4", "--state-size", "1048576", "--rate", "40", "--events", "40",
      "--warmup", "0s", "--disconnects", "40", "--discards", "0", "--shards", "4", "--store",
      folder.path + "/sessions.db", "--quiet",
    ])
    #expect(run.isExit && run.status == 1, "\(run.errors)")
    #expect(run.output.hasPrefix("violated: "), "\(run.output)")
    #expect(
      run.output.contains("sessions remember other events after the next launch"), "\(run.output)")
  }

  @Test func `the results are one JSON object for programs`() async throws {
    let run = try await ProgramRun(
      Self.small + ["--json", "--store", "memory", "--seed", "4", "--fail-if", "p50>1us"])
    #expect(run.status == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["verdict"] as? String == "violated: threshold p50>1us was crossed")
    #expect(object["thresholdsCrossed"] as? [String] == ["p50>1us"])
    #expect(object["seed"] as? Int == 4)
    let figures = try #require(object["figures"] as? [[String: Any]])
    let latency = figures.first { $0["metric"] as? String == "latency" && $0["time"] == nil }
    #expect(latency?["percentile"] as? Double == 50)
    #expect(latency?["unit"] as? String == "s")
    #expect((latency?["value"] as? Double ?? 0) > 0)
  }

  @Test func `the highest rate that is held is searched, and there may be none`() async throws {
    let run = try await ProgramRun([
      "load", "--find-rate", "--sessions", "50", "--rate", "2", "--duration", "1s",
      "--warmup", "0s", "--store", "memory", "--mix", "message=1", "--shards", "2",
      "--disconnects", "0", "--discards", "0", "--fail-if", "rate<1k",
    ])
    #expect(run.status == 1)
    #expect(run.output.contains("2 /s: not held, ") && run.output.contains("1 /s: not held, "))
    #expect(!run.output.contains("highest rate held"))
    #expect(run.lastLine == "violated: threshold rate<1k was crossed")
    for wrong in [
      ["--concurrency", "3"], ["--ramp", "3s"], ["--store", "x.db"], ["--dashboard"],
      ["--metrics-port", "0"], ["--heap-profile", folder.path],
    ] {
      #expect(try await ProgramRun(["load", "--find-rate"] + wrong).status == 2)
    }
  }

  @Test func `events wait at shares of the rate, next to queues alone`() async throws {
    let run = try await ProgramRun([
      "load", "--waits", "--sessions", "50", "--rate", "200", "--duration", "1s",
      "--warmup", "0s", "--store", "memory", "--shards", "2", "--disconnects", "0", "--discards",
      "0",
    ])
    #expect(run.status == 0, "\(run.output)")
    for share in ["20 %, 40 /s", "50 %, 100 /s", "90 %, 180 /s"] {
      #expect(run.output.contains("\n\(share)"), "\(run.output)")
    }
    let users = folder.path + "/users.json"
    try #"{"name": "users", "users": 3}"#.write(toFile: users, atomically: true, encoding: .utf8)
    for wrong in [["--concurrency", "3"], ["--events", "9"], [users]] {
      #expect(try await ProgramRun(["load", "--waits"] + wrong).status == 2, "\(wrong)")
    }
  }

  @Test func `a page is served while the test runs, and a port in use is refused at once`()
    async throws
  {
    let run = try await ProgramRun(
      shell: """
        cd '\(folder.path)'
        "$program" load --sessions 50 --rate 200 --duration 5s --warmup 0s --store memory \
          --dashboard > first.txt 2>/dev/null & first=$!
        for _ in $(seq 300); do grep -q '^token' first.txt && break; sleep 0.1; done
        url=$(sed -n 's/^dashboard: //p' first.txt)
        python3 -c 'import sys, urllib.request
        page = urllib.request.urlopen(sys.argv[1]).read().decode()
        print("Proscenium: browse" in page)' "$url"
        port=${url##*:}
        "$program" load --store memory --dashboard="${port%/}" 2>&1
        echo "second $?"
        wait $first
        echo "first $?"
        """)
    let lines = run.output.split(separator: "\n").map { String($0) }
    #expect(lines.first == "True", "\(run.output) \(run.errors)")
    #expect(lines.suffix(2) == ["second 2", "first 0"], "\(run.output)")
    #expect(run.output.contains("proscenium: ") && !run.output.contains("held"))
  }

  @Test func `metrics are served while the test runs`() async throws {
    let run = try await ProgramRun(
      shell: """
        cd '\(folder.path)'
        "$program" load --sessions 50 --rate 200 --duration 5s --warmup 0s --store memory \
          --disconnects 0 --discards 0 --metrics-port 0 > first.txt 2>/dev/null & first=$!
        for _ in $(seq 300); do grep -q '^metrics' first.txt && break; sleep 0.1; done
        url=$(sed -n 's/^metrics: //p' first.txt)
        python3 -c 'import sys, time, urllib.request
        found = False
        for _ in range(100):
          text = urllib.request.urlopen(sys.argv[1]).read().decode()
          values = dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
          found = float(values.get("proscenium_load_events_delivered_total", 0)) > 0
          if found: break
          time.sleep(0.1)
        new = values["proscenium_connects_total{session=\\"new\\"}"]
        print(found, values["proscenium_scenes"], new)
        ' "$url"
        port=${url##*:}
        "$program" load --store memory --metrics-port "${port%/metrics}" 2>&1
        echo "second $?"
        wait $first
        echo "first $?"
        """)
    let lines = run.output.split(separator: "\n").map { String($0) }
    #expect(lines.first == "True 50 50", "\(run.output) \(run.errors)")
    #expect(lines.suffix(2) == ["second 2", "first 0"], "\(run.output)")
  }

  @Test func `a scenario is read from a file, and what is wrong in one is said with its place`()
    async throws
  {
    let path = folder.path + "/load.json"
    try #"{"name": "mine", "sessions": 50, "users": 2, "events": 100, "warmupSeconds": 0}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    let run = try await ProgramRun(["load", path, "--store", "memory"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("mine: 50 sessions"))
    #expect(run.lastLine == "held")
    try #"{"sessions": "many"}"#.write(toFile: path, atomically: true, encoding: .utf8)
    let wrong = try await ProgramRun(["load", path])
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("$.sessions"))
  }

  @Test func `the scenarios are listed, name first`() async throws {
    let run = try await ProgramRun(["load", "--list-scenarios"])
    #expect(run.status == 0)
    let names = run.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    #expect(names == ["browse", "editor", "chat", "churn", "squeeze", "storm"])
  }

  @Test func `a flag that does not exist is told before its value is taken for a scenario`()
    async throws
  {
    let run = try await ProgramRun(["load", "--ratee", "5"])
    #expect(run.status == 2)
    #expect(run.errors.contains("'--ratee'") && run.errors.contains("'--rate'"))
  }

  @Test(arguments: [
    ["--rate", "-5"], ["--rate", "0"], ["--sessions", "0"], ["nosuch"], ["--skew", "flat"],
    ["--mix", "mail=1"], ["--fail-if", "p99"], ["--fail-if", "p49>5ms"],
    ["--rate", "5", "--concurrency", "3"],
    ["--ramp", "5s", "--concurrency", "3"],
    ["--duration", "5s", "--events", "3"], ["--memory-limit", "5MB"], ["--durability", "soon"],
    ["--disconnects", "-1"], ["--faults", "/nonexistent"], ["--concurrency", "50000"],
    ["--csv", "/nonexistent/load.csv"], ["--events", "0"], ["--shards", "257"],
    ["--state-size", "1"], ["--store", "/nonexistent/folder/sessions.db"],
  ])
  func `flags that cannot be used are refused in one line, before any work`(
    arguments: [String]
  ) async throws {
    let run = try await ProgramRun(["load"] + arguments)
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.errors.hasPrefix("proscenium: "))
  }
}
