// SPDX-License-Identifier: Apache-2.0

/// Who is at the other end of a session, and what each of them has got: a pure value.
///
/// One client at most is the session's *user*: it sends input, and where it is decides whether the
/// scene is in the foreground. It keeps its place while its line is broken. All others *watch*.
struct LineLedger: Sendable {
  /// How many clients may watch one session.
  static let watcherLimit = 64

  /// What becomes of a client that comes while another one is the user.
  typealias Rule = ClientRules.SecondClient

  /// One line.
  private struct Line: Sendable {
    let number: UInt64
    let client: ClientIdentifier
    let watches: Bool
    var isVisible: Bool
    /// Whether the client is there; the user keeps its place without.
    var isAttached = true
    /// The number of the frame that the client gets next.
    var next: UInt64
    /// The last frame that the client does not need again.
    var acknowledged: UInt64
    /// A reset that the client is to be told of.
    var reset: OutputReset?
    /// Whether the scene was asked to emit everything again.
    var isRenewing = false
    /// The first frame of what the scene has emitted again, until the client has it.
    var renewal: UInt64?
    /// The numbers that the first input over this line may have, until it has come.
    var firstInput: ClosedRange<UInt64>?
    /// The last input that is applied for good, and the last one of which the client was told.
    var input: (applied: UInt64, told: UInt64)
  }

  let epoch: UInt64
  private var buffer: OutputBuffer
  private var lines: [Line] = []
  /// Why lines have ended whose clients do not know it yet.
  private var ends: [UInt64: LineEnd] = [:]
  private var lastNumber: UInt64 = 0
  /// How often the user, or the last client that watches, has left.
  private var absences: UInt64 = 0
  private var hadUser = false
  /// By which numbers clients know frames of before the session came from another process.
  ///
  /// For each epoch it is the last one that had left in it; this epoch goes on with their counts.
  private var known: [FrameNumber] = []
  /// Whether the session has gone to another process: nothing is given and nothing taken any more.
  private(set) var isGone = false

  init(epoch: UInt64, limit: OutputBuffer.Limit) {
    self.epoch = epoch
    buffer = OutputBuffer(limit: limit)
  }

  /// Goes on where the lines of a session were that another process has handed over: its clients
  /// have their places until they come back, or their absence is over.
  init(_ line: HandedOverLine, epoch: UInt64, limit: OutputBuffer.Limit) {
    self.epoch = epoch
    known = line.known
    buffer = OutputBuffer(limit: limit, skipped: line.skipped, line.frames)
    for client in line.clients {
      lastNumber += 1
      lines.append(
        Line(
          number: lastNumber, client: client.identifier, watches: client.watches, isVisible: false,
          isAttached: false, next: client.acknowledged + 1, acknowledged: client.acknowledged,
          input: (0, 0)))
    }
    absences = 1
    trim()
  }

  /// The absence of all clients that begins when the session has come.
  static let arrival = Absence(number: 1, isLong: false)

  private func place(_ number: UInt64) -> Int? { lines.firstIndex { $0.number == number } }

  private var userPlace: Int? { lines.firstIndex { !$0.watches } }

  /// How many frames are kept.
  var keptFrames: Int { buffer.count }

  /// Whether a client is there that sees the scene.
  var isSeen: Bool { userPlace.map { lines[$0].isAttached && lines[$0].isVisible } ?? false }

  /// Whether a client is there that is the user.
  private var hasUser: Bool { userPlace.map { lines[$0].isAttached } ?? false }

  /// Whether a line is that of the user, who is there.
  func isUser(_ number: UInt64) -> Bool {
    place(number).map { lines[$0].isAttached && !lines[$0].watches } ?? false
  }

  /// Whether a user was there since this was last asked.
  mutating func takePresence() -> Bool {
    defer { hadUser = hasUser }
    return hadUser
  }

  /// Whether a client has a line, or a place for when it comes back.
  var isUsed: Bool { !lines.isEmpty }

  /// Whether input over a line is applied: also what has come before the client was gone.
  func takesInput(_ number: UInt64) -> Bool {
    !isGone && userPlace.map { lines[$0].number == number } ?? false
  }

  // MARK: - Lines begin and end

