// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A folder of texts, in the place of files on a disk: it is there when the process is gone.
final class Folder: Sendable {
  private let files: Mutex<[String: String]>

  init(_ files: [String: String] = [:]) {
    self.files = Mutex(files)
  }

  subscript(name: String) -> String? {
    get { files.withLock { $0[name] } }
    set { files.withLock { $0[name] = newValue } }
  }

  var names: [String] { files.withLock { $0.keys.sorted() } }
}

/// What the program keeps: a document about each clown, and a draft for each editor window.
struct Town: Sendable {
  let clowns: Folder
  let drafts = Folder()
}
