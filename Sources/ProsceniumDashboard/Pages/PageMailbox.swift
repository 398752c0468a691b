// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What one page has not been sent yet: of each fragment the newest alone.
///
/// A page that reads slowly therefore costs no more memory than one update, and catches up in one.
final class PageMailbox: Sendable {
  private struct State: Sendable {
    var fragments: [DashboardFragment] = []
    /// An update has come since the page took the last one, though nothing may have changed.
    var isDue = false
    var isEnded = false
    var reader: CheckedContinuation<[DashboardFragment]?, Never>?

    /// What the page is given now: nil inside for the end, nil outside if it has to wait.
    mutating func take() -> [DashboardFragment]?? {
      if isEnded { return .some(nil) }
      guard isDue else { return nil }
      isDue = false
      defer { fragments = [] }
      return .some(fragments)
    }
  }

  private let state = Guarded(State())

  /// Leaves fragments for the page, in the place of older ones of the same names.
  func post(_ fragments: [DashboardFragment]) {
    let reader = state.withLock { state in
      for fragment in fragments {
        if let place = state.fragments.firstIndex(where: { $0.id == fragment.id }) {
          state.fragments[place] = fragment
        } else {
          state.fragments.append(fragment)
        }
      }
      state.isDue = true
      return Self.ready(&state)
    }
    reader?.continuation.resume(returning: reader?.fragments)
  }

  /// Ends the page: what it has not taken is dropped.
  func end() {
    let reader = state.withLock { state in
      state.isEnded = true
      return Self.ready(&state)
    }
    reader?.continuation.resume(returning: reader?.fragments)
  }

  /// Waits for the next update.
  ///
  /// - Returns: What has changed, perhaps nothing; nil when the page or its task has ended.
  func next() async -> [DashboardFragment]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> [DashboardFragment]?? in
          if Task.isCancelled { state.isEnded = true }
          let answer = state.take()
          if answer == nil { state.reader = continuation }
          return answer
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      end()
    }
  }

  private struct ReadyReader: Sendable {
    let continuation: CheckedContinuation<[DashboardFragment]?, Never>
    let fragments: [DashboardFragment]?
  }

  /// The reader that waits, with what it gets; the caller resumes it outside the lock.
  private static func ready(_ state: inout State) -> ReadyReader? {
    guard let continuation = state.reader, let fragments = state.take() else { return nil }
    state.reader = nil
    return ReadyReader(continuation: continuation, fragments: fragments)
  }
}
