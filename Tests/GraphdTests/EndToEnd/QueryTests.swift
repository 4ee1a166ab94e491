import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Query strings that must be refused, on every list and on paths that take none.
@Suite(.timeLimit(.process), .sharedGraphd)
struct QueryTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test(arguments: [(120, 200), (121, 400), (4_000, 400)])
    func `an attribute is asked for in as many characters as it can have`(_ length: Int, _ status: Int) async throws {
        let reader = server.client(try await server.person())
        for scalar in ["a", "%C3%A9"] {
            let value = String(repeating: scalar, count: length)
            for path in ["/v1/timelines/public?attributes.colour=", "/v1/timelines/home?attributes.cuisineType="] {
                let answer = try await reader.get(path + value)
                #expect(answer.status == status, "\(path) \(length): \(answer)")
            }
        }
    }

    @Test(arguments: [
        ("limit=0", "invalid_limit"), ("limit=101", "invalid_limit"), ("limit=x", "invalid_limit"),
        ("limit=", "invalid_limit"), ("limit", "invalid_limit"), ("limit=-1", "invalid_limit"),
        ("limit=+5", "invalid_limit"), ("limit=1.0", "invalid_limit"), ("limit=0x10", "invalid_limit"),
        ("limit=%D9%A1", "invalid_limit"), ("limit=99999999999999999999", "invalid_limit"),
        ("limit=1&limit=2", "repeated_parameter"), ("cursor=x", "invalid_cursor"), ("cursor=", "invalid_cursor"),
        ("cursor=0", "invalid_cursor"), ("cursor=-1", "invalid_cursor"), ("cursor=01", "invalid_cursor"),
        ("cursor=1.5", "invalid_cursor"), ("cursor=9007199254740992", "invalid_cursor"),
        ("cursor=9223372036854775808", "invalid_cursor"), ("cursor=1%27%20OR%201=1", "invalid_cursor"),
        ("cursor=1&cursor=1", "repeated_parameter"), ("offset=1", "unknown_parameter"),
        ("Limit=1", "unknown_parameter"),
        ("=1", "unknown_parameter"),
        ("cursor=%00", "invalid_parameter"), ("cursor=%FF", "invalid_parameter"),
    ])
    func `a bad query is refused on every list`(_ query: String, _ code: String) async throws {
        let person = try await server.person()
        for path in [
            "/v1/timelines/home", "/v1/timelines/users/\(person.id.rawValue)", "\(person.path)/followers",
            "\(person.path)/following", "\(person.path)/mutuals", "/v1/me/blocks", "/v1/me/mutes",
        ] {
            let answer = try await server.client(person).get("\(path)?\(query)")
            #expect(answer.status == 400, "\(path): \(answer)")
            #expect(try answer.json["code"] == .string(code), "\(path): \(answer)")
        }
    }

    /// Sends broken encodings directly, because an HTTP library would correct them.
    @Test(arguments: ["limit=%", "limit=%2", "limit=%zz", "limit=%+1", "cursor=%u0031"])
    func `a broken percent encoding is refused`(_ query: String) async throws {
        let connection = try RawConnection(port: server.port)
        try await connection.send(
            "GET /v1/timelines/home?\(query) HTTP/1.1\r\nHost: a\r\n"
                + "Authorization: Bearer \(try await server.person().token)\r\nConnection: close\r\n\r\n")
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("\"invalid_parameter\""), "\(answer)")
    }

    @Test func `what takes no parameters refuses them`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let id = try await client.publish()
        let (post, community) = ("/v1/posts/\(id)", "/v1/communities/1")
        for (method, path) in [
            ("GET", "/v1/me"), ("GET", person.path), ("GET", post), ("DELETE", post),
            ("PUT", "\(person.path)/follow"), ("POST", "/v1/posts"), ("POST", "/v1/auth/login"),
            ("PATCH", "/v1/me"), ("GET", "/v1/me/topics"), ("PUT", "/v1/topics/a/follow"),
            ("DELETE", "/v1/topics/a/follow"), ("PUT", "\(person.path)/block"), ("DELETE", "\(person.path)/block"),
            ("PUT", "\(person.path)/mute"), ("DELETE", "\(person.path)/mute"), ("PUT", "\(post)/reshare"),
            ("DELETE", "\(post)/reshare"), ("GET", "\(post)/delivery"), ("PUT", "\(post)/collaborators/1"),
            ("DELETE", "\(post)/collaborators/1"), ("POST", "\(post)/collaboration/accept"),
            ("POST", "\(post)/collaboration/decline"), ("POST", "\(post)/collaboration/leave"),
            ("POST", "/v1/communities"), ("GET", community), ("POST", "\(community)/join"),
            ("POST", "\(community)/leave"), ("PUT", "\(community)/home"),
        ] {
            let answer = try await client.send(method, path + "?dry=1")
            #expect(answer.status == 400, "\(method) \(path): \(answer)")
            #expect(try answer.json["field"] == .string("dry"))
        }
        #expect(try await client.get("/v1/posts/\(id)").status == 200)
    }

    @Test(arguments: [1, 9_007_199_254_740_991])
    func `a cursor beyond either end gives a page all the same`(_ cursor: Int64) async throws {
        let person = try await server.person()
        let id = try await server.client(person).publish()
        let expected = cursor == 1 ? [] : [id]
        for path in ["/v1/timelines/home", "/v1/timelines/users/\(person.id.rawValue)"] {
            let page = try await server.client(person).get("\(path)?cursor=\(cursor)").json
            #expect(page.ids == expected)
            #expect(page["nextCursor"] == .null)
        }
    }
}
