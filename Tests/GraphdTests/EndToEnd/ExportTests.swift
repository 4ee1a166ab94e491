import Database
import Foundation
import Importing
import Moderation
import ServiceTestSupport
import Sessions
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP
@testable import StrictJSON

/// `GET /v1/me/export`: all of the user's own data, and none of other users'.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ExportTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let parts = AccountExport.Part.allCases.map(\.rawValue)

    @Test func `an empty account has every part`() async throws {
        let person = try await server.person()
        let answer = try await server.client(person).get("/v1/me/export")
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.header("Content-Disposition") == "attachment; filename=\"\(person.username).json\"")
        #expect(answer.header("Cache-Control") == "no-store")
        let export = try answer.json
        #expect(export.names == Self.parts)
        #expect(try await export["account"] == server.client(person).get("/v1/me").json)
        for part in Self.parts.dropFirst() where part != "pushSettings" {
            #expect(export[part] == .array([]), "\(part)")
        }
        #expect(try await export["pushSettings"] == server.client(person).get("/v1/me/push-settings").json)
        let head = try await server.client(person).send("HEAD", "/v1/me/export")
        #expect(head.status == 200 && head.body.isEmpty)
        try await server.client().get("/v1/me/export").expectProblem(401, "token_missing")
    }

    @Test func `all that a user has is there`() async throws {
        let (person, other) = (try await server.person(accepting: .following), try await server.person())
        let (client, others) = (server.client(person), server.client(other))
        try await client.act("PUT", "\(other.path)/follow")
        try await others.act("PUT", "\(person.path)/follow")
        let foreign = try await others.publish(with: #""collaborators":["\#(person.idText)"]"#)["postId"]?.text ?? ""
        let (shared, hidden) = (try await others.publish(), try await client.publish())
        try await client.act("PUT", "/v1/posts/\(shared)/reshare")
        try await server.graph.communities.setTakenDown(true, post: PostID(rawValue: Int64(hidden) ?? 0))
        let third = try await server.person()
        try await client.act("PUT", "\(third.path)/block")
        #expect(try await client.put("\(third.path)/mute", #"{"posts":true}"#).status < 300)
        #expect(try await client.put("/v1/topics/run/follow").status < 300)
        let community = try await client.community("c\(person.idText)")
        _ = try await server.graph.sessions.openSession(
            of: person.id, refresh: RefreshGrant(digest: Array("x\(person.idText)".utf8), lifetime: 1_000_000))
        try await server.graph.database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO media (id, owner_id, content_type, file_name, bytes, sha256, created_at)
                VALUES (?1, ?2, 'image/png', '7.png', 12, ?3, 0)
                """, [.integer(try transaction.nextID()), .user(person.id), .blob([1])])
        }

        let export = try await client.get("/v1/me/export").json
        func texts(_ part: String, _ name: String) -> [String?]? { export[part]?.entries?.map { $0[name]?.text } }
        #expect(texts("posts", "postId") == [hidden, foreign])
        #expect(texts("collaborations", "postId") == [foreign])
        #expect(texts("reshares", "postId") == [shared])
        for part in ["following", "followers"] { #expect(texts(part, "userId") == [other.idText]) }
        #expect(texts("blocks", "username") == [third.username] && texts("mutes", "userId") == [third.idText])
        #expect(texts("topics", "name") == ["run"])
        #expect(texts("communities", "communityId") == [community] && texts("communities", "role") == ["owner"])
        #expect(texts("sessions", "sessionId")?.count == 1)
        #expect(texts("media", "contentType") == ["image/png"])
        #expect(export.names == Self.parts)
        // The other user appears by name only.
        #expect(try await !client.get("/v1/me/export").text.contains("@"))
    }

    @Test func `long lists are whole`() async throws {
        let person = try await server.person()
        let posts = (0..<450).map { NewPost(author: person.id, caption: "\($0)", mediaURL: "https://m.example/1") }
        let ids = try await server.graph.bulkPosts.publish(batch: posts)
        let export = try await server.client(person).get("/v1/me/export").json
        #expect(
            export["posts"]?.entries?.map { $0["postId"]?.text } == ids.reversed().map { String($0.rawValue) })
    }

    @Test func `an export that its client does not read ends, and makes room for another`() async throws {
        // The time in which bytes must be taken is an hour here.
        try await GraphdServer.running { server in
            let person = try await server.person()
            // More than the buffers of a connection hold.
            let posts = (0..<1_200).map { number in
                NewPost(
                    author: person.id, caption: "\(number) " + String(repeating: "🏖", count: 2_190),
                    mediaURL: "https://example.org/" + String(repeating: "v", count: 2_000),
                    algorithmTags: (0..<30).map { "\($0)" + String(repeating: "🏖", count: 60) })
            }
            for start in stride(from: 0, to: posts.count, by: 50) {
                _ = try await server.graph.bulkPosts.publish(batch: Array(posts[start..<start + 50]))
            }
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "GET /v1/me/export HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\n\r\n")
            #expect(try await connection.receive { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 200"))
            let client = server.client(person)
            #expect(try await client.send("HEAD", "/v1/me/export").status == 429)
            while try await client.send("HEAD", "/v1/me/export").status == 429 {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(100))
            }
            connection.finish()
        }
    }

    /// A new table must be exported, or be listed among those without personal data.
    @Test func `every table that names users is exported or listed`() async throws {
        let tables = try await server.graph.database.read { reader in
            let all = try reader.rows("SELECT name FROM sqlite_schema WHERE type = 'table'", []) { $0.text(0) }
            return try all.filter { table in
                try reader.exists("SELECT 1 FROM pragma_foreign_key_list('\(table)') WHERE \"table\" = 'account'", [])
            }
        }
        #expect(tables.count > 15)
        let exported = Set(AccountExport.Part.allCases.flatMap(\.tables))
        #expect(exported.isDisjoint(with: AccountExport.derivedTables.keys))
        #expect(Set(tables).subtracting(exported).subtracting(AccountExport.derivedTables.keys) == [])
    }
}
