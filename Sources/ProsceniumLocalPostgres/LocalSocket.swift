// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation

  /// A socket on this machine, none of whose calls waits.
  package struct LocalSocket: Sendable {
    package enum Connecting { case done, underWay, failed }
    package enum Reading { case bytes([UInt8]), end, nothing, failure }
    package enum Writing { case bytes(Int), failure }

    package let descriptor: Int32

    /// A socket that listens on a free port of 127.0.0.1, and the port.
    package static func listening() throws -> (LocalSocket, port: Int) {
      guard let socket = open() else { throw ProgramFailure(description: "no socket: \(errno)") }
      var address = address(of: 0)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe bind(socket.descriptor, address, length) == 0
            && listen(socket.descriptor, 256) == 0
            && getsockname(socket.descriptor, address, &length) == 0
        }
      }
      guard isListening else {
        socket.close()
        throw ProgramFailure(description: "no port could be listened on: \(errno)")
      }
      return (socket, Int(in_port_t(bigEndian: address.sin_port)))
    }

    /// Whether a server could listen on a port of 127.0.0.1.
    package static func isFree(_ port: Int) -> Bool {
      guard let socket = open() else { return false }
      defer { socket.close() }
      socket.set(SOL_SOCKET, SO_REUSEADDR, Int32(1))
      var address = address(of: port)
      return unsafe withAddress(&address) {
        unsafe bind(socket.descriptor, $0, $1) == 0
      }
    }

    /// Two sockets that are connected with each other, which no program that is started inherits.
    package static func pair() throws -> (LocalSocket, LocalSocket) {
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
        throw ProgramFailure(description: "no sockets: \(errno)")
      }
      return (LocalSocket(descriptor: ends[0]), LocalSocket(descriptor: ends[1]))
    }

    /// A new socket, which no program that is started inherits.
    package static func open() -> LocalSocket? {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = socket(AF_INET, kind, 0)
      return descriptor < 0 ? nil : LocalSocket(descriptor: descriptor)
    }

    private static func address(of port: Int) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      return address
    }

    private static func withAddress<Result>(
      _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    /// The next connection that has come in, if there is one.
    package func accept() -> LocalSocket? {
      let accepted = Foundation.accept(descriptor, nil, nil)
      guard accepted >= 0 else { return nil }
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
      _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
      let socket = LocalSocket(descriptor: accepted)
      socket.sendAtOnce()
      return socket
    }

    /// Begins to connect, or says how that went.
    package func connect(to port: Int) -> Connecting {
      var address = Self.address(of: port)
      let status = unsafe Self.withAddress(&address) {
        unsafe Foundation.connect(descriptor, $0, $1)
      }
      if status == 0 || errno == EISCONN {
        sendAtOnce()
        return .done
      }
      return [EINPROGRESS, EALREADY, EINTR].contains(errno) ? .underWay : .failed
    }

    package func read(most: Int) -> Reading {
      var buffer = [UInt8](repeating: 0, count: most)
      let flags = Int32(MSG_DONTWAIT)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(descriptor, $0.baseAddress, most, flags)
      }
      if count > 0 { return .bytes(Array(buffer.prefix(count))) }
      if count == 0 { return .end }
      return [EAGAIN, EINTR].contains(errno) ? .nothing : .failure
    }

    package func write(_ bytes: [UInt8]) -> Writing {
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      let count = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, flags)
      }
      if count >= 0 { return .bytes(count) }
      return [EAGAIN, EINTR].contains(errno) ? .bytes(0) : .failure
    }

    /// Tells the other side that no more bytes come.
    package func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Listens no more, but stays open.
    package func endListening() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// How many bytes were written that the other side's system does not have yet.
    package var unsent: Int {
      var count: Int32 = 0
      return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// Closes the socket with a reset, and throws away what was not sent.
    package func reset() {
      set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
      close()
    }

    package func close() { Foundation.close(descriptor) }

    private func sendAtOnce() { set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1)) }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
      var value = value
      let size = socklen_t(MemoryLayout<Value>.size)
      _ = unsafe setsockopt(descriptor, level, option, &value, size)
    }
  }
#endif
