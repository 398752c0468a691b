// SPDX-License-Identifier: Apache-2.0

/// Shows what windows draw; they run at the same time, so that the lines of a step are sorted.
struct Screen: Sendable {
  private let lines: AsyncStream<String>
  private let source: AsyncStream<String>.Continuation

  init() {
    (lines, source) = AsyncStream.makeStream()
  }

  func show(_ line: String) {
    source.yield(line)
  }

  /// Waits for some lines and prints them under a heading.
  func next(_ count: Int, _ heading: String) async {
    var step: [String] = []
    for await line in lines {
      step.append(line)
      if step.count == count { break }
    }
    print(heading)
    for line in step.sorted() { print("  \(line)") }
  }
}
