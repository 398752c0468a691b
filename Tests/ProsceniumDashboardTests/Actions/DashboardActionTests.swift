// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumDashboard

@Suite(.timeLimit(.minutes(10))) struct DashboardActionTests {
  @Test(arguments: [
    (DashboardAction.Name.disconnect, ""), (.disconnect, "session"), (.disconnect, "session=7"),
    (.disconnect, "count=1"), (.discard, "session=00000000-0000-4000-8000-000000000001&x=1"),
    (.pressure, "keep=100"), (.pressure, "keep=-1"), (.pressure, "keep="), (.pressure, "keep=1.5"),
    (.storm, "count=0"), (.storm, "count=11"), (.storm, "count=99999999999999999999"),
  ])
  func `a parameter that does not fit is refused`(_ name: DashboardAction.Name, _ body: String) {
    let error = #expect(throws: DashboardError.self) {
      try DashboardAction(name, body: body.utf8, limit: 10)
    }
    #expect(error?.code == .badParameter)
  }

  @Test func `an action is read from its body`() throws {
    let session = SessionIdentifier(high: 0x4000, low: 0x8000_0000_0000_0001)
    let read = { (name: DashboardAction.Name, body: String) in
      try DashboardAction(name, body: body.utf8, limit: 10)
    }
    #expect(try read(.disconnect, "session=\(session)") == .disconnect(session))
    #expect(try read(.discard, "session=\(session)") == .discard(session))
    #expect(try read(.pressure, "keep=0") == .pressure(keeping: 0))
    #expect(try read(.storm, "count=10") == .storm(count: 10))
  }

  @Test func `a page without the token cannot act`() async throws {
    try await DashboardStage.run { stage in
      let session = try await stage.application.open("Ada")
      for (token, code) in [(nil, "missingToken"), ("0", "wrongToken")] {
        let reply = try await stage.act("discard", "session=\(session.id)", token: token)
        #expect(reply.status == 403)
        #expect(reply.code == code)
      }
      await stage.application.settle()
      #expect(stage.application.session(session.id) != nil)
    }
  }

  @Test func `a dashboard is for looking unless it is given a token`() async throws {
    try await DashboardStage.run(DashboardSettings()) { stage in
      let session = try await stage.application.open("Ada")
      let reply = try await stage.act("discard", "session=\(session.id)")
      #expect(reply.status == 403)
      #expect(reply.code == "readOnly")
      #expect(!(try await stage.client.send("GET", "/").body.contains("<button")))
      #expect(try await stage.firstUpdate()["scenes"]?.contains("<button") == false)
    }
  }

  @Test func `the token is read from its header alone`() async throws {
    try await DashboardStage.run { stage in
      let token = DashboardToken.ofTests.text
      let reply = try await stage.client.send(
        "POST", "/actions/storm?X-Proscenium-Token=\(token)", ["Cookie": token], body: "count=1")
      #expect(reply.code == "missingToken")
    }
  }

  @Test func `the button of an active scene disconnects it and keeps its session`() async throws {
    try await DashboardStage.run { stage in
      let session = try await stage.application.open("Ada")
      let reply = try await stage.act("disconnect", "session=\(session.id)")
      #expect(reply.status == 202)
      #expect(reply.code == "accepted")
      await stage.application.settle()
      #expect(stage.application.scene(for: session.id) == nil)
      #expect(stage.application.session(session.id) != nil)
    }
  }

  @Test func `the other button ends a session for good, once`() async throws {
    try await DashboardStage.run { stage in
      let session = try await stage.application.open("Ada")
      #expect(try await stage.act("discard", "session=\(session.id)").status == 202)
      await stage.application.settle()
      #expect(stage.application.session(session.id) == nil)
      let again = try await stage.act("discard", "session=\(session.id)")
      #expect(again.status == 404)
      #expect(again.code == "unknownSession")
    }
  }

  @Test func `pressure disconnects scenes in the background down to a share`() async throws {
    try await DashboardStage.run { stage in
      for number in 0..<10 {
        let session = try await stage.application.open("\(number)")
        if number > 0 { try await stage.application.host.perform(.background(session.id)) }
      }
      let reply = try await stage.act("pressure", "keep=40")
      #expect(reply.message?.hasPrefix("Up to 6 of 10 scenes") == true)
      await stage.application.settle()
      #expect(stage.application.connectedSceneCount == 4)
    }
  }

  @Test func `a storm connects sessions without scenes, as many as it may`() async throws {
    var settings = DashboardSettings.acting
    settings.actionLimit = 5
    try await DashboardStage.run(settings) { stage in
      for number in 0..<8 {
        let session = try await stage.application.open("\(number)")
        try await stage.application.host.perform(.background(session.id))
        try await stage.application.host.perform(.disconnect(session.id))
      }
      #expect(try await stage.act("storm", "count=6").code == "badParameter")
      let reply = try await stage.act("storm", "count=5")
      #expect(reply.message == "5 sessions are being connected.")
      await stage.application.settle()
      #expect(stage.application.connectedSceneCount == 5)
    }
  }

  @Test func `what the application refuses at once is told`() async throws {
    let application = Application(
      manifest: SceneManifest([SceneConfiguration("Main") { TitledDelegate() }]), log: .silent)
    let session = try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      let session = try await application.open("Ada")
      group.cancelAll()
      try await group.waitForAll()
      return session
    }
    let error = #expect(throws: DashboardError.self) {
      try DashboardAction.discard(session.id).perform(on: application, limit: 1)
    }
    #expect(error?.code == .requestRefused)
    #expect(error?.message.contains("notRunning") == true)
  }
}
