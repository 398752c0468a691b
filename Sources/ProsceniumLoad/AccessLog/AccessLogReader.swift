// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON

/// Reads the requests of an access log one by one, in bounded memory.
///
/// The log is plain text or gzip, which its first bytes tell, and may consist of several gzip
/// members. At most one line and two blocks of 64 KiB are in memory. Lines of white space only
/// are skipped, yet counted. A line with NUL bytes is malformed, as a loss of power leaves one, or
/// a log that is truncated while its server writes: what it was is not known.
public struct AccessLogReader: ~Copyable {
  /// One line of the log.
  public enum Entry: Hashable, Sendable {
    /// A request; the number of its line counts from 1.
    case request(AccessLogLine, number: Int)
    /// A line that is no request, and why; the number of the line counts from 1.
    case malformed(AccessLogSyntaxError, number: Int)
  }

  /// The longest line that is read, in bytes without its end; a longer one is malformed.
  public static let lineLimit = 65_536

  /// The number of lines read so far, of every kind.
  public private(set) var lineCount = 0
  /// The number of requests read so far.
  public private(set) var requestCount = 0
  /// The number of malformed lines read so far.
  public private(set) var malformedCount = 0
  /// The number of bytes read from the file so far, in its stored form.
  public var bytesRead: Int { source.bytesRead }
  /// The size of the file in bytes in its stored form; nil for a pipe or a terminal.
  public var size: Int? { source.size }

  private let path: String
  private var source: AccessLogSource
  private var splitter = LineSplitter(limit: AccessLogReader.lineLimit)
  private var isAtEnd = false
  private var firstMalformed: (number: Int, error: AccessLogSyntaxError)?

  /// Opens a log and looks at its first block.
  ///
  /// - Parameter path: The path of the log; `-` is standard input.
  /// - Throws: `.noSuchFile`, `.isDirectory`, `.unreadable`; `.notALog` where the text begins with
  ///   64 KiB that have NUL bytes, as binary files have, and no request, where a run of them
  ///   counts as one (of a pipe: up to 16 MiB), or is compressed by something else than gzip;
  ///   `.damagedGzip` and `.truncatedGzip` where this shows in the first block.
  public init(path: String) throws(FileError) {
    var source = try AccessLogSource(path: path)
    let first = try source.firstChunk(expecting: "the text of an access log")
    self.path = path
    self.source = source
    isAtEnd = first.isEmpty
    splitter.feed(first)
  }

  /// Reads on to the next request or malformed line.
  ///
  /// - Returns: The entry, in the order of the file; nil at the end of the log.
  /// - Throws: `.unreadable`, `.truncatedGzip` or `.damagedGzip` where reading fails;
  ///   `.noRequests` at the end of a log that holds none.
  public mutating func next() throws(FileError) -> Entry? {
    while let line = try nextLine() {
      lineCount += 1
      switch line {
      case .text(let bytes):
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
        do throws(AccessLogSyntaxError) {
          let request = try AccessLogLine(parsing: bytes)
          requestCount += 1
          return .request(request, number: lineCount)
        } catch {
          return malformed(error)
        }
      case .tooLong:
        return malformed(
          AccessLogSyntaxError(
            .lineEnd, column: Self.lineLimit + 1,
            expectation: "the end of the line after at most 64 KiB"))
      }
    }
    if requestCount == 0 { throw noRequests() }
    return nil
  }

  private mutating func nextLine() throws(FileError) -> LineSplitter.Line? {
    while true {
      if let line = splitter.nextLine() { return line }
      if isAtEnd { return splitter.lastLine() }
      let chunk = try source.chunk()
      isAtEnd = chunk.isEmpty
      splitter.feed(chunk)
    }
  }

  private mutating func malformed(_ error: AccessLogSyntaxError) -> Entry {
    malformedCount += 1
    if firstMalformed == nil { firstMalformed = (lineCount, error) }
    return .malformed(error, number: lineCount)
  }

  private func noRequests() -> FileError {
    let found: String
    if let firstMalformed {
      let lines = malformedCount == 1 ? "1 malformed line" : "\(malformedCount) malformed lines"
      found = "found \(lines), the first at line \(firstMalformed.number), \(firstMalformed.error)."
    } else {
      found = lineCount == 0 ? "found nothing." : "found empty lines only."
    }
    return FileError(.noRequests, file: path, "expected a request, \(found)")
  }
}

/// A reader belongs to the task that reads: it holds zlib's state.
@available(*, unavailable)
extension AccessLogReader: Sendable {}
