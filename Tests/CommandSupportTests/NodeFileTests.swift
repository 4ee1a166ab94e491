import Foundation
import TestSupport
import Testing

@testable import CommandSupport

@Suite(.timeLimit(.unit))
struct NodeFileTests {
    @Test func `a directory keeps its number`() async throws {
        try await withTemporaryDirectory("node") { path in
            #expect(!NodeFile.exists(in: path))
            let node = try NodeFile(in: path)
            #expect(NodeFile.exists(in: path))
            #expect(try NodeFile(in: path).id == node.id)
        }
    }

    @Test func `a copy of a directory is another node`() async throws {
        try await withTemporaryDirectory("node") { path in
            let (original, copy) = (path + "/original", path + "/copy")
            try FileManager.default.createDirectory(atPath: original, withIntermediateDirectories: true)
            let node = try NodeFile(in: original)
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            #expect(try NodeFile(in: copy).id != node.id)
            #expect(try NodeFile(in: original).id == node.id)
        }
    }

    @Test(arguments: ["", "x", "0 1", "12", "-3 4", "1 2 3", "99999999999999999999 1"])
    func `a file that holds something else is written again`(_ content: String) async throws {
        try await withTemporaryDirectory("node") { path in
            try content.write(toFile: path + "/node", atomically: false, encoding: .utf8)
            let node = try NodeFile(in: path)
            #expect(node.id > 0)
            #expect(try NodeFile(in: path).id == node.id)
        }
    }

    @Test func `a password on the command line is refused and not repeated`() {
        let failure = #expect(throws: CommandFailure.self) {
            try DatabaseServer(parsing: "postgres://ada:secret@localhost/graph", isArgument: true)
        }
        #expect(failure?.description.contains("list of processes") == true)
        #expect(failure?.description.contains("secret") == false)
        #expect(throws: Never.self) {
            try DatabaseServer(parsing: "postgres://ada:secret@localhost/graph", isArgument: false)
        }
    }

    @Test func `an argument precedes the environment, and an empty variable counts as not set`() throws {
        let environment = ["GRAPHD_DATABASE": "postgres://ada@localhost/other"]
        let named = try DatabaseServer.named("postgres://ada@localhost/graph", environment: environment)
        #expect(named.map { "\($0.address)" } == "\"graph\" at localhost")
        #expect(
            try DatabaseServer.named(nil, environment: environment).map { "\($0.address)" } == "\"other\" at localhost")
        #expect(try DatabaseServer.named(nil, environment: ["GRAPHD_DATABASE": ""]) == nil)
    }
}
