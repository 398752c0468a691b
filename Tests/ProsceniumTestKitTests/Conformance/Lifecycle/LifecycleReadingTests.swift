// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Testing

@testable import ProsceniumTestKit

/// Suites of the life cycle that do not fit their format are refused, at the right place.
@Suite struct LifecycleReadingTests {
  typealias Misfit = (text: String, place: String, code: JSONFileError.Code)

  private static func expect(_ suite: String, _ place: String, _ code: JSONFileError.Code) {
    let error = #expect(throws: JSONFileError.self) { try Vectors.file(suite) }
    #expect(error?.place == place, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.code == code)
  }

  @Test(
    arguments: [
      (#"{"format": "scene-conformance/1"}"#, "$", .missingKey),
      (#"{"format": "scene-conformance/1", "vectors": [], "cases": []}"#, "$.cases", .unknownKey),
      (#"{"format": "scene-conformance/1", "half": "C", "vectors": []}"#, "$.half", .unknownValue),
      (#"{"format": "scene-conformance/1", "vectors": [{}]}"#, "$.vectors[0]", .missingKey),
      (
        Vectors.suite(Vectors.vector("{}", []), Vectors.vector("{}", [])), "$.vectors[1].id",
        .duplicate
      ),
      (Vectors.suite(Vectors.vector("{}", [], #""skip": true"#)), "$.vectors[0].skip", .unknownKey),
      (
        Vectors.suite(Vectors.vector("{}", [], #""repeat": 0"#)), "$.vectors[0].repeat",
        .outOfRange
      ),
    ] as [Misfit])
  func `a suite that does not fit is refused`(
    text: String, place: String, code: JSONFileError.Code
  ) {
    Self.expect(text, place, code)
  }

  @Test(
    arguments: [
      (#"{"group": "g"}"#, ".group", .unknownKey),
      (#"{"process": "stopped"}"#, ".process", .unknownValue),
      (#"{"manifest": {"window": []}}"#, ".manifest.window", .unknownKey),
      (
        #"{"manifest": {"windowApplication": [{}]}}"#, ".manifest.windowApplication[0]", .missingKey
      ),
      (
        #"{"manifest": {"windowApplication": [{"name": "a", "delegateClass": null}]}}"#,
        ".manifest.windowApplication[0].delegateClass", .wrongType
      ),
      (#"{"registeredClasses": [1]}"#, ".registeredClasses[0]", .wrongType),
      (#"{"supportsMultipleScenes": "no"}"#, ".supportsMultipleScenes", .wrongType),
      (#"{"activities": {"a b": {}}}"#, #".activities["a b"]"#, .unknownKey),
      (#"{"activities": {"a": {"kind": "t"}}}"#, ".activities.a.kind", .unknownKey),
      (#"{"activities": {"a": {"userInfo": []}}}"#, ".activities.a.userInfo", .wrongType),
      (
        #"{"activities": {"a": {"userInfo": {"d": {"$date": "today"}}}}}"#,
        #".activities.a.userInfo.d["$date"]"#, .unknownValue
      ),
      (
        #"{"activities": {"a": {"userInfo": {"d": {"$data": "*"}}}}}"#,
        #".activities.a.userInfo.d["$data"]"#, .unknownValue
      ),
      (
        #"{"activities": {"a": {"userInfo": {"d": {"$url": "u", "x": 1}}}}}"#,
        ".activities.a.userInfo.d.x", .unknownKey
      ),
      (#"{"foregroundCapacity": 0}"#, ".foregroundCapacity", .outOfRange),
      (#"{"sessionQuota": null}"#, ".sessionQuota", .wrongType),
      (#"{"lastSessionClose": "keep"}"#, ".lastSessionClose", .unknownValue),
      (#"{"restorationLimit": -1}"#, ".restorationLimit", .outOfRange),
      (#"{"snapshotVariants": "dark"}"#, ".snapshotVariants", .wrongType),
      (
        #"{"snapshotVariants": ["1","2","3","4","5","6","7","8","9"]}"#, ".snapshotVariants",
        .outOfRange
      ),
      (#"{"snapshotDance": "slow"}"#, ".snapshotDance", .unknownValue),
      (#"{"notes": "scene"}"#, ".notes", .unknownValue),
      (#"{"appDelegate": {"didFinish": true}}"#, ".appDelegate.didFinish", .unknownKey),
      (#"{"appDelegate": {"legacyUIMethods": 1}}"#, ".appDelegate.legacyUIMethods", .wrongType),
      (
        #"{"appDelegate": {"configurationForConnecting": "none"}}"#,
        ".appDelegate.configurationForConnecting", .unknownValue
      ),
      (
        #"{"appDelegate": {"configurationForConnecting": [{"options": "url"}]}}"#,
        ".appDelegate.configurationForConnecting[0]", .missingKey
      ),
      (
        #"{"appDelegate": {"configurationForConnecting": [{"options": "all", "return": {}}]}}"#,
        ".appDelegate.configurationForConnecting[0].options", .unknownValue
      ),
      (
        #"{"appDelegate": {"configurationForConnecting": [{"return": {"role": "r"}}]}}"#,
        ".appDelegate.configurationForConnecting[0].return", .missingKey
      ),
    ] as [Misfit])
  func `a setup that does not fit is refused`(
    setup: String, place: String, code: JSONFileError.Code
  ) {
    Self.expect(
      Vectors.suite(Vectors.vector(setup, [])), "$.vectors[0].setup" + place, code)
  }

  @Test(
    arguments: [
      (#""label": "T1", "state": "archived""#, ".label", .unknownValue),
      (#""label": "S01", "state": "archived""#, ".label", .unknownValue),
      (#""label": "S0", "state": "archived""#, ".label", .unknownValue),
      (#""label": "S1", "state": "archived""#, ".label", .duplicate),
      (#""label": "S2""#, "", .missingKey),
      (#""label": "S2", "state": "foreground""#, ".state", .unknownValue),
      (#""label": "S2", "state": "background""#, ".state", .unknownValue),
      (#""label": "S2", "state": "archived", "title": "x""#, ".title", .unknownKey),
      (#""label": "S2", "state": "archived", "instance": 0"#, ".instance", .outOfRange),
      (#""label": "S2", "state": "archived", "lastActivated": -1"#, ".lastActivated", .outOfRange),
      (
        #""label": "S2", "state": "archived", "#
          + #""identifier": "DEADBEEF-0000-4000-8000-000000000002""#,
        ".identifier", .unknownValue
      ),
      (
        #""label": "S2", "state": "archived", "#
          + #""identifier": "00000000-0000-4000-8000-000000000001""#,
        ".identifier", .duplicate
      ),
      (#""label": "S2", "state": "archived", "role": "window""#, ".role", .unknownValue),
      (
        #""label": "S2", "state": "archived", "configuration": {"sceneClass": "x"}"#,
        ".configuration.sceneClass", .unknownKey
      ),
      (
        #""label": "S2", "state": "archived", "activationConditions": {"can": true}"#,
        ".activationConditions.can", .wrongType
      ),
      (
        #""label": "S2", "state": "archived", "stateRestorationActivity": "b""#,
        ".stateRestorationActivity", .unknownValue
      ),
      (
        #""label": "S2", "state": "archived", "userInfo": {"x": null}"#, ".userInfo",
        .unknownValue
      ),
    ] as [Misfit])
  func `a session that does not fit is refused`(
    session: String, place: String, code: JSONFileError.Code
  ) {
    let setup = """
      {"activities": {"a": {}}, "sessions": [{"label": "S1", "state": "archived"}, {\(session)}]}
      """
    Self.expect(
      Vectors.suite(Vectors.vector(setup, [])), "$.vectors[0].setup.sessions[1]" + place, code)
  }

  @Test(
    arguments: [
      (#"{"all": {}}"#, ".all", .unknownKey),
      (#"{"class:": {}}"#, #"["class:"]"#, .unknownKey),
      (#"{"*": {"absent": ["didMove"]}}"#, #"["*"].absent[0]"#, .unknownValue),
      (
        #"{"*": {"stateRestorationActivity": "b"}}"#, #"["*"].stateRestorationActivity"#,
        .unknownValue
      ),
      (#"{"*": {"on": {"didMove": []}}}"#, #"["*"].on.didMove"#, .unknownKey),
      (#"{"*": {"on": {"didUpdate": [{}]}}}"#, #"["*"].on.didUpdate[0]"#, .missingKey),
      (
        #"{"*": {"on": {"didUpdate": [{"do": "jump"}]}}}"#, #"["*"].on.didUpdate[0].do"#,
        .unknownValue
      ),
      (
        #"{"*": {"on": {"didUpdate": [{"do": "extendStateRestoration"}]}}}"#,
        #"["*"].on.didUpdate[0].do"#, .unknownValue
      ),
      (
        #"{"*": {"on": {"didUpdate": [{"do": "setActivationConditions"}]}}}"#,
        #"["*"].on.didUpdate[0]"#, .missingKey
      ),
      (
        #"{"*": {"on": {"didUpdate": [{"do": "setUserInfo", "can": "x"}]}}}"#,
        #"["*"].on.didUpdate[0].can"#, .unknownKey
      ),
    ] as [Misfit])
  func `a script that does not fit is refused`(
    scripts: String, place: String, code: JSONFileError.Code
  ) {
    let setup = "{\"activities\": {\"a\": {}}, \"sceneDelegate\": \(scripts)}"
    Self.expect(
      Vectors.suite(Vectors.vector(setup, [])), "$.vectors[0].setup.sceneDelegate" + place, code)
  }
}
