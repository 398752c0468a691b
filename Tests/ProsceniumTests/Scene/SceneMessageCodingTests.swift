// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Messages that are values of a program's own types.
struct SceneMessageCodingTests {
  private struct Job: Codable, Sendable, Hashable {
    struct Step: Codable, Sendable, Hashable {
      var name: String
      var done: Bool
    }

    var steps: [Step]
    var budget: Double
  }

  @Test func `a value is read as it was written`() throws {
    let job = Job(
      steps: [.init(name: "a/b", done: true), .init(name: "", done: false)], budget: 0.5)
    let message = try SceneMessage(encoding: job)
    #expect(
      message.string
        == #"{"budget":0.5,"steps":[{"done":true,"name":"a/b"},{"done":false,"name":""}]}"#)
    #expect(try message.decode(as: Job.self) == job)
    let again: Job = try message.decode()
    #expect(again == job)
  }

  @Test(arguments: [
    (#"{"steps":[{"name":"a","done":1}],"budget":1}"#, "steps[0].done: expected Bool"),
    (#"{"steps":[{"name":"a"}],"budget":1}"#, "steps[0].done: expected a value, found none"),
    (#"{"steps":null,"budget":1}"#, "steps: expected"),
    (#"{"steps":[]}"#, "budget: expected a value, found none"),
    (#"[]"#, "the message: expected"),
    (#"{"steps":"#, "the message: "),
    ("", "the message: "),
  ]) func `what is not as expected is named by its path`(_ text: String, _ sentence: String) {
    do {
      let job = try SceneMessage(text).decode(as: Job.self)
      Issue.record("expected an error, found \(job)")
    } catch {
      #expect(error.code == .notDecodable)
      #expect(error.message.hasPrefix(sentence), "\(error.message)")
    }
  }

  @Test func `what cannot be written is named by its path`() {
    do {
      let message = try SceneMessage(encoding: Job(steps: [], budget: .nan))
      Issue.record("expected an error, found \(message)")
    } catch {
      #expect(error.code == .notEncodable)
      #expect(error.message.hasPrefix("budget: expected a value that JSON has, found nan"))
    }
  }
}
