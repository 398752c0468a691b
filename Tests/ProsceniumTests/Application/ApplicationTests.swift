// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import Testing

@Suite struct ApplicationTests {
  @Test func `a new session connects and comes to the foreground, in UIKit's order`() async throws {
    let log = CallLog()
    let application = Application(
      manifest: [SceneConfiguration("Editor") { LoggingDelegate(log) }],
      settings: .counted, log: .silent)
    try await application.whileRunning {
      let session = try await application.requestSceneSessionActivation(nil)
      #expect(application.applicationState == .active)
      #expect(application.openSessions == [session])
      try await application.host.background(session.id)
      #expect(application.applicationState == .background)
      try await application.host.disconnect(session.id)
      #expect(application.connectedSceneCount == 0)
    }
    #expect(
      log.lines == [
        "S1.willConnect unattached", "S1.willEnterForeground background",
        "S1.didBecomeActive foregroundActive", "S1.willResignActive foregroundActive",
        "S1.didEnterBackground background", "S1.stateRestorationActivity background",
        "S1.didDisconnect unattached",
      ])
  }
}
