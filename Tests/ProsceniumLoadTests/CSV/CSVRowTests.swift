// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct CSVRowTests {
  @Test func `a total has empty fields`() {
    let row = CSVRow(.replay, name: "log", metric: "requests", value: 9_999)
    #expect(
      row.fields(run: "r1") == ["1", "r1", "replay", "log", "", "", "requests", "", "9999", "1"])
  }

  @Test func `labels are sorted and escaped`() {
    let row = CSVRow(
      .bench, name: "b", labels: ["b": "x;y=1", "a": "50 %\n", "Z": "ü,\""], time: CSVNumber(1.5),
      metric: "latency_s", percentile: CSVNumber(99.9), value: CSVNumber(1), unit: .seconds)
    #expect(
      row.fields(run: "r") == [
        "1", "r", "bench", "b", "Z=ü,\";a=50 %25%0A;b=x%3By%3D1", "1.5", "latency_s", "99.9", "1",
        "s",
      ])
  }

  @Test func `units have their signs`() {
    let units: [CSVRow.Unit] = [.seconds, .bytes, .one, .perSecond]
    #expect(units.map(\.rawValue) == ["s", "B", "1", "1/s"])
  }

  @Test func `meta rows carry their texts in labels`() {
    let rows = CSVRow.meta(
      name: "replay", machine: "Some CPU; 2 cores", commit: "abc", flags: "--windows 3",
      seed: .max, startedAt: 1_748_822_400)
    #expect(
      rows.map { $0.fields(run: "r").dropFirst(2).joined(separator: "|") } == [
        "meta|replay|machine=Some CPU%3B 2 cores||machine||1|1",
        "meta|replay|commit=abc||commit||1|1",
        "meta|replay|flags=--windows 3||flags||1|1",
        "meta|replay|||seed||18446744073709551615|1",
        "meta|replay|||started_at||1748822400|s",
      ])
    let unseeded = CSVRow.meta(
      name: "", machine: "", commit: "", flags: "", seed: nil, startedAt: 0)
    #expect(unseeded.map(\.metric) == ["machine", "commit", "flags", "started_at"])
  }
}
