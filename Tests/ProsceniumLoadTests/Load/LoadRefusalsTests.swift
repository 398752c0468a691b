// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
@testable import ProsceniumLoad
import Testing

@Suite struct LoadRefusalsTests {
  @Test func `an event's refusal is taken once, and for no other event`() {
    let refusals = LoadRefusals()
    #expect(refusals.take(1) == nil)
    refusals.note(SceneError(.systemBusy, "full"), 2)
    #expect(refusals.take(3) == nil)
    #expect(refusals.take(2)?.code == .systemBusy)
    #expect(refusals.take(2) == nil)
  }

  @Test func `one that was accepted and fails later does not hide a newer one's refusal`() {
    let refusals = LoadRefusals()
    refusals.note(SceneError(.systemBusy, "full"), 2)
    refusals.note(SceneError(.lost, "ended"), 1)
    #expect(refusals.take(2)?.code == .systemBusy)
    refusals.note(SceneError(.lost, "ended"), 1)
    #expect(refusals.take(3) == nil)
  }
}
