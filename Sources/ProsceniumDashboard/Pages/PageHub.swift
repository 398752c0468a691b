// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The pages that are open, up to a limit.
final class PageHub: Sendable {
  private struct State: Sendable {
    var pages: [Int: PageMailbox] = [:]
    var nextNumber = 0
    /// The last update as a whole: what a page that opens is given first.
    var latest: [DashboardFragment] = []
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
  /// - Returns: The page; it is closed when its last reference goes.
  func open() -> OpenPage? {
    let mailbox = PageMailbox()
    let opened = state.withLock { state -> (number: Int, latest: [DashboardFragment])? in
      guard !state.isEnded, state.pages.count < limit else { return nil }
      state.nextNumber += 1
      state.pages[state.nextNumber] = mailbox
      return (state.nextNumber, state.latest)
    }
    guard let opened else { return nil }
    if !opened.latest.isEmpty { mailbox.post(opened.latest) }
    return OpenPage(mailbox: mailbox, hub: self, number: opened.number)
  }

  /// Sends every page what has changed since the last update.
  func send(_ fragments: [DashboardFragment]) {
    let (pages, changed) = state.withLock { state in
      let known = Set(state.latest)
      // Without pages the next one has to be given everything again.
      state.latest = state.pages.isEmpty ? [] : fragments
      return (Array(state.pages.values), fragments.filter { !known.contains($0) })
    }
    for page in pages { page.post(changed) }
  }

  /// Ends every page, those that are yet to open included.
  func end() {
    let pages = state.withLock { state in
      state.isEnded = true
      return Array(state.pages.values)
    }
    for page in pages { page.end() }
  }

  fileprivate func close(_ number: Int) {
    state.withLock { state in
      state.pages[number] = nil
      if state.pages.isEmpty { state.latest = [] }
    }
  }
}

/// A page that is open for as long as its answer is being written.
final class OpenPage: Sendable {
  let mailbox: PageMailbox
  private let hub: PageHub
  private let number: Int

  fileprivate init(mailbox: PageMailbox, hub: PageHub, number: Int) {
    self.mailbox = mailbox
    self.hub = hub
    self.number = number
  }

  deinit { hub.close(number) }
}
