import Foundation
import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

/// Random inputs for each parser: it never traps, and accepted inputs satisfy its invariants. `tools/fuzz` runs longer.
@Suite(.timeLimit(.model))
struct InputFuzzTests {
    @Test(arguments: InputParser.all.map(\.name))
    func `no input does harm`(name: String) throws {
        let parser = try InputParser.named(name)
        for input in parser.corpus { try parser.read(input) }
        var mutation = InputMutation(seed: 20)
        for number in 0..<1_500 {
            let input = mutation.input(for: parser)
            do {
                try parser.read(input)
            } catch {
                Issue.record("input \(number), \(Data(input).base64EncodedString()): \(error)")
                return
            }
        }
    }

    @Test(arguments: InputParser.all.map(\.name))
    func `every hostile shape is read to its end`(name: String) throws {
        let parser = try InputParser.named(name)
        for frame in parser.frames {
            for shape in HostileShape.all { try parser.read(shape.text(of: min(parser.limit, 6_000), in: frame)) }
        }
    }

    /// Shows that the tests above can fail.
    @Test func `broken promises are told`() throws {
        let broken = InputParser("broken", limit: 10, corpus: ["a"]) { _ in throw InputFault("broken") }
        #expect(throws: InputFault.self) { try broken.read([]) }
        let refusing = InputParser("refusing", limit: 10, corpus: ["a"]) { _ in throw Problem(.invalidValue, "no") }
        #expect(throws: Never.self) { try refusing.read([]) }
    }

    @Test func `the same seed makes the same inputs`() throws {
        let parser = try InputParser.named("json")
        var (first, second) = (InputMutation(seed: 3), InputMutation(seed: 3))
        for _ in 0..<100 { #expect(first.input(for: parser) == second.input(for: parser)) }
    }
}
