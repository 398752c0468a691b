// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium cluster release`: lets parked slices be served again.
  struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "release",
      abstract: "Lets slices be served again whose owners died one after the other.",
      discussion: """
        A session that ends its process would end that of node after node: when three owners of a \
        slice have died, each within ten minutes of the last, the nodes park the slice. Its \
        sessions are kept and not served. Find out first, from the nodes' logs, what ended them: \
        otherwise the slice ends its next owner as well.

        Each slice gives a line that says what was done. Deaths of a slice that was not parked are \
        forgotten too, which does no harm. A number that no slice has is refused, and then none is \
        released.

        EXAMPLES
          proscenium cluster status postgres://app@db/sessions
          proscenium cluster release postgres://app@db/sessions 417 802
        """)

    @Argument(help: "The address of the database.")
    var address: String

    @Argument(
      help: ArgumentHelp("The numbers of slices, as 'status' lists them.", valueName: "slice"))
    var slices: [Int]

    @OptionGroup var deaths: DeathLimitOption

    func run() async throws {
      var lines = ""
      let counts = try await ClusterStatus.release(slices, at: address)
      for (slice, count) in zip(slices, counts) {
        lines += "slice \(slice): \(text(count))\n"
      }
      try Terminal.writeOutput(lines)
    }

    private func text(_ count: Int) -> String {
      let deaths = "\(count) \(count == 1 ? "death" : "deaths")"
      return count >= self.deaths.deathLimit
        ? "released, was parked after \(deaths)"
        : "was not parked" + (count > 0 ? ", \(deaths) forgotten" : "")
    }
  }
#endif
