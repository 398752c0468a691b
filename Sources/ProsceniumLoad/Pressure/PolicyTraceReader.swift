// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// Reads a trace of sessions: from an access log, or as something recorded it.
///
/// Both are plain text or gzip. The first line that is not empty tells which it is. In a recorded
/// trace each line is an event: the name of its session, or seconds, a space and the name; the
/// seconds, which may have decimals, are left out. A name has 1 to 256 bytes and no white space.
/// Lines of an access log that are no requests are counted and left out.
package struct PolicyTraceReader: ~Copyable {
  private enum Format {
    case log
    case names
    case timedNames
  }

  private static let nameLimit = 256

  private let path: String
  private var trace = PolicyTrace()
  private var format: Format?
  private var windows = PolicyWindows()
  private var numbers: [String: UInt32] = [:]
  private var lineCount = 0

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - path: The path of the file; `-` is standard input.
  ///   - progress: Is told now and then how many bytes of how many are read, where that is known.
  /// - Returns: A trace with at least one event.
  /// - Throws: `FileError` where the file cannot be read, is no text, or has lines that are no
  ///   trace.
  package static func read(
    _ path: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> PolicyTrace {
    var reader = PolicyTraceReader(path: path)
    return try reader.read(progress)
  }

  private init(path: String) { self.path = path }

  private mutating func read(_ progress: (Int, Int) -> Void) throws -> PolicyTrace {
    var source = try AccessLogSource(path: path)
    var splitter = LineSplitter(limit: AccessLogReader.lineLimit)
    var chunk = try source.firstChunk(expecting: "the text of an access log or a trace")
    while !chunk.isEmpty {
      splitter.feed(chunk)
      while let line = splitter.nextLine() { try take(line) }
      if let size = source.size { progress(source.bytesRead, size) }
      chunk = try source.chunk()
    }
    if let line = splitter.lastLine() { try take(line) }
    guard !trace.events.isEmpty else { throw noEvents }
    return trace
  }

  // MARK: - Lines

  private mutating func take(_ line: LineSplitter.Line) throws {
    lineCount += 1
    guard case .text(let bytes) = line, !bytes.contains(0) else {
      guard format == nil || format == .log else {
        throw malformed("found over 64 KiB, or a NUL byte")
      }
      trace.malformedCount += 1
      return
    }
    let words = bytes.split(maxSplits: 3) { $0 == 0x20 || $0 == 0x09 }
    if words.isEmpty { return }
    let format = format ?? Self.format(of: words)
    self.format = format
    switch format {
    case .log: takeRequest(bytes)
    case .names:
      guard words.count == 1 else { throw malformed("found several words") }
      trace.append(try number(ofName: words[0]))
    case .timedNames:
      guard words.count == 2, Self.isSeconds(words[0]) else {
        throw malformed("found something else")
      }
      trace.append(try number(ofName: words[1]))
    }
    try checkLimits()
  }

  /// Lines of an access log have more words, even if a part of them is missing.
  private static func format(of words: [ArraySlice<UInt8>]) -> Format {
    if words.count == 1 { return .names }
    return words.count == 2 && isSeconds(words[0]) ? .timedNames : .log
  }

  private mutating func takeRequest(_ bytes: ArraySlice<UInt8>) {
    guard let line = try? AccessLogLine(parsing: bytes) else {
      trace.malformedCount += 1
      return
    }
    let (session, destroyed) = windows.session(for: line)
    if let destroyed { trace.discard(destroyed) }
    trace.append(session)
  }

  private mutating func number(ofName bytes: ArraySlice<UInt8>) throws -> UInt32 {
    guard bytes.count <= Self.nameLimit else {
      throw malformed("found a name of \(bytes.count) bytes, \(Self.nameLimit) at most")
    }
    let name = String(decoding: bytes, as: UTF8.self)
    if let number = numbers[name] { return number }
    let number = UInt32(numbers.count)
    numbers[name] = number
    return number
  }

  /// Whether a word is a number without a sign, below a million million.
  private static func isSeconds(_ word: ArraySlice<UInt8>) -> Bool {
    let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && (1...12).contains(parts[0].count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(Byte.isDigit) }
  }

  // MARK: - Errors

  private func checkLimits() throws {
    guard trace.events.count <= PolicyTrace.eventLimit else {
      throw tooLong("\(NumberText.grouped(PolicyTrace.eventLimit)) events")
    }
    guard trace.sessionCount <= PolicyTrace.sessionLimit else {
      throw tooLong("\(NumberText.grouped(PolicyTrace.sessionLimit)) sessions")
    }
  }

  private func tooLong(_ limit: String) -> FileError {
    FileError(
      .tooLong, file: path, line: lineCount, "expected at most \(limit), found one more.")
  }

  private func malformed(_ found: String) -> FileError {
    let expected = format == .timedNames ? "seconds and the name of a session" : "one name"
    return FileError(
      .malformedLine, file: path, line: lineCount,
      "expected \(expected), as on the lines before, \(found).")
  }

  private var noEvents: FileError {
    let count = trace.malformedCount
    let found = count == 0 ? "nothing" : "\(count) malformed line" + (count == 1 ? "" : "s")
    return FileError(
      .noEvents, file: path,
      "expected an access log or one session's name a line, found \(found).")
  }
}

/// A reader belongs to the task that reads.
@available(*, unavailable)
extension PolicyTraceReader: Sendable {}

/// Tells to which session each request of a log goes, by the rules of `proscenium replay`.
///
/// A session is a browser window of a user, who has up to eight; a window shows its last eight
/// paths as tabs. A request goes to a window that has its path open; else one with a referrer to
/// any window, and one without to a new window. Of several windows it is the last one used. One
/// window too many destroys the least recently used of its user.
struct PolicyWindows: Sendable {
  private struct Window: Sendable {
    let session: UInt32
    /// Numbers of paths, the most recent last.
    var tabs: [UInt32] = []
  }

  private let windowLimit = ReplaySettings().windows
  private let tabLimit = ReplaySettings().tabs
  private var users = ReplayUsers()
  private var paths: [String: UInt32] = [:]
  /// The open windows of each user, the most recently used last.
  private var open: [[Window]] = []
  /// The number of sessions so far.
  private(set) var sessionCount = 0

  /// Takes the next request.
  ///
  /// - Returns: The session that it goes to, and the one that is destroyed for it.
  mutating func session(for line: AccessLogLine) -> (session: UInt32, destroyed: UInt32?) {
    let user = users.user(of: line).number - 1
    if user == open.count { open.append([]) }
    let path = number(of: line.location)
    let index =
      open[user].lastIndex { $0.tabs.contains(path) }
      ?? (line.referrer == nil ? nil : open[user].indices.last)
    var window: Window
    var destroyed: UInt32?
    if let index {
      window = open[user].remove(at: index)
    } else {
      if open[user].count == windowLimit { destroyed = open[user].removeFirst().session }
      window = Window(session: UInt32(sessionCount))
      sessionCount += 1
    }
    window.tabs.removeAll { $0 == path }
    if window.tabs.count == tabLimit { window.tabs.removeFirst() }
    window.tabs.append(path)
    open[user].append(window)
    return (window.session, destroyed)
  }

  private mutating func number(of path: String) -> UInt32 {
    let tab = ReplayIdentifier.tab(forPath: path)
    if let number = paths[tab] { return number }
    let number = UInt32(paths.count)
    paths[tab] = number
    return number
  }
}
