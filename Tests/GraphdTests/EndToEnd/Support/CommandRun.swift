import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// The output of a command, and its end.
struct CommandRun: Sendable, CustomStringConvertible {
    let end: GraphdProcess.End
    let output: String
    let errors: [String]

    var description: String { "\(end)\n\(output)\n\(errors.joined(separator: "\n"))" }
    var json: JSONValue { get throws { try JSONReader.read(Array(output.utf8.dropLast())) } }
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The batch id of the changes.
    var batch: String { get throws { try #require(try json.at("batch")?.stringValue, "\(self)") } }

    @discardableResult
    func expect(_ status: Int32, sourceLocation: SourceLocation = #_sourceLocation) -> CommandRun {
        #expect(end == .exited(status), "\(self)", sourceLocation: sourceLocation)
        return self
    }
}

extension CommandRun {
    /// Runs the real `graphd`. Its input and output are files whose paths begin with `stem`.
    static func of(
        _ words: [String], environment: [String: String] = [:], input: String? = nil,
        stem: String = temporaryPath("command")
    ) async throws -> CommandRun {
        defer { for end in ["in", "out"] { try? FileManager.default.removeItem(atPath: "\(stem).\(end)") } }
        var surroundings = GraphdProcess.Surroundings(output: "\(stem).out", environment: environment)
        if let input {
            surroundings.input = "\(stem).in"
            try Data(input.utf8).write(to: URL(fileURLWithPath: surroundings.input))
        }
        let process = try GraphdProcess(words, surroundings)
        let end = await process.wait()
        let output = try Data(contentsOf: URL(fileURLWithPath: surroundings.output))
        return CommandRun(end: end, output: String(decoding: output, as: UTF8.self), errors: process.lines)
    }
}

extension GraphdServer {
    /// Runs the real `graphd` as that person, over HTTP, through `relay` if there is one.
    func command(
        _ words: [String], as person: Person?, input: String? = nil, through relay: Relay? = nil
    ) async throws -> CommandRun {
        var environment = [
            "GRAPHD_SERVER": "http://127.0.0.1:\(relay?.port ?? port)", "XDG_CONFIG_HOME": directory.path + "/none",
        ]
        if let person { environment["GRAPHD_TOKEN"] = person.token }
        return try await command(words, environment: environment, input: input)
    }

    func command(_ words: [String], environment: [String: String], input: String? = nil) async throws -> CommandRun {
        try await CommandRun.of(
            words, environment: environment, input: input, stem: directory.path + "/command-\(UUID().uuidString)")
    }

    /// Creates an admin of the site, beside the server.
    func admin() async throws -> Person {
        let person = try await self.person("admin")
        try await run(["user", "role", person.username, "admin"])
        return person
    }
}