  /// Gives a client a line.
  ///
  /// - Parameters:
  ///   - request: The client.
  ///   - rule: What becomes of it if another one is the user.
  /// - Returns: The line, or nil if it is refused.
  mutating func attach(_ request: Request, _ rule: Rule) -> Attachment? {
    if isGone { return nil }
    var watches = request.watches
    if !watches, let place = userPlace, lines[place].isAttached,
      lines[place].client != request.client
    {
      switch rule {
      case .takesOver: break
      case .isRefused: return nil
      case .watches: watches = true
      }
    }
    let old = watches ? absentWatcher(request.client) : userPlace
    let watchers = lines.count(where: \.watches) - (watches && old != nil ? 1 : 0)
    if watches, watchers >= Self.watcherLimit { return nil }
    let reset = reset(for: request)
    if let old { remove(at: old, .takenOver) }
    let seen = reset == nil ? request.lastSeen?.count ?? 0 : buffer.next - 1
    lastNumber += 1
    if !watches { hadUser = true }
    lines.append(
      Line(
        number: lastNumber, client: request.client, watches: watches,
        isVisible: request.isVisible, next: seen + 1, acknowledged: seen,
        renewal: reset == nil ? nil : seen + 1,
        firstInput: request.firstInput,
        input: (request.firstInput.lowerBound - 1, request.firstInput.lowerBound - 1)))
    trim()
    return Attachment(
      number: lastNumber, watches: watches, reset: reset, frameCount: buffer.next - 1)
  }

  /// The place of a client that watched in the process before.
  private func absentWatcher(_ client: ClientIdentifier) -> Int? {
    lines.firstIndex { $0.watches && !$0.isAttached && $0.client == client }
  }

  /// Why a client cannot go on with what it shows, if it cannot.
  private func reset(for request: Request) -> OutputReset? {
    if request.isForgotten { return .forgotten }
    guard let seen = request.lastSeen else { return .new }
    let isKnown =
      seen.epoch == epoch
      ? seen.count <= buffer.lastReleased
      : known.contains { $0.epoch == seen.epoch && seen.count <= $0.count }
    if !isKnown { return .epoch }
    return seen.count + 1 < buffer.first ? .overflow : nil
  }

  /// Notes that the client of a line is gone.
  ///
  /// - Returns: The absence that begins with it, of the user, which keeps its place, or of the last
  ///   client that was there; nil if another one is.
  mutating func detach(_ number: UInt64) -> Absence? {
    ends[number] = nil
    guard let place = place(number), lines[place].isAttached else { return nil }
    let watches = lines[place].watches
    if watches {
      lines.remove(at: place)
      trim()
      if !lines.isEmpty { return nil }
    } else {
      lines[place].isAttached = false
    }
    absences += 1
    return Absence(number: absences, isLong: watches)
  }

  /// Whether the user has not come since an absence began.
  func isAbsent(_ absence: Absence) -> Bool {
    absence.number == absences && userPlace.map { !lines[$0].isAttached } ?? true
  }

  /// Gives the places away of those that watched in the process before and have not come back.
  mutating func leaveWatchers() {
    lines.removeAll { $0.watches && !$0.isAttached }
    trim()
  }

  /// Gives the place of an absent user away, and the frames that were kept for it.
  mutating func leave() {
    if let place = userPlace, !lines[place].isAttached { lines.remove(at: place) }
    trim()
  }

  /// Ends a line, and tells its client why.
  mutating func end(_ number: UInt64, _ reason: LineEnd) {
    guard let place = place(number) else { return }
    remove(at: place, reason)
    trim()
  }

  private mutating func remove(at place: Int, _ reason: LineEnd) {
    if lines[place].isAttached { ends[lines[place].number] = reason }
    lines.remove(at: place)
  }

  /// Ends all lines.
  mutating func endAll(_ reason: LineEnd) {
    for line in lines { end(line.number, reason) }
  }

  /// Ends lines whose clients come back, here or in another process, and keep their places until
  /// then.
  ///
  /// - Parameters:
  ///   - number: Names the line; all of them if it is nil.
  ///   - reason: What the clients are told.
  /// - Returns: The absence that begins with it, as for ``detach(_:)``.
  mutating func interrupt(_ number: UInt64? = nil, _ reason: LineEnd) -> Absence? {
    var absence: Absence?
    for line in lines where line.isAttached && line.number == number ?? line.number {
      absence = detach(line.number) ?? absence
      ends[line.number] = reason
    }
    return absence
  }

  /// Lets the session go to another process: clients are told nothing more until their lines end.
  mutating func depart(_ session: SessionIdentifier) -> HandedOverLine {
    isGone = true
    let last = FrameNumber(epoch: epoch, count: buffer.lastReleased)
    let clients = lines.map {
      HandedOverLine.Client($0.client, watches: $0.watches, acknowledged: $0.acknowledged)
    }
    let frames = buffer.released
    return HandedOverLine(
      session, known: (known + [last]).suffix(HandedOverLine.epochLimit), clients: clients,
      skipped: buffer.lastReleased - UInt64(frames.count), frames: frames)
  }

