// SPDX-License-Identifier: Apache-2.0

/// Reads a log and hands each request to the worker of its user.
struct ReplayFeed<C: Clock>: Sendable where C.Duration == Duration {
  let path: String
  let settings: ReplaySettings
  let clock: C
  let queues: [BoundedQueue<ReplayRequest>]
  let journal: ReplayJournal
  let display: ReplayDisplay<C>?

  /// Reads to the end of the log, or until the task is cancelled, and ends the queues.
  func run() async -> Result<ReplayInput, AccessLogError> {
    let result: Result<ReplayInput, AccessLogError>
    do throws(AccessLogError) {
      result = .success(try await read())
    } catch {
      result = .failure(error)
    }
    for queue in queues { await queue.finish() }
    return result
  }

  private func read() async throws(AccessLogError) -> ReplayInput {
    var input = ReplayInput(
      verifier: ReplayVerifier(windows: settings.windows, tabs: settings.tabs))
    var users = ReplayUsers()
    var display = display
    let start = clock.now
    var reader = try AccessLogReader(path: path)
    while !Task.isCancelled {
      guard let entry = try reader.next() else {
        input.isComplete = true
        break
      }
      switch entry {
      case .malformed(let error, let line): input.note(error, line: line)
      case .request(let request, let line):
        let first = input.firstTime ?? request.time
        let time = max(input.lastTime ?? request.time, request.time)
        guard await wait(until: time, first: first, start) else { break }
        input.firstTime = first
        input.lastTime = time
        input.verifier.append(request, line: line)
        let user = users.user(of: request)
        await queues[user.number % queues.count].send(
          ReplayRequest(
            line: line, user: user,
            identifier: ReplayIdentifier(user: user, path: request.path), bytes: request.bytes,
            time: time, isActivation: request.referrer == nil))
      }
      display?.show(journal.counts.requests, fraction(reader.bytesRead, reader.size))
    }
    input.lines = reader.lineCount
    display?.finish()
    return input
  }

  private func fraction(_ bytes: Int, _ size: Int?) -> Double? {
    guard let size, size > 0 else { return nil }
    return Double(bytes) / Double(size)
  }

  /// Waits until a moment of log time has come; returns false if the task was cancelled.
  private func wait(until time: Int64, first: Int64, _ start: C.Instant) async -> Bool {
    guard case .times(let factor) = settings.speed, factor > 0 else { return true }
    let seconds = Double(time - first) / factor
    // Beyond what a duration holds nobody waits to the end anyway.
    let due = start.advanced(by: .seconds(min(seconds, 1e12)))
    guard due > clock.now else { return true }
    do {
      try await clock.sleep(until: due, tolerance: nil)
      return true
    } catch {
      return false
    }
  }
}
