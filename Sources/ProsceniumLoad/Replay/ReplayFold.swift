// SPDX-License-Identifier: Apache-2.0

/// Walks once over a log and plays the browser windows of its users, one line after the other.
///
/// Where the run chose wrongly the model follows it, so that one difference is told once.
struct ReplayFold {
  private typealias Label = ReplayRun.Label
  private typealias Request = ReplayVerifier.Request

  /// A session as the model has it.
  private struct Session {
    let user: Int32
    var requests = 0
    var bytes: Int64 = 0
    var lines = ReplayDigest()
    // Indices of paths, the most recent last.
    var tabs: [Int32] = []
    var isOpen = true
  }

  private let verifier: ReplayVerifier
  private let run: ReplayRun
  private var found = ReplayVerification()
  private var sessions: [Label: Session] = [:]
  // The open sessions of each user, the most recently used last.
  private var open: [Int32: [Label]] = [:]
  // What the run says, by the index of the request.
  private var chosen: [Label?]
  private var destroyed: [Int: [ReplayRun.Destruction]] = [:]
  private var restored: [Int: [Int]] = [:]
  // Restorations that no line followed, by session.
  private var restoredLast: [Label: [Int]] = [:]

  init(_ verifier: ReplayVerifier, _ run: ReplayRun) {
    self.verifier = verifier
    self.run = run
    chosen = Array(repeating: nil, count: verifier.requests.count)
  }

  mutating func result() -> ReplayVerification {
    readSightings()
    readDestructions()
    for (index, request) in verifier.requests.enumerated() { step(index, request) }
    checkEndings()
    found.requests = verifier.requests.count
    found.users = verifier.userCount
    found.sessions = sessions.count
    return found
  }

  // MARK: - What the run says

  // Finds the session of each line, and the line before which each state was restored.
  private mutating func readSightings() {
    var lastLine: [Label: Int] = [:]
    var nextRestoration = 0
    for (position, sighting) in run.sightings.enumerated() {
      while nextRestoration < run.restorations.count,
        run.restorations[nextRestoration].position <= position
      {
        restoredLast[run.restorations[nextRestoration].session, default: []].append(nextRestoration)
        nextRestoration += 1
      }
      let (line, session) = (sighting.line, sighting.session)
      if let last = lastLine[session], line < last {
        found.note(\.reordered, "line \(line): session \(session) saw it after line \(last)")
      }
      lastLine[session] = max(line, lastLine[session] ?? line)
      guard let index = verifier.index(ofLine: line) else {
        found.note(\.unexpected, "line \(line): session \(session) saw it, but it is no request")
        continue
      }
      if let waiting = restoredLast.removeValue(forKey: session) {
        restored[index, default: []] += waiting
      }
      if let first = chosen[index] {
        found.note(
          \.duplicated, "line \(line): session \(session) saw it after session \(first) had seen it"
        )
      } else {
        chosen[index] = session
      }
    }
    for index in nextRestoration..<max(nextRestoration, run.restorations.count) {
      restoredLast[run.restorations[index].session, default: []].append(index)
    }
  }

  private mutating func readDestructions() {
    for destruction in run.destructions {
      guard let index = verifier.index(ofLine: destruction.line) else {
        found.note(
          \.wrongDestructions,
          "line \(destruction.line): session \(destruction.session) was destroyed for a line "
            + "that is no request")
        continue
      }
      destroyed[index, default: []].append(destruction)
    }
  }

  // MARK: - The fold

  private mutating func step(_ index: Int, _ request: Request) {
    for restoration in restored[index] ?? [] { checkRestoration(restoration, before: request) }
    let equals = candidates(for: request)
    checkDestructions(destroyed[index] ?? [], for: request, needsNew: equals.isEmpty)
    guard let session = chosen[index] else {
      found.note(\.lost, "\(name(request)) went to no session")
      return
    }
    checkChoice(session, equals, request)
    apply(request, to: session)
  }

  // The open sessions that may take the request; none where it needs a new one.
  private func candidates(for request: Request) -> [Label] {
    let own = open[request.user] ?? []
    let preferring = own.filter { sessions[$0]?.tabs.contains(request.path) == true }
    if !preferring.isEmpty { return preferring }
    return request.isActivation ? [] : own
  }

