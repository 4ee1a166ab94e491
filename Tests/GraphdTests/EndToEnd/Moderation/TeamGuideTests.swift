import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// The commands of docs/moderation/team.md, run as they are written there.
@Suite(.timeLimit(.process))
struct TeamGuideTests {
    @Test func `the commands of the guide set up a team and take a member out of it`() async throws {
        let settings = ["--require-totp", "moderators", "--webhooks", "anywhere"]
        try await GraphdServer.running(settings, in: .process) { server in
            let ada = AccountOwner(server: server, name: "ada")
            let bob = AccountOwner(server: server, name: "bob")
            let (codes, bobs) = try await (ada.setUp(ada.signUp()).codes, bob.signUp())
            _ = try await bob.setUp(bobs)
            let cyd = try await server.person("cyd")
            let owner = try await server.client(server.person("dora"))
            let community = try await owner.community("Runners")
            try await server.client(cyd).act("POST", "/v1/communities/\(community)/join")
            let post = try await owner.publish(with: #""communityId":"\#(community)""#)
            let report = try await server.command(
                ["report", "file", "post:\(post["postId"]?.text ?? "")", "--reason", "Off topic", "--json"], as: cyd)
            let reportID = try #require(try report.expect(0).json.at("reportId")?.stringValue)
            let standings = #"[{"reportId":"\#(reportID)"}]"#

            let files = server.directory.path + "/team"
            try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
            try Data("\(AccountOwner.password)\n\(codes[0])\n".utf8).write(to: URL(fileURLWithPath: files + "/login"))
            try Data("battery staple\n".utf8).write(to: URL(fileURLWithPath: files + "/new-password.txt"))
            let blocks = try GuideCommands.blocks(of: "docs/moderation/team.md")
            let leaving = try #require(blocks.firstIndex { $0.contains("user role bob none") })
            for (index, block) in blocks.enumerated() {
                if index == leaving {
                    // Bob holds his role until here, and has claimed a report.
                    let claim = #"{"action":"claimReport","subjects":\#(standings),"reason":"mine"}"#
                    #expect(try await bobs.post("/v1/moderation/actions", claim).status == 200)
                }
                let script = block.replacing("/var/lib/graphd", with: server.directory.path)
                    .replacing("https://api.example.org", with: "http://127.0.0.1:\(server.port)")
                    .replacing("https://check.example", with: "http://127.0.0.1:\(server.port)")
                    .replacing(#/\bcyd\b/#, with: cyd.username)
                try await GuideCommands.run(
                    "cd '\(files)'\n" + script,
                    .init(
                        input: block.contains("graphd login") ? files + "/login" : "/dev/null",
                        output: files + "/output-\(index)", environment: ["XDG_CONFIG_HOME": files]))
            }
            #expect(blocks.count == 14)
            let queue = "/v1/moderation/reports?status=open"
            let admin = try ada.client(await ada.logIn(codes[1]))
            #expect(try await admin.get(queue).json["items"]?.entries?.count == 1)
            // The new password has ended his sessions, and the role is gone from new ones.
            try await bobs.get("/v1/me").expectProblem(401, "token_invalid")
            let log = try String(contentsOfFile: files + "/output-\(blocks.count - 1)", encoding: .utf8)
            #expect(log.contains("claimReport"))
        }
    }
}
