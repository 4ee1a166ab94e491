import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import ModerationCommands
@testable import StrictJSON

/// Typical days of moderators, with the real binary against a running server.
@Suite(.timeLimit(.process), .graphdProcess)
struct ModeratorsDayTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// A community with its owner, two members, and a post by the second member.
    private struct Place {
        let owner: Person
        let bob: Person
        let cyd: Person
        let name: String
        let id: String
        let post: String
    }

    private func place() async throws -> Place {
        let (owner, bob, cyd) = try await (server.person("owner"), server.person("bob"), server.person("cyd"))
        let name = "Runners of \(owner.username)"
        let id = try await server.client(owner).community(name)
        for member in [bob, cyd] {
            try await server.client(member).act("POST", "/v1/communities/\(id)/join")
        }
        let post = try await server.client(cyd).publish(with: #""communityId":"\#(id)""#)
        return Place(
            owner: owner, bob: bob, cyd: cyd, name: name, id: id, post: try #require(post["postId"]?.text))
    }

    @Test
    func `a report is filed, found, claimed, acted on, and taken back`() async throws {
        let place = try await place()
        let (owner, bob) = (place.owner, place.bob)
        func sees() async throws -> Bool {
            try await server.client(bob).get("/v1/posts/\(place.post)").status == 200
        }
        let filed = try await server.command(
            ["report", "file", "post:\(place.post)", "--reason", "Off topic", "--json"], as: bob
        ).expect(0)
        let report = try #require(try filed.json.at("reportId")?.stringValue)
        let list = ["report", "list", "--community", place.name]
        let listed = try await server.command(list + ["--status", "open", "--json"], as: owner).expect(0)
        #expect(try listed.json.at("items")?.arrayValue?.first?.at("subject.postId")?.stringValue == place.post)
        let plain = try await server.command(list, as: owner).expect(0)
        #expect(plain.lines.first?.split(separator: "\t").first == Substring(report))

        try await server.command(["report", "claim", report], as: owner).expect(0)
        #expect(try await server.command(list, as: owner).output == "")
        let resolve = ["report", "resolve", report, "--action", "remove", "--reason", "Off topic", "--json"]
        let tried = try await server.command(resolve + ["--dry-run"], as: owner).expect(0)
        #expect(try tried.json.at("changed") == .integer(2) && tried.json.at("batch") == .null)
        #expect(try tried.json.at("dryRun") == .bool(true))
        let piped = try await server.command(resolve.dropLast() + ["--dry-run"], as: owner).expect(0)
        #expect(piped.lines.count == 2 && piped.lines.allSatisfy { $0.contains("\twould change\t") }, "\(piped.lines)")
        let request = ["report", "file", "post:\(place.post)", "--reason", "r", "--dry-run"]
        let unsent = try await server.command(request, as: bob).expect(0)
        #expect(unsent.lines.first?.hasPrefix("would change: Report") == true, "\(unsent.lines)")
        #expect(try await sees())
        let resolved = try await server.command(resolve, as: owner).expect(0)
        let batches = try #require(try resolved.json.at("batches")?.arrayValue?.compactMap { $0.stringValue })
        #expect(try batches.count == 2 && resolved.batch == batches[0])
        #expect(try await !sees())
        #expect(try await server.command(list + ["--status", "resolved"], as: owner).lines.count == 1)

        let undone = try await server.command(["undo"] + batches + ["--json"], as: owner).expect(0)
        #expect(try undone.json.at("changed") == .integer(2))
        #expect(try await sees())
        #expect(
            try await server.command(["report", "show", report, "--json"], as: owner).json.at("status")?.stringValue
                == "claimed")
    }

    @Test
    func `members are banned for a time, let back in with their role, warned, and appeal`() async throws {
        let place = try await place()
        let scope = ["--community", place.name]
        let (owner, cyd) = (place.owner, place.cyd)
        func members(_ more: [String] = []) async throws -> [String] {
            let list = try await server.command(["member", "list"] + scope + more, as: owner).expect(0)
            return list.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
        }
        try await server.command(["member", "role", cyd.username, "moderator"] + scope, as: owner).expect(0)
        let before = try await server.command(["member", "list", "--json"] + scope, as: owner).output
        let banned = try await server.command(
            ["member", "ban", "@" + cyd.username.uppercased(), "--reason", "Spam", "--for", "7d", "--json"] + scope,
            as: owner
        ).expect(0)
        #expect(try banned.json.at("changed") == .integer(1))
        #expect(try await members(["--banned"]) == [cyd.username])
        #expect(try await !members().contains(cyd.username))
        try await server.command(["member", "unban", "id:\(cyd.idText)"] + scope, as: owner).expect(0)
        #expect(try await server.command(["member", "list", "--json"] + scope, as: owner).output == before)

        let warned = try await server.command(
            ["member", "warn", "-", "--reason", "No shops", "--json"] + scope, as: owner, input: "\(cyd.username)\n"
        ).expect(0)
        #expect(try warned.json.at("changed") == .integer(1))
        let strikes = try await server.command(["user", "strikes"], as: cyd).expect(0)
        let entry = try #require(strikes.lines.first?.split(separator: "\t").first.map(String.init))
        let appeal = try await server.command(
            ["appeal", "file", entry, "--text", "It was none", "--json"], as: cyd
        ).expect(0)
        let id = try #require(try appeal.json.at("appealId")?.stringValue)
        #expect(try await server.command(["appeal", "list"] + scope, as: owner).lines.count == 1)
        try await server.command(["appeal", "decide", id, "granted", "--reason", "So it was"], as: owner).expect(0)
        #expect(try await server.command(["user", "strikes"], as: cyd).output == "")
        #expect(try await server.command(["appeal", "mine"], as: cyd).lines.first?.contains("granted") == true)
        let log = try await server.command(["modlog", "list", "--all"] + scope, as: owner).expect(0)
        #expect(log.lines.count >= 5, "\(log)")
    }

    @Test
    func `the first admin is made beside the running server, suspends, reinstates and checks the modlog`() async throws
    {
        let (ada, cyd) = try await (server.person("ada"), server.person("cyd"))
        let suspend = ["user", "suspend", cyd.username, "--reason", "Spam, again", "--for", "30d", "--json"]
        try await server.command(suspend, as: ada).expect(77)
        let role = ["user", "role", ada.username, "admin", "--data-dir", server.directory.path, "--json"]
        let tried = try await server.command(role + ["--dry-run"], as: nil).expect(0)
        #expect(try tried.json.at("changed") == .integer(1))
        try await server.command(suspend, as: ada).expect(77)
        let appointed = try await server.command(role, as: nil).expect(0)
        _ = try appointed.batch
        let suspended = try await server.command(suspend, as: ada).expect(0)
        try await server.command(["member", "list", "--community", "x"], as: cyd).expect(77)
        // A hidden user is still found by name.
        let shown = try await server.command(["user", "show", cyd.username, "--json"], as: ada).expect(0)
        #expect(try shown.json.at("suspendedAt")?.stringValue != nil)
        let head = try await server.command(["modlog", "verify", "--json"], as: ada).expect(0)
        #expect(try head.json.at("valid") == .bool(true))
        try await server.command(["user", "reinstate", cyd.username], as: ada).expect(0)
        try await server.command(["undo", suspended.batch], as: ada).expect(0)
        let digest = try #require(try head.json.at("head")?.stringValue)
        try await server.command(["modlog", "verify", "--expect", digest], as: ada).expect(0)
        let other = String(digest.reversed())
        try await server.command(["modlog", "verify", "--expect", other], as: ada).expect(1)
        try await server.command(["dashboard", "--json"], as: ada).expect(0)
        try await server.command(["user", "home", cyd.username], as: ada).expect(0)
    }

    @Test
    func `what goes wrong is said, with a status of its own, and changes nothing`() async throws {
        let place = try await place()
        let ban = ["member", "ban", "--community", place.name, "--reason", "x"]
        try await server.command(ban + [place.cyd.username], as: place.bob).expect(77)
        try await server.command(ban + [place.cyd.username], as: nil).expect(77)
        try await server.command(ban + [place.cyd.username, "nobody.is.this"], as: place.owner).expect(66)
        try await server.command(ban + ["-"], as: place.owner, input: "\n").expect(65)
        try await server.command(["post", "remove", "cat", "--reason", "x"], as: place.owner).expect(65)
        try await server.command(["report", "show", "1"], as: place.owner).expect(66)
        let nowhere = ["GRAPHD_SERVER": "http://127.0.0.1:1", "GRAPHD_TOKEN": "t"]
        let unreachable = try await server.command(["report", "list"], environment: nowhere).expect(69)
        #expect(unreachable.errors.last?.contains("cannot be reached") == true)
        let banned = try await server.command(
            ["member", "list", "--banned", "--community", place.name], as: place.owner)
        #expect(banned.output == "")
    }

    @Test
    func `a login is kept, used and ended`() async throws {
        let email = "ada.\(UUID().uuidString.prefix(8))@example.org"
        let name = "ada.\(UUID().uuidString.prefix(8).lowercased())"
        let signup = try await server.client().post(
            "/v1/auth/signup", #"{"email":"\#(email)","password":"correct horse","username":"\#(name)"}"#)
        #expect(signup.status == 201, "\(signup)")
        let home = server.directory.path + "/config-\(UUID().uuidString)"
        let environment = ["XDG_CONFIG_HOME": home]
        let address = "http://127.0.0.1:\(server.port)"
        let login = ["login", email, "--server", address]
        try await server.command(login, environment: environment, input: "wrong horse\n").expect(77)
        try await server.command(["user", "strikes"], environment: environment).expect(77)
        try await server.command(login, environment: environment, input: "correct horse\n").expect(0)
        let file = home + "/graphd/login.json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try await server.command(["user", "strikes"], environment: environment).expect(0)

        // An expired token is renewed.
        var kept = try #require(try LoginFile(path: file).read())
        #expect(kept.username == name && kept.server == address)
        let old = kept.refreshToken
        kept.expiresAt = "2020-01-01T00:00:00.000Z"
        try LoginFile(path: file).write(kept)
        try await server.command(["user", "strikes"], environment: environment).expect(0)
        #expect(try LoginFile(path: file).read()?.refreshToken != old)

        try await server.command(["logout"], environment: environment).expect(0)
        #expect(!FileManager.default.fileExists(atPath: file))
        try await server.command(["user", "strikes"], environment: environment).expect(77)
    }
}