  private mutating func checkDestructions(
    _ destructions: [ReplayRun.Destruction], for request: Request, needsNew: Bool
  ) {
    let actual = destructions.map(\.session)
    let own = open[request.user] ?? []
    var expected: [Label] = []
    if needsNew, request.isActivation, own.count >= verifier.windows {
      expected = Array(own.prefix(1))
    }
    if actual != expected {
      found.note(
        \.wrongDestructions,
        "\(name(request)): \(list(actual, none: "no session")) was destroyed before it, "
          + "expected \(list(expected, none: "none"))")
    }
    for destruction in destructions {
      close(destruction.session)
      checkEnd(of: destruction, for: request)
    }
  }

  private mutating func checkChoice(_ session: Label, _ equals: [Label], _ request: Request) {
    if equals.contains(session) || equals.isEmpty && sessions[session] == nil { return }
    let expected = equals.isEmpty ? "a new session" : list(equals, none: "")
    var actual = "a new session"
    if let known = sessions[session] {
      actual =
        "session \(session) of u\(known.user + 1)" + (known.isOpen ? "" : ", a destroyed one")
    }
    found.note(\.wrongChoices, "\(name(request)) went to \(actual), expected \(expected)")
  }

  private mutating func apply(_ request: Request, to label: Label) {
    var session = sessions[label] ?? Session(user: request.user)
    session.requests += 1
    session.bytes &+= request.bytes
    session.lines.add(number: Int64(request.line))
    session.tabs.removeAll { $0 == request.path }
    session.tabs.append(request.path)
    if session.tabs.count > verifier.tabCapacity { session.tabs.removeFirst() }
    sessions[label] = session
    guard session.isOpen else { return }
    open[session.user, default: []].removeAll { $0 == label }
    open[session.user, default: []].append(label)
  }

  private mutating func close(_ label: Label) {
    for restoration in restoredLast.removeValue(forKey: label) ?? [] {
      checkRestoration(restoration, before: nil)
    }
    guard let session = sessions[label] else { return }
    sessions[label]?.isOpen = false
    open[session.user]?.removeAll { $0 == label }
  }

  // MARK: - States

  private mutating func checkRestoration(_ index: Int, before request: Request?) {
    let restoration = run.restorations[index]
    found.restorations += 1
    guard let difference = difference(restoration.state, of: restoration.session) else { return }
    let place = request.map { name($0) } ?? "after the last line"
    found.note(\.wrongStates, "\(place): restored \(difference)")
  }

  private mutating func checkEnd(of destruction: ReplayRun.Destruction, for request: Request) {
    guard let state = destruction.state else { return }
    found.finalStates += 1
    guard let difference = difference(state, of: destruction.session) else { return }
    found.note(\.wrongStates, "\(name(request)): the destroyed \(difference)")
  }

  private mutating func checkEndings() {
    for label in restoredLast.keys.sorted() {
      for restoration in restoredLast[label] ?? [] { checkRestoration(restoration, before: nil) }
    }
    var reported: Set<Label> = []
    for (label, state) in run.endings {
      found.finalStates += 1
      if !reported.insert(label).inserted {
        found.note(\.wrongStates, "at the end: session \(label) was reported twice")
      } else if sessions[label]?.isOpen == false {
        found.note(\.wrongStates, "at the end: session \(label) is open, though it was destroyed")
      } else if let difference = difference(state, of: label) {
        found.note(\.wrongStates, "at the end: \(difference)")
      }
    }
    for label in sessions.keys.sorted() where sessions[label]?.isOpen == true {
      if reported.contains(label) { continue }
      found.note(\.wrongStates, "at the end: the state of session \(label) was not reported")
    }
  }

  // What is wrong with a state; nil where nothing is.
  private func difference(_ actual: ReplayStateSummary, of label: Label) -> String? {
    guard let session = sessions[label] else {
      return "session \(label) has a state, but saw no line"
    }
    let expected = ReplayStateSummary(
      requests: session.requests, bytes: session.bytes, lines: session.lines,
      tabs: session.tabs.map { verifier.paths[Int($0)] })
    if actual == expected { return nil }
    return "state of session \(label): \(actual); expected \(expected)"
  }

  // MARK: - Words

  private func name(_ request: Request) -> String {
    let form = request.isActivation ? "activation" : "event"
    let path = verifier.paths[Int(request.path)]
    return "line \(request.line) (\(form) u\(request.user + 1)/\(path))"
  }

  private func list(_ labels: [Label], none: String) -> String {
    if labels.isEmpty { return none }
    return "session " + labels.map { String($0) }.joined(separator: " or ")
  }
}
