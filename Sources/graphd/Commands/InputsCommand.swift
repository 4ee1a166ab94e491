import ArgumentParser
import CommandSupport
import Foundation
import ModerationCommands
import Synchronization

/// Feeds the server's parsers, without a server: for `tools/fuzz` and `tools/linear`.
struct InputsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inputs", abstract: "Test the server's parsers with generated inputs.", shouldDisplay: false,
        subcommands: [ListCommand.self, FuzzCommand.self, CountCommand.self])

    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the parsers.")

        func run() { for parser in InputParser.all { print(parser.name) } }
    }

    struct FuzzCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fuzz", abstract: "Feed a parser with random inputs.",
            discussion: "A crash ends the process; the file named by --input then holds the input that caused it.")

        @Argument(help: "Name of the parser.")
        var parser: String

        @Option(help: "Seed; the same seed generates the same inputs.")
        var seed: UInt64 = 1

        @Option(help: "Number of inputs. (default: as many as fit into --minutes)")
        var cases: Int?

        @Option(help: "Duration in minutes, if --cases is not given.")
        var minutes = 1.0

        @Option(help: "File that always holds the current input.")
        var input: String?

        func run() throws {
            let parser = try InputParser.named(parser)
            var mutation = InputMutation(seed: seed)
            let end = ContinuousClock.now + .seconds(minutes * 60)
            var number = 0
            while cases.map({ number < $0 }) ?? (ContinuousClock.now < end) {
                number += 1
                let bytes = mutation.input(for: parser)
                if let input { try Data(bytes).write(to: URL(fileURLWithPath: input)) }
                do {
                    try parser.read(bytes)
                } catch let fault as InputFault {
                    throw CommandFailure("Seed \(seed), input \(number): \(fault)")
                }
            }
            print("\(parser.name): \(number) inputs of seed \(seed)")
        }
    }

    /// Reads each hostile input in two lengths, the second of which is the longest that the parser accepts. Each
    /// reading is between two functions at whose names valgrind resets and writes its counts.
    struct CountCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "count", abstract: "Parse hostile inputs under a profiler, and print their names.")

        @Argument(help: "Names of parsers. (default: all)")
        var parsers: [String] = []

        @Option(help: "Maximum length of an input, in bytes, for a parser of ordinary cost.")
        var longest = Int.max

        @Flag(help: "Run only a deliberately quadratic parser.")
        var selfTest = false

        func run() throws {
            let chosen = try parsers.isEmpty ? InputParser.all : parsers.map(InputParser.named)
            for parser in selfTest ? [Self.quadratic] : chosen {
                for (number, frame) in parser.frames.enumerated() {
                    for shape in HostileShape.all {
                        let limit = min(parser.limit, longest / parser.costPerByte)
                        for bytes in [limit / 2, limit] {
                            let text = shape.text(of: bytes, in: frame)
                            inputBegins()
                            try? parser.read(text)
                            inputEnds()
                            print("\(parser.name) \(number) \(shape.name) \(text.count)")
                        }
                    }
                }
            }
        }

        private static let quadratic = InputParser("quadratic", limit: 512, corpus: []) { bytes in
            var equal = 0
            for left in bytes { for right in bytes where left == right { equal &+= 1 } }
            if equal == .max { print(equal) }
        }
    }
}

/// The two functions below differ, so that the compiler does not merge them.
private let inputsRead = Atomic(0)

/// A profiler resets its counts here.
@inline(never)
private func inputBegins() { inputsRead.add(1, ordering: .relaxed) }

/// A profiler writes its counts here.
@inline(never)
private func inputEnds() { inputsRead.add(2, ordering: .relaxed) }
