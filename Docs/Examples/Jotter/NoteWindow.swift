// SPDX-License-Identifier: Apache-2.0

/// What a window of the program does: it shows one note, and what was typed into it.
///
/// It knows neither UIKit nor Proscenium. A scene delegate of either drives it, and shows what it
/// says.
final class NoteWindow {
  private(set) var name = "untitled"
  private(set) var text = ""
  private(set) var isBeingRead = false

  /// By which the window is found: `note:shopping`.
  var identifier: String { "note:\(name)" }

  /// The window opens: for something that the user wants, or as it was.
  func open(_ opening: Opening?, saved: [String: String]?) {
    name = saved?["name"] ?? name
    text = saved?["text"] ?? text
    show(opening)
  }

  /// The window is asked to show something, when it opens or later; nil is nothing that it knows.
  func show(_ opening: Opening?) {
    guard let opening, opening.name != name else { return }
    name = opening.name
    text = ""
  }

  func type(_ more: String) {
    text += more
  }

  /// Carries a quick action out; returns whether it knows it.
  func perform(_ action: String) -> Bool {
    guard action == "clear" else { return false }
    text = ""
    return true
  }

  func startReading() { isBeingRead = true }
  func stopReading() { isBeingRead = false }

  /// What has to be kept to open the window as it is.
  var state: [String: String] { ["name": name, "text": text] }
}

/// What a window is opened for: a note.
struct Opening: Equatable {
  let name: String

  /// The note that a URL names, or nil.
  init?(_ identifier: String?) {
    guard let identifier, identifier.hasPrefix("note:") else { return nil }
    name = String(identifier.dropFirst("note:".count))
  }
}
