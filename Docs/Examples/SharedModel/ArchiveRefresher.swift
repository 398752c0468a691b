// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Keeps the switcher's pictures of windows that are not in memory up to date.
///
/// No code runs in such a window. This object lives as long as the application, and asks for a
/// refresh: the runtime connects the scene in the background and takes a new snapshot.
struct ArchiveRefresher {
  let application: Application
  let events: AsyncStream<GuestBook.Event>
  let screen: Screen

  func run() async {
    for await _ in events {
      let archived = application.openSessions.filter { application.scene(for: $0.id) == nil }
      for session in archived { application.submit(.refresh(session.id)) }
      screen.show("not in memory: \(archived.count)")
    }
  }
}
