// SPDX-License-Identifier: Apache-2.0

/// One line on the terminal that says how far work has come; nothing where there is no terminal.
struct ProgressLine {
  private let verb: String
  private let isShown = Terminal.errorColumns != nil
  private var percent = -1

  /// Makes a line that says what is being done, such as `verifying`.
  init(_ verb: String) {
    self.verb = verb
  }

  /// Shows how much of how much is done.
  mutating func show(_ done: Int, of total: Int) {
    let share = total > 0 ? done * 100 / total : 100
    guard isShown, share != percent else { return }
    percent = share
    Terminal.writeError("\r\(verb) \(share) %")
  }

  /// Takes the line away.
  func end() {
    if percent >= 0 { Terminal.writeError("\r\u{1B}[K") }
  }
}
