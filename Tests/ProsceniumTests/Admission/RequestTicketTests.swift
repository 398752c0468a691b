// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

@Suite struct RequestTicketTests {
  private let session = SceneSession(
    persistentIdentifier: SessionIdentifier(high: 1, low: 2),
    configuration: SceneConfiguration(name: nil, sessionRole: .windowApplication), details: .none)

  @Test func `a session is made for who wants it, and for no other caller`() async throws {
    var made = 0
    func make() -> SceneSession {
      made += 1
      return session
    }
    let completion = CompletionTicket()
    RequestTicket.completion(completion).succeed(make())
    try await completion.value()
    #expect(made == 0)
    let wanting = SessionTicket()
    RequestTicket.session(wanting).succeed(make())
    #expect(try await wanting.value().id == session.id)
    #expect(made == 1)
  }

  @Test func `a failure is told to both`() async {
    let error = SceneError(.lost, "it failed")
    let completion = CompletionTicket()
    let wanting = SessionTicket()
    for ticket in [RequestTicket.completion(completion), .session(wanting)] { ticket.fail(error) }
    await #expect(throws: error) { try await completion.value() }
    await #expect(throws: error) { try await wanting.value() }
  }
}
