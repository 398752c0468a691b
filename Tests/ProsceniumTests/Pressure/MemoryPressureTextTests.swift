// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

/// What Linux says of its memory.
@Suite struct MemoryPressureTextTests {
  private static let stat = """
    anon 104857600
    file 73400320
    kernel 5242880
    shmem 0
    inactive_anon 98304000
    active_anon 6553600
    inactive_file 41943040
    active_file 31457280
    unevictable 0
    workingset_refault_file 12
    """

  private static let pressure = """
    some avg10=12.34 avg60=5.00 avg300=1.10 total=123456789
    full avg10=1.20 avg60=0.50 avg300=0.10 total=23456789
    """

  @Test(
    arguments: [
      ("178257920\n", 178_257_920), ("0\n", 0), ("max\n", nil), ("", nil), ("-5\n", nil),
      ("12 kB\n", 12), ("99999999999999999999\n", nil), ("\n", nil), (nil, nil),
    ] as [(String?, Int?)])
  func `a number of bytes`(_ text: String?, _ bytes: Int?) {
    #expect(MemoryPressureText.bytes(text) == bytes)
  }

  @Test func `the files that were not used for a while`() {
    #expect(MemoryPressureText.inactiveFile(Self.stat) == 41_943_040)
    #expect(MemoryPressureText.inactiveFile("anon 1\n") == nil)
    #expect(MemoryPressureText.inactiveFile("inactive_file\n") == nil)
    #expect(MemoryPressureText.inactiveFile("inactive_file many\n") == nil)
    #expect(MemoryPressureText.inactiveFile(nil) == nil)
  }

  @Test(
    arguments: [
      (pressure, 12.34), ("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", 0),
      ("full avg10=3.00\n", nil), ("some\n", nil), ("some avg10=\n", nil), ("some avg10=x\n", nil),
      ("some avg10=nan\n", nil), ("some avg10=101\n", nil), ("some avg10=-1\n", nil), ("", nil),
      (nil, nil),
    ] as [(String?, Double?)])
  func `how long tasks waited`(_ text: String?, _ percent: Double?) {
    #expect(MemoryPressureText.someOfTenSeconds(text) == percent)
  }

  @Test func `what is not there is not known`() {
    let source = MemoryPressureSource.cgroup(path: "/nowhere").withPressureStall(path: "/nowhere")
    #expect(source.usedBytes() == nil)
    #expect(source.limitBytes() == nil)
    #expect(source.stall() == nil)
    #expect(SmallFile.text("/") == nil)
  }

  @Test func `the program says it`() {
    let manual = ManualMemoryPressure(usedBytes: 1)
    let source = manual.source
    #expect(source.usedBytes() == 1)
    #expect(source.limitBytes() == nil)
    manual.usedBytes = nil
    manual.limitBytes = 7
    #expect(source.usedBytes() == nil)
    #expect(source.limitBytes() == 7)
    #expect(source.stall() == nil)
  }
}
