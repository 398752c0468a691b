// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  extension LinkFrame {
    /// Reads a frame from its bytes, whatever they are.
    ///
    /// - Parameters:
    ///   - bytes: The frame without its length.
    ///   - sliceBits: How many bits of an identifier name its slice.
    /// - Throws: `LinkFault`, which says what was expected, and at which byte.
    package init(reading bytes: [UInt8], sliceBits: Int) throws(LinkFault) {
      var reader = LinkReader(bytes, sliceBits: sliceBits)
      self = try reader.frame()
    }
  }

  /// Reads the parts of a frame.
  private struct LinkReader {
    private let bytes: [UInt8]
    private let sliceBits: Int
    private var offset = 0

    init(_ bytes: [UInt8], sliceBits: Int) {
      self.bytes = bytes
      self.sliceBits = sliceBits
    }

    mutating func frame() throws(LinkFault) -> LinkFrame {
      let number: UInt8 = try self.number("the kind of a frame")
      guard let kind = LinkFrame.Kind(rawValue: number) else {
        throw fault(1, "the kind of a frame, 1 to 6", "\(number)")
      }
      let frame: LinkFrame
      switch kind {
      case .greeting: frame = try greeting()
      case .items: frame = .items(try batch())
      case .answer: frame = .answer(try answer())
      case .welcome:
        frame = .welcome(process: try self.number("a process"), try answer())
      case .served:
        frame = .served(try slices())
      case .goodbye: frame = .goodbye
      }
      guard offset == bytes.count else {
        throw fault(0, "the end of the frame", "\(bytes.count - offset) bytes more")
      }
      return frame
    }

    private mutating func greeting() throws(LinkFault) -> LinkFrame {
      let format: UInt16 = try number("a version of the form")
      guard format == LinkFrame.format else {
        throw fault(2, "version \(LinkFrame.format) of the form", "\(format)")
      }
      let sender = Int32(bitPattern: try number("the number of a node"))
      let receiver = Int32(bitPattern: try number("the number of a node"))
      return .greeting(from: sender, to: receiver, count: try number("a count"))
    }

    private mutating func answer() throws(LinkFault) -> LinkAnswer {
      let last: UInt64 = try number("the number of an item")
      let refused = try list("refusals", of: 9) { (reader) throws(LinkFault) in
        let item: UInt64 = try reader.number("the number of an item")
        let reason: UInt8 = try reader.number("a reason")
        guard let refusal = LinkRefusal(rawValue: reason) else {
          throw reader.fault(1, "a reason, 1 to \(LinkRefusal.allCases.count)", "\(reason)")
        }
        return LinkAnswer.Refused(item, refusal)
      }
      return LinkAnswer(last: last, refused: refused)
    }

    // MARK: - Items

    private mutating func batch() throws(LinkFault) -> LinkWindow<LinkItem>.Batch {
      let first: UInt64 = try number("the number of an item")
      let confirmed: UInt64 = try number("the number of an item")
      // The smallest item is a reply without bytes.
      let entries = try list("items", of: 13) { (reader) throws(LinkFault) in
        try reader.entry()
      }
      return .init(first: first, confirmed: confirmed, entries: entries)
    }

    private mutating func entry() throws(LinkFault) -> LinkWindow<LinkItem>.Entry {
      let byte: UInt8 = try number("the kind of an item")
      let restarts = byte & LinkWriter.Kind.restarts != 0
      guard let kind = LinkWriter.Kind(rawValue: byte & ~LinkWriter.Kind.restarts) else {
        throw fault(1, "the kind of an item, 1 to 10", "\(byte)")
      }
      let item: LinkItem
      switch kind {
      case .plain: item = try message(.plain)
      case .durable: item = try message(.durable(ticket: number("a ticket")))
      case .call: item = try message(.call(ticket: number("a ticket")))
      case .request: item = try message(.request(ticket: number("a ticket")))
      case .reply:
        item = .reply(
          ticket: try number("a ticket"), .success(try message(upTo: LinkItem.replySizeLimit)))
      case .failure:
        item = .reply(ticket: try number("a ticket"), .failure(try error()))
      case .handingOver: item = try handingOver()
      case .terms: item = .terms(try terms())
      case .question:
        let ticket: UInt64 = try number("a ticket")
        item = .question(try message(upTo: SceneMessage.sizeLimit), ticket: ticket)
      case .clientLines:
        let epochs = try epochs()
        item = .clientLines(
          epochs: epochs,
          try list("lines", of: 36) { (reader) throws(LinkFault) in try reader.line() })
      }
      return .init(
        item: item, slice: item.session?.slice(bits: sliceBits), size: item.size,
        restarts: restarts && item.session != nil)
    }

    private mutating func terms() throws(LinkFault) -> TermDelta {
      var delta = TermDelta(begins: try number("a mark") as UInt8 != 0)
      delta.entered = try hashes()
      delta.left = try hashes()
      guard delta.entered.count + delta.left.count <= TermDelta.limit else {
        throw fault(
          0, "at most \(TermDelta.limit) hashes", "\(delta.entered.count + delta.left.count)")
      }
      delta.shapes = try list("shapes", of: 8) { (reader) throws(LinkFault) in
        let number: UInt32 = try reader.number("a shape")
        guard let shape = SharedTerm.Shape(rawValue: number) else {
          throw reader.fault(4, "the shape of a term", "\(number)")
        }
        return TermDelta.Count(shape, try reader.number("a difference"))
      }
      delta.gone = try slices()
      delta.complete = try epochs()
      return delta
    }

    private mutating func slices() throws(LinkFault) -> [Int] {
      try list("slices", of: 4) { (reader) throws(LinkFault) in try reader.slice() }
    }

    private mutating func hashes() throws(LinkFault) -> [UInt64] {
      try list("hashes", of: 5) { (reader) throws(LinkFault) in
        let high: UInt8 = try reader.number("a hash")
        return UInt64(high) << 32 | UInt64(try reader.number("a hash") as UInt32)
      }
    }

    private mutating func epochs() throws(LinkFault) -> [SliceEpoch] {
      try list("slices", of: 8) { (reader) throws(LinkFault) in
        SliceEpoch(slice: try reader.slice(), epoch: try reader.number("an epoch"))
      }
    }

    private mutating func handingOver() throws(LinkFault) -> LinkItem {
      let epochs = try epochs()
      let connected = try list("sessions", of: 17) { (reader) throws(LinkFault) in
        let session = try reader.identifier()
        let byte: UInt8 = try reader.number("how a scene was")
        guard let standing = HandedOverSessions.Standing(rawValue: byte) else {
          throw reader.fault(1, "how a scene was, 0 to 2", "\(byte)")
        }
        return HandedOverSessions.Connected(session, standing)
      }
      return .handingOver(epochs: epochs, connected)
    }

    /// What the clients of a session need.
    private mutating func line() throws(LinkFault) -> HandedOverLine {
      let session = try identifier()
      let known = try list("epochs", of: 16) { (reader) throws(LinkFault) in
        FrameNumber(epoch: try reader.number("an epoch"), count: try reader.count("frames"))
      }
      let clients = try list("clients", of: 25) { (reader) throws(LinkFault) in
        let high: UInt64 = try reader.number("a client")
        let identifier = ClientIdentifier(high: high, low: try reader.number("a client"))
        let byte: UInt8 = try reader.number("whether a client watches")
        guard byte <= 1 else { throw reader.fault(1, "whether a client watches", "\(byte)") }
        return HandedOverLine.Client(
          identifier, watches: byte == 1, acknowledged: try reader.count("frames"))
      }
      let skipped = try count("frames")
      let frames = try list("frames", of: 4) { (reader) throws(LinkFault) in
        try reader.message(upTo: SceneMessage.sizeLimit)
      }
      return HandedOverLine(
        session, known: known, clients: clients, skipped: skipped, frames: frames)
    }

    /// A count to which others can be added.
    private mutating func count(_ what: String) throws(LinkFault) -> UInt64 {
      let count: UInt64 = try number("how many \(what) there are")
      guard count < 1 << 62 else { throw fault(8, "how many \(what) there are", "\(count)") }
      return count
    }

    private mutating func message(
      _ delivery: LinkItem.Delivery
    ) throws(LinkFault) -> LinkItem {
      let session = try identifier()
      return .message(try message(upTo: SceneMessage.sizeLimit), to: session, delivery)
    }

    private mutating func message(upTo limit: Int) throws(LinkFault) -> SceneMessage {
      let count = Int(try number("the length of a message") as UInt32)
      guard count <= limit else {
        throw fault(4, "a message of at most \(limit) bytes", "\(count)")
      }
      return SceneMessage(try take(count, "a message"))
    }

    private mutating func error() throws(LinkFault) -> SceneError {
      let session = try identifier()
      let pause = try duration()
      let number: UInt8 = try self.number("UIKit's number")
      let code = SceneError.Code(
        try text("the name of an error"), uiKitCode: number == .max ? nil : Int(number))
      let sentence = try text("a sentence")
      return SceneError(
        code, session: session == SessionIdentifier(high: 0, low: 0) ? nil : session, sentence,
        retryAfter: pause)
    }

    // MARK: - Parts

    private mutating func slice() throws(LinkFault) -> Int {
      let slice: UInt32 = try number("a slice")
      guard slice < 1 << sliceBits else {
        throw fault(4, "a slice below \(1 << sliceBits)", "\(slice)")
      }
      return Int(slice)
    }

    private mutating func identifier() throws(LinkFault) -> SessionIdentifier {
      let high: UInt64 = try number("a session")
      return SessionIdentifier(high: high, low: try number("a session"))
    }

    private mutating func duration() throws(LinkFault) -> Duration? {
      let milliseconds: UInt32 = try number("milliseconds")
      return milliseconds == .max ? nil : .milliseconds(Int64(milliseconds))
    }

    private mutating func text(_ what: String) throws(LinkFault) -> String {
      let count = Int(try number("the length of \(what)") as UInt16)
      return String(decoding: try take(count, what), as: UTF8.self)
    }

    private mutating func list<Element>(
      _ what: String, of size: Int,
      _ read: (inout LinkReader) throws(LinkFault) -> Element
    ) throws(LinkFault) -> [Element] {
      let count = Int(try number("the number of \(what)") as UInt32)
      // Memory is taken for what can be there, and not for what is promised.
      guard count <= (bytes.count - offset) / size else {
        throw fault(4, "at most \((bytes.count - offset) / size) \(what)", "\(count)")
      }
      var elements: [Element] = []
      elements.reserveCapacity(count)
      for _ in 0..<count { elements.append(try read(&self)) }
      return elements
    }

    private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
      _ what: String
    ) throws(LinkFault) -> Number {
      let size = Number.bitWidth / 8
      guard bytes.count - offset >= size else {
        throw fault(0, "\(what) in \(size) bytes", "\(bytes.count - offset)")
      }
      defer { offset += size }
      // The bytes are there, and any bytes are a number.
      return unsafe Number(
        littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    private mutating func take(_ count: Int, _ what: String) throws(LinkFault) -> ArraySlice<UInt8>
    {
      guard bytes.count - offset >= count else {
        throw fault(0, "\(what) of \(count) bytes", "\(bytes.count - offset)")
      }
      defer { offset += count }
      return bytes[offset..<offset + count]
    }

    /// What is wrong with what was read last, which had so many bytes.
    private func fault(_ size: Int, _ expected: String, _ found: String) -> LinkFault {
      LinkFault("at byte \(offset - size): expected \(expected), found \(found)")
    }
  }
#endif
