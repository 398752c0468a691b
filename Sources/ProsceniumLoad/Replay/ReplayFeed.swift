// SPDX-License-Identifier: Apache-2.0

/// Reads a log and hands each request to the worker of its user.
struct ReplayFeed<C: Clock>: Sendable where C.Duration == Duration {
  /// Where log time and the clock's time were the same.
  private struct Origin {
    let logTime: Int64
    let instant: C.Instant
  }

  let path: String
  let settings: ReplaySettings
  let clock: C
  let queues: [BoundedQueue<ReplayItem>]
  let journal: ReplayJournal
  let display: ReplayDisplay<C>?
  /// Is told after which line the run goes on, if it is not the first one.
  let continued: (@Sendable (Int) -> Void)?

  /// Reads to the end of the log, or until the task is cancelled, and ends the queues.
  ///
  /// What earlier runs have read is read in any case.
  func run(_ recall: ReplayRecall) async -> Result<ReplayInput, any Error> {
    let result: Result<ReplayInput, any Error>
    do {
      result = .success(try await read(recall))
    } catch {
      result = .failure(error)
    }
    for queue in queues { await queue.finish() }
    return result
  }

  private func read(_ recall: ReplayRecall) async throws -> ReplayInput {
    var input = ReplayInput(
      verifier: ReplayVerifier(windows: settings.windows, tabs: settings.tabs))
    var recall = recall
    var users = ReplayUsers()
    var log = ReplayDigest()
    var origin: Origin?
    var display = display
    var reader = try AccessLogReader(path: path)
    if recall.isOver { input.continuation = tell(recall) }
    while !Task.isCancelled || !recall.isOver {
      guard let entry = try reader.next() else {
        guard recall.isOver else { throw recall.otherLog }
        input.isComplete = true
        break
      }
      let fraction = fraction(reader.bytesRead, reader.size)
      switch entry {
      case .malformed(let error, let line): input.note(error, line: line)
      case .request(let line, let number):
        log.add(line, line: number)
        var time = input.time
        time.advance(to: line.time)
        let request = ReplayRequest(
          line, number: number, user: users.user(of: line),
          time: time.seconds, log: log)
        if recall.isOver {
          guard await wait(for: request, &origin) else { break }
          input.note(line, request)
          await send(.deliver(request))
        } else {
          input.note(line, request)
          let items = try recall.take(request)
          if recall.isOver {
            display?.begin(at: fraction)
            input.continuation = tell(recall)
          }
          await send(items, &origin)
        }
      }
      display?.show(journal.counts.requests, fraction)
    }
    input.lines = reader.lineCount
    display?.finish()
    return input
  }

  /// Tells after which line the run goes on, if there was an earlier one.
  private func tell(_ recall: ReplayRecall) -> Int? {
    guard recall.isContinued else { return nil }
    display?.finish()
    continued?(recall.continuation)
    return recall.continuation
  }

  /// Hands on what was left to do in the part that was read; the run does not end before that.
  private func send(_ items: [ReplayItem], _ origin: inout Origin?) async {
    for item in items {
      if case .deliver(let request) = item { _ = await wait(for: request, &origin) }
      await send(item)
    }
  }

  private func send(_ item: ReplayItem) async {
    await queues[item.user.number % queues.count].send(item)
  }

  private func fraction(_ bytes: Int, _ size: Int?) -> Double? {
    guard let size, size > 0 else { return nil }
    return Double(bytes) / Double(size)
  }

  /// Waits until the log time of a request has come; returns false if the task was cancelled.
  private func wait(for request: ReplayRequest, _ origin: inout Origin?) async -> Bool {
    guard case .times(let factor) = settings.speed, factor > 0 else { return true }
    let start = origin ?? Origin(logTime: request.time, instant: clock.now)
    origin = start
    let seconds = Double(request.time - start.logTime) / factor
    // Beyond what a duration holds nobody waits to the end anyway.
    let due = start.instant.advanced(by: .seconds(min(seconds, 1e12)))
    guard due > clock.now else { return true }
    do {
      try await clock.sleep(until: due, tolerance: nil)
      return true
    } catch {
      return false
    }
  }
}

/// What was read of a log.
struct ReplayInput: Sendable {
  /// How many malformed lines are shown.
  static let malformedShown = 5

  var verifier: ReplayVerifier
  var lines = 0
  var malformedCount = 0
  var malformed: [String] = []
  var time = LogTime()
  /// Whether the log was read to its end.
  var isComplete = false
  /// The line after which the run went on, or nil if it was the first one.
  var continuation: Int?

  mutating func note(_ line: AccessLogLine, _ request: ReplayRequest) {
    time.advance(to: line.time)
    verifier.append(line, line: request.line)
  }

  mutating func note(_ error: AccessLogSyntaxError, line: Int) {
    malformedCount += 1
    if malformed.count < Self.malformedShown { malformed.append("line \(line): \(error)") }
  }
}
