// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// The index of contained texts against a search through all of them.
@Suite struct SubstringIndexTests {
  /// An index that changes at random, and what it has to hold.
  private struct Walk: ~Copyable {
    let index = SubstringIndex()
    let letterCount: UInt8
    var probe: IndexProbe
    var random: SplitMix64
    var retired = RetiredList<UInt>()
    var sessions: [[UInt8]: Int] = [:]
    var free: [Int]

    init(letterCount: UInt8, seed: UInt64) {
      self.letterCount = letterCount
      probe = IndexProbe(sessionCount: 80, seed: seed)
      random = SplitMix64(seed: seed &* 11)
      free = Array(0..<80)
    }

    mutating func text(_ lengths: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: lengths, using: &random)).map { _ in
        UInt8.random(in: 0..<letterCount, using: &random)
      }
    }

    mutating func insert() {
      let text = text(Bool.random(using: &random) ? 1...4 : 5...20)
      guard sessions[text] == nil, let session = free.popLast() else { return }
      unsafe text.withUnsafeBytes { bytes in
        probe.enter(session, unsafe index.insert(bytes, 0, &retired))
      }
      sessions[text] = session
    }

    mutating func remove() {
      let texts = sessions.keys.sorted { $0.lexicographicallyPrecedes($1) }
      guard let text = texts.randomElement(using: &random) else { return }
      let term = unsafe text.withUnsafeBytes { unsafe index.find($0) }
      if term.isNone { return }
      index.remove(term, &retired)
      term.destroy()
      if let session = sessions.removeValue(forKey: text) { free.append(session) }
    }

    /// A description of a difference, or nil.
    mutating func check() -> String? {
      let subject = text(0...30)
      let matching = sessions.filter { text, _ in
        subject.indices.contains { subject[$0...].starts(with: text) }
      }
      let right = probe.best(of: matching.values)
      let found = probe.best(for: subject, in: index)
      if found != right {
        return "\(subject) finds \(found ?? -1), not \(right ?? -1), among \(sessions)"
      }
      for text in sessions.keys {
        let isFound = unsafe text.withUnsafeBytes { unsafe !index.find($0).isNone }
        if !isFound { return "\(text) is not found" }
      }
      return nil
    }
  }

  @Test(arguments: [1, 2, 3, 200] as [UInt8])
  func `every contained text is found, whatever came and went`(_ letterCount: UInt8) throws {
    for seed in UInt64(1)...4 {
      var walk = Walk(letterCount: letterCount, seed: seed)
      for step in 0..<300 {
        let isGrowing = step % 150 < 90
        if Int.random(in: 0..<4, using: &walk.random) == 0 ? !isGrowing : isGrowing {
          walk.insert()
        } else {
          walk.remove()
        }
        if step % 20 == 0 { walk.probe.shuffle() }
        let difference = walk.check()
        try #require(difference == nil, "seed \(seed), step \(step): \(difference ?? "")")
      }
      walk.retired.free()
    }
  }

  @Test(arguments: 1...20)
  func `a text is found at every place of another, and only there`(_ byteCount: Int) {
    var retired = RetiredList<UInt>()
    let index = SubstringIndex()
    let probe = IndexProbe(sessionCount: 1, seed: 1)
    let text = (0..<byteCount).map { UInt8($0 + 1) }
    let zeros = [UInt8](repeating: 0, count: 9)
    unsafe text.withUnsafeBytes { probe.enter(0, unsafe index.insert($0, 0, &retired)) }
    for before in 0...9 {
      for after in 0...9 {
        let (before, after) = (Array(zeros.prefix(before)), Array(zeros.prefix(after)))
        let whole = before + text + after
        let cut = before + text.dropLast() + after
        #expect(probe.best(for: whole, in: index) == 0)
        #expect(probe.best(for: cut, in: index) == nil)
      }
    }
    retired.free()
  }
}
