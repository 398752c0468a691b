// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Testing

@testable import ProsceniumTestKit

/// Steps, commands and expectations that do not fit their format are refused.
@Suite struct StepReadingTests {
  typealias Misfit = (text: String, place: String, code: JSONFileError.Code)

  private static func expect(_ suite: String, _ place: String, _ code: JSONFileError.Code) {
    let error = #expect(throws: JSONFileError.self) { try Vectors.file(suite) }
    #expect(error?.place == place, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.code == code)
  }

  @Test(
    arguments: [
      (#""log": []"#, "", .missingKey),
      (#""cmd": "user.home""#, "", .missingKey),
      (#""cmd": "user.sleep", "log": []"#, ".cmd", .unknownValue),
      (#""cmd": "user.home", "session": "S1", "log": []"#, ".session", .unknownKey),
      (#""cmd": "user.open", "log": []"#, "", .missingKey),
      (#""cmd": "user.open", "session": "1", "log": []"#, ".session", .unknownValue),
      (#""cmd": "user.open", "session": "S1", "hold": 1, "log": []"#, ".hold", .wrongType),
      (#""cmd": "launch", "reason": "event", "log": []"#, ".reason", .unknownValue),
      (
        #""cmd": "launch", "reason": "icon", "log": [], "#
          + #""event": {"cmd": "event.share", "id": "s"}"#,
        ".reason", .unknownKey
      ),
      (#""cmd": "launch", "event": {"cmd": "drop"}, "log": []"#, ".event.cmd", .unknownValue),
      (
        #""cmd": "launch", "event": {"cmd": "event.share", "id": "s", "log": []}, "log": []"#,
        ".event.log", .unknownKey
      ),
      (#""cmd": "sys.pressure", "count": 1.5, "log": []"#, ".count", .wrongType),
      (#""cmd": "sys.pressure", "count": -1, "log": []"#, ".count", .outOfRange),
      (#""cmd": "clock.advance", "seconds": "1", "log": []"#, ".seconds", .wrongType),
      (#""cmd": "clock.advance", "seconds": -0.5, "log": []"#, ".seconds", .outOfRange),
      (#""cmd": "request.activate", "log": []"#, "", .missingKey),
      (
        #""cmd": "request.activate", "session": null, "activity": "z", "log": []"#, ".activity",
        .unknownValue
      ),
      (
        #""cmd": "request.activate", "session": null, "requestingScene": "S1", "log": []"#,
        ".requestingScene", .unknownValue
      ),
      (#""cmd": "request.activateRole", "role": "any", "log": []"#, ".role", .unknownValue),
      (
        #""cmd": "request.destroy", "session": "S1", "animation": "fade", "log": []"#,
        ".animation", .unknownValue
      ),
      (#""cmd": "event.url", "log": []"#, "", .missingKey),
      (#""cmd": "event.share", "id": "s", "source": "S1", "log": []"#, ".source", .unknownKey),
      (#""cmd": "drop", "activity": "z", "log": []"#, ".activity", .unknownValue),
      (#""cmd": "session.setUserInfo", "session": "S1", "log": []"#, "", .missingKey),
      (
        #""cmd": "scene.setActivationConditions", "session": "S1", "log": [], "#
          + #""can": {"block": false}"#,
        ".can.block", .unknownValue
      ),
      (
        #""cmd": "scene.setActivationConditions", "session": "S1", "can": {"text": ""}, "log": []"#,
        ".can.text", .unknownKey
      ),
      (
        #""cmd": "configuration.mutateReturned", "session": "S1", "delegateClass": 1, "log": []"#,
        ".delegateClass", .wrongType
      ),
      (
        #""cmd": "parallel", "commands": [{"cmd": "user"}], "log": []"#, ".commands[0].cmd",
        .unknownValue
      ),
      (
        #""cmd": "parallel", "commands": [{"cmd": "user.home", "log": []}], "log": []"#,
        ".commands[0].log", .unknownKey
      ),
      (#""cmd": "user.home", "log": [1]"#, ".log[0]", .wrongType),
      (#""cmd": "user.home", "log": [{"unordered": [["a"]]}]"#, ".log[0].unordered", .outOfRange),
      (
        #""cmd": "user.home", "log": [{"unordered": [["a"], []]}]"#, ".log[0].unordered[1]",
        .outOfRange
      ),
      (#""cmd": "user.home", "log": [{"any": []}]"#, ".log[0].any", .unknownKey),
      (#""cmd": "user.home", "log": [], "during": [{"line": "x"}]"#, ".during[0]", .missingKey),
      (
        #""cmd": "user.home", "log": [], "during": [{"line": "x", "nth": 0, "expect": {}}]"#,
        ".during[0].nth", .outOfRange
      ),
      (#""cmd": "user.home", "log": [], "expect": {"state": 1}"#, ".expect.state", .unknownKey),
    ] as [Misfit])
  func `a step that does not fit is refused`(
    step: String, place: String, code: JSONFileError.Code
  ) {
    let vector = Vectors.vector("{\"activities\": {\"a\": {}}}", ["{\(step)}"])
    Self.expect(Vectors.suite(vector), "$.vectors[0].steps[0]" + place, code)
  }

  @Test(
    arguments: [
      (#"{"process": "gone"}"#, ".process", .unknownValue),
      (#"{"applicationState": "suspended"}"#, ".applicationState", .unknownValue),
      (#"{"openSessions": ["S1#1"]}"#, ".openSessions[0]", .unknownValue),
      (#"{"connectedScenes": ["S1"]}"#, ".connectedScenes[0]", .unknownValue),
      (#"{"connectedScenes": ["S1#0"]}"#, ".connectedScenes[0]", .unknownValue),
      (#"{"sessions": {"one": {}}}"#, ".sessions.one", .unknownKey),
      (#"{"sessions": {"S1": {"title": ""}}}"#, ".sessions.S1.title", .unknownKey),
      (#"{"sessions": {"S1": {"scene": "S1"}}}"#, ".sessions.S1.scene", .unknownValue),
      (
        #"{"sessions": {"S1": {"configuration": {"role": ""}}}}"#,
        ".sessions.S1.configuration.role", .unknownKey
      ),
      (
        #"{"sessions": {"S1": {"stateRestorationActivity": 1}}}"#,
        ".sessions.S1.stateRestorationActivity", .wrongType
      ),
      (#"{"sessions": {"S1": {"pendingRefresh": 0}}}"#, ".sessions.S1.pendingRefresh", .wrongType),
      (#"{"stored": {"S1": {"scene": null}}}"#, ".stored.S1.scene", .unknownKey),
      (#"{"stored": {"S1": {"pendingRefresh": true}}}"#, ".stored.S1.pendingRefresh", .unknownKey),
      (#"{"scenes": {"S1": {}}}"#, ".scenes.S1", .unknownKey),
      (
        #"{"scenes": {"S1#1": {"activationState": "active"}}}"#,
        #".scenes["S1#1"].activationState"#, .unknownValue
      ),
      (#"{"released": "S1#1"}"#, ".released", .wrongType),
      (#"{"errors": [{"op": "open"}]}"#, ".errors[0].op", .unknownValue),
      (#"{"errors": [{"code": "denied"}]}"#, ".errors[0].code", .unknownValue),
      (#"{"errors": [{"number": "1"}]}"#, ".errors[0].number", .wrongType),
      (#"{"discardReasons": {"S1": "system"}}"#, ".discardReasons.S1", .unknownValue),
      (#"{"lastRoute": {"rule": "error"}}"#, ".lastRoute.rule", .unknownValue),
      (#"{"lastRoute": {"session": "S1"}}"#, ".lastRoute.session", .unknownKey),
      (#"{"disjoint": [["openSessions"]]}"#, ".disjoint[0]", .outOfRange),
      (#"{"disjoint": [["openSessions", "all"]]}"#, ".disjoint[0][1]", .unknownValue),
    ] as [Misfit])
  func `an expectation that does not fit is refused`(
    expectation: String, place: String, code: JSONFileError.Code
  ) {
    let vector = Vectors.vector("{}", [], expect: expectation)
    Self.expect(Vectors.suite(vector), "$.vectors[0].expect" + place, code)
  }
}
