// SPDX-License-Identifier: Apache-2.0

/// Makes small suites as text; a change replaces the member of the same key, or is added.
enum Suites {
  static func routing(_ cases: [String]) -> String {
    "{\"format\": \"scene-routing/1\", \"half\": \"A\", \"cases\": ["
      + cases.joined(separator: ",\n") + "]}"
  }

  static func predicate(_ changes: String..., without key: String? = nil) -> String {
    object(
      [
        #""id": "p""#, #""kind": "predicate""#, #""basis": "spec""#, #""format": "SELF == 'a'""#,
        #""subject": "a""#, #""result": true"#,
      ], changes, without: key)
  }

  static func refusal(_ changes: String...) -> String {
    object(
      [
        #""id": "e""#, #""kind": "predicate""#, #""basis": "spec""#, #""format": "SELF""#,
        #""error": {"code": "syntax", "position": 4}"#,
      ], changes)
  }

  static func route(_ changes: String...) -> String {
    object(
      [
        #""id": "r""#, #""kind": "route""#, #""basis": "choice""#,
        "\"sessions\": [\(session("S1")), \(session("S2"))]",
        #""event": {"carrier": "url", "url": "x"}"#,
        """
        "expect": {"identifier": "x", "rule": "can", "candidates": ["S1", "S2"], "chosen": "S2"}
        """,
      ], changes)
  }

  /// A session whose number also is its activation counter.
  static func session(_ label: String, _ changes: String...) -> String {
    let number = label.dropFirst()
    return object(
      [
        "\"label\": \"\(label)\"", "\"identifier\": \"id-\(number)\"", #""state": "background""#,
        "\"lastActivated\": \(number)",
      ], changes)
  }

  private static func object(
    _ members: [String], _ changes: [String], without removed: String? = nil
  ) -> String {
    func key(_ member: String) -> Substring { member.dropFirst().prefix { $0 != "\"" } }
    let kept = members.filter { member in
      key(member) != removed.map { $0[...] } && !changes.contains { key($0) == key(member) }
    }
    return "{" + (kept + changes).joined(separator: ", ") + "}"
  }
}
