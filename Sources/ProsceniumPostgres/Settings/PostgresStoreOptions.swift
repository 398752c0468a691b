// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import ProsceniumCluster

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// What can be chosen of a store in PostgreSQL.
  public struct PostgresStoreOptions: Sendable {
    /// What the process is called where people see it, at most 128 characters: the name of the
    /// machine unless set.
    public var name: String

    /// A file of this machine that a process holds while it uses the store, or `nil`.
    ///
    /// A process that is started again and gets hold of it knows that the one before has ended, and
    /// takes the store over at once. Without the file it waits for the ``lease``.
    public var lockFile: String?

    /// How long a process that uses the store must not have been heard of until another one takes
    /// the store over: 5 s unless set, 1 s at least.
    ///
    /// Both sides measure it by a clock of their own that only goes on. What the one that was
    /// taken for dead still writes is refused.
    public var lease = Duration.seconds(5)

    /// How long an answer of the server may take: 20 s unless set.
    ///
    /// After that the connection is given up, and what was asked for fails or is asked for again.
    public var patience = Duration.seconds(20)

    /// Of how many sessions the keys are kept in memory, about 300 bytes each: 131,072 unless set.
    ///
    /// It should be more than are connected at once: what is not kept is read and derived again.
    public var keyCacheSize = 131_072

    /// The clock by which answers and leases are waited for.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The seconds since 1970, by which activations are written once a second.
    public var now: @Sendable () -> Int64 = { Int64(time(nil)) }

    /// Is told when the database has lost changes that it had acknowledged, as one does that goes
    /// on with what a replica or a backup has.
    ///
    /// The store compares after each new connection. It is called from any thread.
    public var didLose: (@Sendable (CommitLosses) -> Void)?

    /// Creates the usual options.
    public init() {
      var bytes = [CChar](repeating: 0, count: 256)
      unsafe gethostname(&bytes, bytes.count - 1)
      let name = String(
        decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      self.name = name.isEmpty ? "localhost" : name
    }
  }
#endif
