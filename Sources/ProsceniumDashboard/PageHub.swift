// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import ProsceniumPrimitives

/// The pages that are open, up to a limit.
final class PageHub: Sendable {
  private struct State: Sendable {
    var pages: [Int: AsyncStream<[DashboardFragment]>.Continuation] = [:]
    var nextNumber = 0
    /// The last update, which a page that opens is given at once; nil while no page is open.
    var latest: [DashboardFragment]?
    var isEnded = false
  }

  let limit: Int
  private let state = Guarded(State())

  /// Creates a hub without pages.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether a page is open.
  var isWatched: Bool { state.withLock { !$0.pages.isEmpty } }

  /// Opens a page, unless there are as many as may be or the server has ended.
  ///
  /// A page that reads slowly is given the newest update alone, and costs no more memory than one.
  ///
  /// - Returns: The page; it is closed when its last reference goes.
  func open() -> PageStream? {
    let (updates, page) = AsyncStream.makeStream(
      of: [DashboardFragment].self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      guard !state.isEnded, state.pages.count < limit else { return nil }
      state.nextNumber += 1
      state.pages[state.nextNumber] = page
      if let latest = state.latest { page.yield(latest) }
      return state.nextNumber
    }
    guard let number else { return nil }
    page.onTermination = { [weak self] _ in self?.close(number) }
    return PageStream(updates: updates)
  }

  /// Gives every page an update.
  func send(_ update: [DashboardFragment]) {
    let pages = state.withLock { state in
      state.latest = state.pages.isEmpty ? nil : update
      return Array(state.pages.values)
    }
    for page in pages { page.yield(update) }
  }

  /// Ends every page, those that are yet to open included.
  func end() {
    let pages = state.withLock { state in
      state.isEnded = true
      return Array(state.pages.values)
    }
    for page in pages { page.finish() }
  }

  private func close(_ number: Int) {
    state.withLock { state in
      state.pages[number] = nil
      if state.pages.isEmpty { state.latest = nil }
    }
  }
}

/// The body of the answer that never ends: what each update of a page has changed, as server-sent
/// events.
struct PageStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let updates: AsyncStream<[DashboardFragment]>

  func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private var updates: AsyncStream<[DashboardFragment]>.Iterator
    private var sent: Set<DashboardFragment> = []
    // Asks the browser to come again two seconds after the stream has broken.
    private var rest = Array("retry: 2000\n\n".utf8)[...]

    init(updates: AsyncStream<[DashboardFragment]>.Iterator) {
      self.updates = updates
    }

    mutating func next() async -> UInt8? {
      await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let update = await updates.next(isolation: #isolation) else { return nil }
        rest = Self.bytes(update.filter { !sent.contains($0) })[...]
        sent = Set(update)
      }
      defer { rest = rest.dropFirst(Swift.max(count, 1)) }
      return rest.prefix(Swift.max(count, 1))
    }

    /// One event for each fragment: its name in the first line, its HTML in the others.
    ///
    /// Without fragments it is a comment, which shows a connection that is gone as gone.
    static func bytes(_ fragments: [DashboardFragment]) -> [UInt8] {
      guard !fragments.isEmpty else { return Array(":\n\n".utf8) }
      var text = ""
      for fragment in fragments {
        text += "event: fragment\ndata: \(fragment.id)\n"
        // A carriage return alone would end the line as well.
        for line in fragment.html.split(whereSeparator: \.isNewline) { text += "data: \(line)\n" }
        text += "\n"
      }
      return Array(text.utf8)
    }
  }
}