  // MARK: - Output

  /// Appends a frame; returns its number.
  mutating func append(_ content: SceneMessage, isHeld: Bool) -> UInt64 {
    defer { trim() }
    return buffer.append(content, isHeld: isHeld)
  }

  /// Lets frames leave, since what they show is durable.
  mutating func release(through number: UInt64) {
    buffer.release(through: number)
    trim()
  }

  /// Takes back frames that were held, since the state that they show is lost with its scene.
  ///
  /// A client that was to get everything by them gets it as soon as the session has output that can
  /// be shown: a state that cannot be kept would be lost again and again.
  mutating func takeBack(from number: UInt64) {
    buffer.takeBack(from: number)
    for place in lines.indices where lines[place].renewal ?? 0 >= number {
      lines[place].renewal = 0
      lines[place].next = buffer.next
      lines[place].acknowledged = buffer.next - 1
    }
    trim()
  }

  /// Begins to give a client everything again.
  ///
  /// - Returns: How many frames there were before; nil if the line has ended.
  mutating func beginRendering(_ number: UInt64, _ reset: OutputReset) -> UInt64? {
    guard let place = place(number) else { return nil }
    lines[place].reset = reset
    lines[place].isRenewing = false
    lines[place].renewal = buffer.next
    lines[place].next = buffer.next
    lines[place].acknowledged = buffer.next - 1
    return buffer.next - 1
  }

  /// Notes that everything was emitted again, and ends the line if there was no room for it.
  mutating func endRendering(_ number: UInt64, after frameCount: UInt64) {
    if buffer.first > frameCount + 1 { end(number, .outputTooLarge) }
  }

  /// Takes what the client of a line gets next; nil if there is nothing now.
  mutating func take(_ number: UInt64) -> Output? {
    let output = next(number)
    guard let place = place(number), lines[place].isAttached else {
      ends[number] = nil
      return output
    }
    switch output {
    case .reset: lines[place].reset = nil
    case .acknowledged: lines[place].input.told = lines[place].input.applied
    case .needsRendering: lines[place].isRenewing = true
    case .frame:
      lines[place].next += 1
      lines[place].renewal = nil
    case .ended, .over, nil: break
    }
    return output
  }

  /// What the client of a line gets next; nil if there is nothing now.
  func next(_ number: UInt64) -> Output? {
    guard let place = place(number), lines[place].isAttached else {
      return ends[number].map { .ended($0) } ?? .over
    }
    if isGone { return nil }
    let line = lines[place]
    if let reset = line.reset { return .reset(reset) }
    if line.input.told < line.input.applied { return .acknowledged(line.input.applied) }
    let next = line.next
    let isTakenBack = line.renewal ?? next < next && next <= buffer.lastReleased
    if next < buffer.first || isTakenBack { return line.isRenewing ? nil : .needsRendering }
    guard let content = buffer.frame(next) else { return nil }
    return .frame(SceneFrame(number: FrameNumber(epoch: epoch, count: next), content: content))
  }

  /// Notes that a client has frames and does not need them again.
  ///
  /// - Returns: Whether it was given them; otherwise nothing is noted.
  mutating func acknowledge(_ number: UInt64, _ frame: FrameNumber) -> Bool {
    guard let place = place(number) else { return true }
    guard frame.epoch == epoch, frame.count < lines[place].next else { return false }
    lines[place].acknowledged = max(lines[place].acknowledged, frame.count)
    trim()
    return true
  }

  /// Drops the frames that no client needs any more.
  private mutating func trim() {
    buffer.drop(through: lines.map(\.acknowledged).min() ?? .max)
  }

  // MARK: - Input

  /// The numbers that the first input over a line may have; nil once it has come.
  func firstInput(_ number: UInt64) -> ClosedRange<UInt64>? {
    place(number).flatMap { lines[$0].firstInput }
  }

  /// Notes that the first input over a line has come.
  mutating func didTakeInput(_ number: UInt64) {
    if let place = place(number) { lines[place].firstInput = nil }
  }

  /// Notes that input of the user is applied for good.
  mutating func acknowledgeInput(_ input: UInt64, of client: ClientIdentifier) {
    guard let place = userPlace, lines[place].client == client else { return }
    lines[place].input.applied = max(lines[place].input.applied, input)
  }

  /// Notes whether the client of a line sees the scene.
  ///
  /// - Returns: Whether it is the user, and something changed.
  mutating func setVisible(_ number: UInt64, _ isVisible: Bool) -> Bool {
    guard !isGone, let place = place(number), lines[place].isVisible != isVisible else {
      return false
    }
    lines[place].isVisible = isVisible
    return !lines[place].watches
  }
}
