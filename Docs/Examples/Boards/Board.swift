// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import Proscenium
  import ProsceniumLive

  /// One board: the session of a tab.
  final class Board: LivePageDelegate, StatefulSceneDelegate {
    struct Note {
      let id: Int
      var text: String
      var isDone = false
    }

    let page = LivePage()
    private let switches: Switches
    /// Which release of the program this is: the first one kept the texts of the notes alone.
    private let release: Int
    /// Adds what else the page shows.
    private let addMore: @Sendable (inout PageBuilder) -> Void
    private var title = ""
    private var draft = ""
    private var notes: [Note] = []
    private var nextNote = 1
    /// How often a scene was connected to the session.
    private var lives = 1

    init(
      _ switches: Switches, release: Int,
      addMore: @escaping @Sendable (inout PageBuilder) -> Void = { _ in }
    ) {
      self.switches = switches
      self.release = release
      self.addMore = addMore
    }

    // MARK: - What the user does

    func scene(_ scene: isolated Scene, didReceive input: PageInput) {
      switch input.name {
      case "title": title = String((input.value ?? "").prefix(100))
      case "draft": draft = String((input.value ?? "").prefix(1_000))
      case "add": add(input["text"] ?? draft)
      case "edit": change(input["id"]) { $0.text = String((input.value ?? "").prefix(1_000)) }
      case "done": change(input["id"]) { $0.isDone = input.value == "true" }
      case "up": move(input.value)
      case "remove": notes.removeAll { "\($0.id)" == input.value }
      default: return
      }
      scene.title = title
      scene.setNeedsCapture()
    }

    private func add(_ text: String) {
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty, notes.count < 500 else { return }
      notes.append(Note(id: nextNote, text: String(text.prefix(1_000))))
      nextNote += 1
      draft = ""
    }

    private func change(_ id: String?, _ body: (inout Note) -> Void) {
      guard let index = notes.firstIndex(where: { "\($0.id)" == id }) else { return }
      body(&notes[index])
    }

    private func move(_ id: String?) {
      guard let index = notes.firstIndex(where: { "\($0.id)" == id }), index > 0 else { return }
      notes.swapAt(index, index - 1)
    }

    // MARK: - What the tab shows

    func render(_ page: inout PageBuilder, of scene: isolated Scene) {
      page.add(.header, id: "head") { page in
        page.add(.label, "Board", PageAttribute("for", "title"))
        page.add(
          .input, id: "title", .type("text"), .value(title), .onInput("title"),
          PageAttribute("maxlength", "100"), PageAttribute("placeholder", "Name of the board"))
      }
      renderNotes(&page)
      page.add(.aside, id: "side") { page in
        BoardList(scene.application).render(&page, of: scene)
        addMore(&page)
        switches.render(&page, for: scene.persistentIdentifier)
        page.add(
          .p, "Scene \(lives) of this session, process \(getpid()), release \(release).",
          id: "life",
          .class("quiet"))
      }
    }

    private func renderNotes(_ page: inout PageBuilder) {
      page.add(.section, id: "board", .label("Notes")) { page in
        page.add(.form, id: "new", .onSubmit("add")) { page in
          page.add(.label, "New note", PageAttribute("for", "draft"))
          page.add(
            .input, id: "draft", .type("text"), .name("text"), .value(draft), .onInput("draft"),
            .cleared, PageAttribute("maxlength", "1000"), PageAttribute("autocomplete", "off"))
          page.add(.button, "Add")
        }
        page.add(.ol, id: "notes", .announced) { page in
          for note in notes { render(note, &page) }
        }
        let open = notes.count { !$0.isDone }
        page.add(.p, "\(open) of \(notes.count) open", id: "count", .class("quiet"))
      }
    }

    private func render(_ note: Note, _ page: inout PageBuilder) {
      let id = "\(note.id)"
      page.add(.li, id: "note-" + id, .class(note.isDone ? "done" : "open")) { page in
        if release > 1 {
          page.add(
            .input, id: "done-" + id, .type("checkbox"), .label("Done"), .onInput("done", id: id),
            .flag("checked", note.isDone))
        }
        page.add(
          .input, id: "text-" + id, .type("text"), .label("Note"), .value(note.text),
          .onInput("edit", id: id), PageAttribute("maxlength", "1000"))
        page.add(.button, "↑", .label("Move up"), .onClick("up", value: id))
        page.add(.button, "×", .label("Remove"), .onClick("remove", value: id))
      }
    }

    // MARK: - What is kept

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      scene.setNeedsCapture()
    }

    func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
      let notes: [UserInfoValue] = notes.map { note in
        if release == 1 { return .string(note.text) }
        return [
          "id": .integer(Int64(note.id)), "text": .string(note.text), "done": .boolean(note.isDone),
        ]
      }
      state.activityType = "board"
      state.write("next", nextNote)
      state.write("draft", draft)
      state.write("lives", lives)
      state.write("notes", .array(notes))
      state.write("title", title)
    }

    /// How the states of the first release become those of the second.
    static func migrations(to release: Int) throws -> StateMigrations {
      if release == 1 { return try StateMigrations(current: 1, steps: []) }
      return try StateMigrations(
        current: 2,
        steps: [
          .init(from: 1, to: 2) { state in
            let texts = state.activity?.userInfo["notes"]?.array ?? []
            let notes: [UserInfoValue] = texts.enumerated().map { place, text in
              ["id": .integer(Int64(place + 1)), "text": text, "done": false]
            }
            state.activity?.userInfo["notes"] = .array(notes)
            state.activity?.userInfo["next"] = .integer(Int64(texts.count + 1))
          }
        ])
    }

    func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
      nextNote = state.integer("next") ?? 1
      draft = state.string("draft") ?? ""
      lives = (state.integer("lives") ?? 0) + 1
      title = state.string("title") ?? ""
      notes = (state.value("notes")?.array ?? []).enumerated().compactMap { place, value in
        if let text = value.string { return Note(id: place + 1, text: text) }
        guard let note = value.dictionary, let id = note["id"]?.integer else { return nil }
        return Note(
          id: Int(id), text: note["text"]?.string ?? "", isDone: note["done"]?.boolean ?? false)
      }
    }
  }
#endif
