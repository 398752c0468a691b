// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Proscenium

/// The state that all contenders save and restore: ten fields, about 700 bytes when it is encoded.
package enum Draft {
  private static let model: UserActivity = {
    var activity = UserActivity(
      "org.example.draft",
      userInfo: [
        "document": .string("6f1c2d3e-4b5a-4968-8776-95a4b3c2d1e0"),
        "author": .string("0e1d2c3b-4a59-4687-9675-a4b3c2d1e0f6"),
        "edited": .date(Date(timeIntervalSinceReferenceDate: 812_345_678.25)),
        "tags": .array((0..<16).map { .string("tag number \($0)") }),
        "thumbnail": .data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }),
        "zoom": .real(1.25),
        "isPinned": .boolean(true),
      ])
    activity.title = "A draft of a letter"
    return activity
  }()

  /// The fields of a draft as a program has them, by which it is written and read.
  package struct Fields: Equatable {
    package var edits = 0
    var kind = ""
    var title = ""
    var document = ""
    var author = ""
    var edited = Date(timeIntervalSinceReferenceDate: 0)
    var tags: [String] = []
    var thumbnail: [UInt8] = []
    var zoom = 0.0
    var isPinned = false

    package init() {}

    /// Writes the fields, in the order of their names.
    package func write(to state: inout StateWriter) {
      state.activityType = kind
      state.write("tags", tags)
      state.write("zoom", zoom)
      state.write("edits", edits)
      state.write("title", title)
      state.write("author", author)
      state.write("edited", edited)
      state.write("document", document)
      state.write("isPinned", isPinned)
      state.write("thumbnail", thumbnail)
    }

    /// Encodes the fields as a whole state.
    package func encoded() throws -> [UInt8] {
      var state = StateWriter()
      write(to: &state)
      return try state.encoded()
    }

    /// Reads the fields.
    package init(from state: inout StateReader) {
      kind = state.activityType
      tags = state.strings("tags") ?? []
      zoom = state.real("zoom") ?? 0
      edits = state.integer("edits") ?? 0
      title = state.string("title") ?? ""
      author = state.string("author") ?? ""
      edited = state.date("edited") ?? edited
      document = state.string("document") ?? ""
      isPinned = state.boolean("isPinned") ?? false
      thumbnail = state.data("thumbnail") ?? []
    }
  }

  private static let fields: Fields = {
    var fields = Fields()
    fields.kind = model.activityType
    fields.title = model.title ?? ""
    fields.document = model.userInfo["document"]?.string ?? ""
    fields.author = model.userInfo["author"]?.string ?? ""
    fields.edited = model.userInfo["edited"]?.date ?? fields.edited
    fields.tags = model.userInfo["tags"]?.array?.compactMap(\.string) ?? []
    fields.thumbnail = model.userInfo["thumbnail"]?.data ?? []
    fields.zoom = model.userInfo["zoom"]?.real ?? 0
    fields.isPinned = model.userInfo["isPinned"]?.boolean ?? false
    return fields
  }()

  /// The fields of a draft that was edited so many times.
  package static func fields(editedTimes edits: Int) -> Fields {
    var fields = fields
    fields.edits = edits
    return fields
  }

  /// The fields of a session's draft: nearly every session's has another count of edits.
  package static func fields(of session: SessionIdentifier) -> Fields {
    fields(editedTimes: session.hashValue)
  }

  /// A draft that was edited so many times.
  package static func edited(_ times: Int64) -> UserActivity {
    var activity = model
    activity.userInfo["edits"] = .integer(times)
    return activity
  }
}
