// SPDX-License-Identifier: Apache-2.0

/// Something that happens once and can be waited for; the wait ends when the task is cancelled.
struct Signal: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func give() {
    continuation.finish()
  }

  func wait() async {
    for await _ in stream {}
  }
}
