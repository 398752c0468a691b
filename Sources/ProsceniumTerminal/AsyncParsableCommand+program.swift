// SPDX-License-Identifier: Apache-2.0

#if Complete
  package import ArgumentParser

  extension AsyncParsableCommand {
    /// Runs the program: the command that its arguments ask for.
    ///
    /// It ends with exit code 2, and a line on standard error, if input, flags or output cannot be
    /// used.
    ///
    /// - Parameter arguments: The arguments; those of the process unless given.
    package static func runProgram(_ arguments: [String]? = nil) async {
      Terminal.prepareStreams()
      do {
        var command = try await command(arguments)
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error as ExitCode {
        exit(withError: error)
      } catch  where exitCode(for: error).isSuccess {
        Terminal.announce(fullMessage(for: error) + "\n")
      } catch {
        fail(error)
      }
    }

    /// The command that the arguments ask for.
    private static func command(_ arguments: [String]?) async throws -> any ParsableCommand {
      do {
        return try await asyncParseAsRoot(arguments)
      } catch  where !exitCode(for: error).isSuccess {
        // The parser lists the values that an option takes on lines of their own.
        let text = message(for: error).replacing(":\n  - ", with: ": ")
        throw ValidationError(Terminal.oneLine(text.replacing("\n  - ", with: ", ")))
      }
    }

    /// Ends the program since input, flags or output cannot be used.
    package static func fail(_ error: any Error) -> Never {
      Terminal.complain(error)
      exit(withError: ExitCode(2))
    }
  }
#endif
