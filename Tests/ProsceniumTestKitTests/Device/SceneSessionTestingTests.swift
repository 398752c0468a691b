// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit
import Testing

@Suite struct SceneSessionTestingTests {
  @Test func `a session for a test holds what its row says`() {
    let session = SceneSession(
      testing: StoredSession(
        persistentIdentifier: .number(7), configurationName: "Pad", userInfo: ["a": 1],
        title: "Seven"))
    #expect(session.persistentIdentifier.label == "S7")
    #expect(session.configuration.name == "Pad")
    #expect(session.userInfo == ["a": 1])
    #expect(session.title == "Seven")
  }

  @Test func `a chooser of configurations can be asked by itself`() async {
    let application = Application(manifest: .pads)
    let name = await choice(application, Scene.ConnectionOptions(.activity(UserActivity("blank"))))
    #expect(name == "Blank")
  }

  private func choice(
    _ application: isolated Application, _ options: Scene.ConnectionOptions
  ) -> String? {
    let session = SceneSession(testing: 1, configuration: .init("Pad", Pad.init))
    return PadDelegate().application(
      application, configurationForConnecting: session, options: options
    ).name
  }

  @Test(arguments: [0, 1, 0xFFFF_FFFF_FFFF as UInt64])
  func `a counted identifier has its number`(number: UInt64) {
    #expect(SessionIdentifier.number(number).number == number)
    #expect(SessionIdentifier.number(number).label == "S\(number)")
  }

  @Test func `another identifier has none`() throws {
    let other = try #require(SessionIdentifier("00000000-0000-4000-9000-000000000001"))
    #expect(other.number == nil)
    #expect(other.label == "S00000000-0000-4000-9000-000000000001")
  }
}
