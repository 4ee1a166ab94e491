import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// Rules and the queue of held content at the command line.
@Suite(.timeLimit(.process), .sharedGraphd)
struct HeldContentTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test
    func `a rule is tried, switched on, holds, and what it holds is let through or removed`() async throws {
        let (owner, cyd) = try await (server.person("owner"), server.person("cyd"))
        let name = "Walkers of \(owner.username)"
        let community = try await server.client(owner).community(name)
        try await server.client(cyd).act("POST", "/v1/communities/\(community)/join")
        func publish(_ caption: String) async throws -> String {
            let body =
                #"{"caption":"\#(caption)","mediaUrl":"https://example.org/v.mp4","communityId":"\#(community)"}"#
            return try #require(try await server.client(cyd).post("/v1/posts", body).json["postId"]?.text)
        }
        func sees(_ post: String) async throws -> Bool {
            try await server.client(owner).page("/v1/communities/\(community)/timeline").contains(post)
        }
        let before = try await publish("cheap pills here")
        let add = [
            "rules", "add", "Pills", "--kind", "keyword", "--words", "pills, casino", "--action", "hold", "--community",
            name, "--json",
        ]
        let tried = try await server.command(add + ["--dry-run"], as: owner).expect(0)
        #expect(try tried.json.at("matched") == .integer(1))
        #expect(try tried.json.at("items")?.arrayValue?.first?.at("subject.postId")?.stringValue == before)
        try await server.command(add, as: cyd).expect(77)
        let added = try await server.command(add, as: owner).expect(0)
        let rule = try #require(try added.json.at("ruleId")?.stringValue)
        #expect(try added.json.at("enabled") == .bool(false))
        try await server.command(["rules", "enable", rule], as: owner).expect(0)
        let changed = try await server.command(
            ["rules", "edit", rule, "--words", "pills,casino,bets", "--json"], as: owner
        ).expect(0)
        #expect(try changed.json.at("definition.words")?.arrayValue?.count == 3)

        let (held, other) = try await (publish("more pills"), publish("a casino"))
        let list = ["queue", "list", "--community", name]
        let queue = try await server.command(list, as: owner).expect(0)
        #expect(Set(queue.lines.compactMap { $0.split(separator: "\t").first }) == ["post:\(held)", "post:\(other)"])
        #expect(try await !sees(held))
        // The lines of the list are accepted as subjects.
        let line = try #require(queue.lines.first { $0.hasPrefix("post:\(held)") })
        try await server.command(["queue", "approve", "-"], as: owner, input: line + "\n").expect(0)
        try await server.command(["queue", "remove", other, "--reason", "Spam"], as: owner).expect(0)
        #expect(try await sees(held))
        #expect(try await !sees(other))
        #expect(try await server.command(list, as: owner).output == "")
        try await server.command(["queue", "approve", "post:\(held)"], as: owner).expect(66)

        try await server.command(["rules", "disable", rule], as: owner).expect(0)
        #expect(try await sees(try await publish("pills at last")))
        try await server.command(["rules", "remove", rule], as: owner).expect(0)
        #expect(try await server.command(["rules", "list", "--community", name], as: owner).output == "")
    }
}
