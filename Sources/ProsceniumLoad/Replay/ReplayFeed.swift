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
  /// Is told how far the run is.
  let show: @Sendable (ReplayPosition) -> Void
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
    var position = ReplayPosition()
    var reader = try AccessLogReader(path: path)
    if recall.isOver { input.continuation = tell(recall) }
    while !Task.isCancelled || !recall.isOver {
      guard let entry = try reader.next() else {
        guard recall.isOver else { throw recall.otherLog }
        input.isComplete = true
        break
      }
      position.fraction = reader.size.map { Double(reader.bytesRead) / Double(max($0, 1)) }
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
            position.start = position.fraction ?? 0
            input.continuation = tell(recall)
          }
          await send(items, &origin)
        }
      }
      position.requests = journal.counts.requests
      show(position)
    }
    input.lines = reader.lineCount
    return input
  }

  /// Tells after which line the run goes on, if there was an earlier one.
  private func tell(_ recall: ReplayRecall) -> Int? {
    guard recall.isContinued else { return nil }
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

  /// Waits until the log time of a request has come; returns false if the task was cancelled.
  private func wait(for request: ReplayRequest, _ origin: inout Origin?) async -> Bool {
    guard case .times(let factor) = settings.speed, factor > 0 else { return true }
    let start = origin ?? Origin(logTime: request.time, instant: clock.now)
    origin = start
    let seconds = Double(request.time - start.logTime) / factor
    // No run waits for longer than a duration holds.
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

/// How far a replay is.
public struct ReplayPosition: Hashable, Sendable {
  /// The number of requests that have been delivered.
  public internal(set) var requests = 0
  /// The part of the log that has been read, 0–1; nil where its size is not known.
  public internal(set) var fraction: Double?
  /// The part that had been read when the run went on with a store, below the fraction.
  public internal(set) var start = 0.0
}
