import ArgumentParser
import CommandSupport
import Foundation
import ModerationCommands
import Synchronization

/// Feeds the server's parsers, without a server: for `tools/fuzz` and `tools/linear`.
struct InputsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inputs", abstract: "Feed the server's parsers.", shouldDisplay: false,
        subcommands: [ListCommand.self, FuzzCommand.self, CountCommand.self])

    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Name the parsers.")

        func run() { for parser in InputParser.all { print(parser.name) } }
    }

    struct FuzzCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fuzz", abstract: "Feed a parser with inputs that chance makes.",
            discussion: "A trap ends the process. The input that did it is in the file that --input names.")

        @Argument(help: "The parser's name.")
        var parser: String

        @Option(help: "The same seed makes the same inputs.")
        var seed: UInt64 = 1

        @Option(help: "Inputs; as many as fit into the minutes if it is not given.")
        var cases: Int?

        @Option(help: "Minutes, without a number of cases.")
        var minutes = 1.0

        @Option(help: "The file that holds the input at hand.")
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
            commandName: "count", abstract: "Read hostile inputs for a profiler, and name them.")

        @Argument(help: "Names of parsers; all if none is given.")
        var parsers: [String] = []

        @Option(help: "Bytes that no input is longer than.")
        var longest = Int.max

        @Flag(help: "Only a parser that is quadratic on purpose.")
        var selfTest = false

        func run() throws {
            let chosen = try parsers.isEmpty ? InputParser.all : parsers.map(InputParser.named)
            for parser in selfTest ? [Self.quadratic] : chosen {
                for (number, frame) in parser.frames.enumerated() {
                    for shape in HostileShape.all {
                        let limit = min(parser.limit, longest)
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
