// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// What is written to a connection between two nodes at a time.
  ///
  /// A frame is the length of what follows, in four bytes, then a byte with its kind, and what the
  /// kind says. Numbers are little-endian. The node that has opened the connection begins with a
  /// greeting; the other one answers with what it has received so far. Then items go one way, and
  /// answers the other.
  package enum LinkFrame: Sendable, Equatable {
    /// The largest frame, in bytes, without its length.
    package static let sizeLimit = 16 << 20
    /// The size of a greeting, in bytes, without its length.
    package static let greetingSize = 19
    /// The version of this form.
    package static let format: UInt16 = 1

    /// The kinds of frames, by their byte.
    enum Kind: UInt8 {
      case greeting = 1
      case items, answer, served, welcome, goodbye
    }

    /// Who opens the connection, to whom it is meant to be, and in which count its items have their
    /// numbers. Another count begins with number 1.
    case greeting(from: Int32, to: Int32, count: UInt64)
    /// Which process answers, and what it has received of that count.
    case welcome(process: UInt64, LinkAnswer)
    /// Items that follow one another.
    case items(LinkWindow<LinkItem>.Batch)
    /// What has been received, and what of it was not taken.
    case answer(LinkAnswer)
    /// Slices that are served now, of which items were not taken before.
    case served([Int])
    /// The node ends: what it has not answered so far it has not taken, and takes no more.
    case goodbye

    /// Adds the frame to bytes.
    package func write(to bytes: inout [UInt8]) {
      let start = bytes.count
      var writer = LinkWriter(bytes)
      // Only this function has the bytes while it writes.
      bytes = []
      writer.add(UInt32(0))
      switch self {
      case .greeting(let sender, let receiver, let count):
        writer.add(Kind.greeting.rawValue)
        writer.add(Self.format)
        writer.add(UInt32(bitPattern: sender))
        writer.add(UInt32(bitPattern: receiver))
        writer.add(count)
      case .items(let batch):
        writer.reserve(batch.entries.reduce(64) { $0 + $1.size + 16 })
        writer.add(Kind.items.rawValue)
        writer.add(batch.first)
        writer.add(batch.confirmed)
        writer.add(UInt32(batch.entries.count))
        for entry in batch.entries { writer.add(entry) }
      case .answer(let answer):
        writer.add(Kind.answer.rawValue)
        writer.add(answer)
      case .welcome(let process, let answer):
        writer.add(Kind.welcome.rawValue)
        writer.add(process)
        writer.add(answer)
      case .served(let slices):
        writer.add(Kind.served.rawValue)
        writer.add(UInt32(slices.count))
        for slice in slices { writer.add(UInt32(slice)) }
      case .goodbye: writer.add(Kind.goodbye.rawValue)
      }
      writer.setLength(at: start)
      bytes = writer.bytes
    }
  }

  /// Writes the parts of frames.
  struct LinkWriter {
    /// How much of an error's sentence is sent.
    static let sentenceLimit = 1_024

    /// The kinds of items, by their byte; the highest bit says that the sender begins with the
    /// slice again.
    enum Kind: UInt8 {
      case plain = 1
      case durable, call, reply, failure, request, handingOver, terms, question, clientLines

      static let restarts: UInt8 = 0x80
    }

    private(set) var bytes: [UInt8]

    init(_ bytes: consuming [UInt8]) {
      self.bytes = bytes
    }

    /// Makes room for bytes that will be added.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    mutating func add(_ number: some FixedWidthInteger) {
      unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func add(_ answer: LinkAnswer) {
      add(answer.last)
      add(UInt32(answer.refused.count))
      for refused in answer.refused {
        add(refused.number)
        add(refused.refusal.rawValue)
      }
    }

    mutating func setLength(at start: Int) {
      let length = UInt32(bytes.count - start - 4)
      for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (8 * place)) }
    }

    mutating func add(_ entry: LinkWindow<LinkItem>.Entry) {
      let mark = entry.restarts ? Kind.restarts : 0
      switch entry.item {
      case .message(let message, let session, let delivery):
        switch delivery {
        case .plain: add(Kind.plain.rawValue | mark)
        case .durable(let ticket):
          add(Kind.durable.rawValue | mark)
          add(ticket)
        case .call(let ticket):
          add(Kind.call.rawValue | mark)
          add(ticket)
        case .request(let ticket):
          add(Kind.request.rawValue | mark)
          add(ticket)
        }
        add(session.high)
        add(session.low)
        add(message)
      case .reply(let ticket, .success(let message)):
        add(Kind.reply.rawValue)
        add(ticket)
        add(message)
      case .reply(let ticket, .failure(let error)):
        add(Kind.failure.rawValue)
        add(ticket)
        add(error.session?.high ?? 0)
        add(error.session?.low ?? 0)
        add(Self.milliseconds(error.retryAfter))
        add(error.code.uiKitCode.flatMap(UInt8.init(exactly:)) ?? .max)
        add(error.code.description)
        add(error.message)
      case .handingOver(let epochs, let connected):
        add(Kind.handingOver.rawValue)
        add(epochs)
        add(UInt32(connected.count))
        for one in connected {
          add(one.session.high)
          add(one.session.low)
          add(one.standing.rawValue)
        }
      case .terms(let delta):
        add(Kind.terms.rawValue)
        add(delta)
      case .question(let message, let ticket):
        add(Kind.question.rawValue)
        add(ticket)
        add(message)
      case .clientLines(let epochs, let lines):
        add(Kind.clientLines.rawValue)
        add(epochs)
        add(UInt32(lines.count))
        for line in lines { add(line) }
      }
    }

    private mutating func add(_ delta: TermDelta) {
      add(delta.begins ? 1 : 0 as UInt8)
      for hashes in [delta.entered, delta.left] {
        add(UInt32(hashes.count))
        for hash in hashes {
          add(UInt8(truncatingIfNeeded: hash >> 32))
          add(UInt32(truncatingIfNeeded: hash))
        }
      }
      add(UInt32(delta.shapes.count))
      for count in delta.shapes {
        add(count.shape.rawValue)
        add(count.difference)
      }
      add(UInt32(delta.gone.count))
      for slice in delta.gone { add(UInt32(slice)) }
      add(UInt32(delta.complete.count))
      for slice in delta.complete {
        add(UInt32(slice.slice))
        add(slice.epoch)
      }
    }

    private mutating func add(_ epochs: [SliceEpoch]) {
      add(UInt32(epochs.count))
      for next in epochs {
        add(UInt32(next.slice))
        add(next.epoch)
      }
    }

    private mutating func add(_ line: HandedOverLine) {
      add(line.session.high)
      add(line.session.low)
      add(UInt32(line.known.count))
      for last in line.known {
        add(last.epoch)
        add(last.count)
      }
      add(UInt32(line.clients.count))
      for client in line.clients {
        add(client.identifier.high)
        add(client.identifier.low)
        add(UInt8(client.watches ? 1 : 0))
        add(client.acknowledged)
      }
      add(line.skipped)
      add(UInt32(line.frames.count))
      for frame in line.frames { add(frame) }
    }

    private mutating func add(_ message: SceneMessage) {
      add(UInt32(message.count))
      message.withBytes { span in
        unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
    }

    private mutating func add(_ text: String) {
      let utf8 = text.utf8.prefix(Self.sentenceLimit)
      add(UInt16(utf8.count))
      bytes.append(contentsOf: utf8)
    }

    /// Whole milliseconds, rounded up; the greatest number for no limit.
    private static func milliseconds(_ duration: Duration?) -> UInt32 {
      guard let duration else { return .max }
      let milliseconds = (duration / .milliseconds(1)).rounded(.up)
      return UInt32(min(max(milliseconds, 0), Double(UInt32.max - 1)))
    }
  }
#endif
