// SPDX-License-Identifier: Apache-2.0

import FlyingSocks

/// The body of the answer that never ends: the updates of one page, as server-sent events.
struct PageStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let page: OpenPage

  func makeAsyncIterator() -> Iterator { Iterator(page: page) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let page: OpenPage
    private var rest: ArraySlice<UInt8>

    init(page: OpenPage) {
      self.page = page
      rest = ServerSentEvent.beginning[...]
    }

    mutating func next() async -> UInt8? {
      await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let fragments = await page.mailbox.next() else { return nil }
        rest = ServerSentEvent.bytes(fragments)[...]
      }
      defer { rest = rest.dropFirst(Swift.max(count, 1)) }
      return rest.prefix(Swift.max(count, 1))
    }
  }
}
