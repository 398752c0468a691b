// SPDX-License-Identifier: Apache-2.0

/// Writes updates as the lines that a page's `EventSource` reads.
enum ServerSentEvent {
  /// Asks the browser to come again two seconds after the stream has broken.
  static let beginning = Array("retry: 2000\n\n".utf8)

  /// One event for each fragment: its name in the first line, its HTML in the others.
  ///
  /// Without fragments it is a comment, which shows a connection that is gone as gone.
  static func bytes(_ fragments: [DashboardFragment]) -> [UInt8] {
    guard !fragments.isEmpty else { return Array(":\n\n".utf8) }
    var text = ""
    for fragment in fragments {
      text += "event: fragment\ndata: \(fragment.id)\n"
      // A carriage return alone would end the line as well.
      let lines = fragment.html.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
      for line in lines { text += "data: \(line)\n" }
      text += "\n"
    }
    return Array(text.utf8)
  }
}
