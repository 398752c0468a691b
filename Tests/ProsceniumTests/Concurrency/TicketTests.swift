// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

@Suite struct TicketTests {
  private let error = SceneError(.lost, "the answer is an error")

  @Test func `an answer that is there already is returned`() async throws {
    let ticket = ReplyTicket()
    ticket.answer(.success("1"))
    #expect(try await ticket.value() == "1")
    #expect(ticket.takeAnswer() == nil)
  }

  @Test func `an error is thrown`() async {
    let ticket = ReplyTicket()
    ticket.answer(.failure(error))
    await #expect(throws: error) { try await ticket.value() }
  }

  @Test func `the first answer counts`() async throws {
    let ticket = ReplyTicket()
    ticket.answer(.success("1"))
    ticket.answer(.success("2"))
    ticket.answer(.failure(error))
    #expect(try await ticket.value() == "1")
  }

  @Test func `a task that waits gets the answer, in whatever order the two come`() async throws {
    for number in 0..<1_000 {
      let ticket = ReplyTicket()
      async let value = ticket.value()
      async let answer: Void = ticket.answer(.success(SceneMessage("\(number)")))
      await answer
      #expect(try await value == SceneMessage("\(number)"))
    }
  }
}
