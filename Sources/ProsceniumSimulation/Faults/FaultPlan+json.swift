// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON

// A plan as a file. Times are numbers of seconds, to the microsecond.
extension FaultPlan {
  /// How many bytes the text of a plan can have: 1 MiB.
  public static let textLimit = 1 << 20

  /// Reads a plan.
  ///
  /// What is left out does not go wrong. Nothing is guessed: each key has to be known and each
  /// value inside its range, unlike in a plan that a program makes.
  ///
  /// - Parameters:
  ///   - json: An object in JSON, in UTF-8, up to ``textLimit``.
  ///   - file: The name of the file, for messages.
  /// - Throws: A `FileError` with the first thing that is wrong.
  public init(json: [UInt8], file: String = "plan") throws(FileError) {
    guard json.count <= Self.textLimit else {
      throw FileError(
        .outOfRange, file: file, place: "$",
        "expected up to \(Self.textLimit) bytes, found \(json.count).")
    }
    try self.init(try JSONParser.parse(json, file: file))
  }

  /// The plan as JSON in one line, with every value inside its range.
  ///
  /// What does not go wrong is left out, so that equal plans are equal texts. Read again it is the
  /// same plan, with its times rounded to microseconds.
  public var json: String { inRange.jsonValue.description }
}
