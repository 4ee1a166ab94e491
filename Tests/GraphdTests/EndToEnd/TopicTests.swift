import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Categories and tags, followed by name in any spelling.
@Suite(.timeLimit(.process), .sharedGraphd)
struct TopicTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func topics(_ client: APIClient) async throws -> [String: Bool] {
        let items = try #require(try await client.get("/v1/me/topics").json["items"]?.entries)
        return Dictionary(
            uniqueKeysWithValues: items.compactMap { item in
                guard let name = item["name"]?.text, case .bool(let inHome)? = item["inHome"] else { return nil }
                return (name, inHome)
            })
    }

    @Test func `the list holds what is followed with its switch`() async throws {
        let client = server.client(try await server.person())
        let empty = try await client.get("/v1/me/topics")
        #expect(empty.status == 200 && empty.text == #"{"items":[]}"#)
        try await client.act("PUT", "/v1/topics/Science/follow", times: 2)
        let switched = try await client.put("/v1/topics/travel/follow", #"{"inHome":false}"#)
        #expect(switched.status == 204 && switched.body.isEmpty)
        #expect(
            try await client.get("/v1/me/topics").text
                == #"{"items":[{"name":"travel","inHome":false},{"name":"Science","inHome":true}]}"#)
        for (body, inHome) in [
            (#"{"inHome":false}"#, false), (#"{"inHome":true}"#, true), (#"{"inHome":false}"#, false), ("{}", true),
            (#"{"inHome":false}"#, false), (#"{"inHome":null}"#, true),
        ] {
            #expect(try await client.put("/v1/topics/sCIENCE/follow", body).status == 204)
            #expect(try await topics(client) == ["Science": inHome, "travel": false], "\(body)")
        }
        try await client.act("DELETE", "/v1/topics/science/follow", times: 2)
        #expect(try await topics(client) == ["travel": false])
        #expect(try await topics(server.client(try await server.person())) == [:])
    }

    @Test(arguments: [
        ("%C3%A9t%C3%A9%20%F0%9F%8F%96", "été 🏖"), ("a%2Fb", "a/b"), ("a+b", "a+b"), ("50%25", "50%"),
        ("100%2525", "100%25"), ("follow", "follow"), ("%22%3F%23", "\"?#"), ("a%0Ab", "a\nb"), ("x%27--", "x'--"),
    ])
    func `a name is percent decoded once`(_ segment: String, _ name: String) async throws {
        let client = server.client(try await server.person())
        try await client.act("PUT", "/v1/topics/\(segment)/follow")
        #expect(try await topics(client) == [name: true])
        try await client.act("DELETE", "/v1/topics/\(segment)/follow")
        #expect(try await topics(client) == [:])
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `a bad name is refused`(_ method: String) async throws {
        let person = try await server.person()
        let client = server.client(person)
        for (segment, code) in [
            (String(repeating: "t", count: 65), "too_long"), (String(repeating: "%C3%A9", count: 65), "too_long"),
            ("a%00b", "invalid_value"),
        ] {
            try await client.send(method, "/v1/topics/\(segment)/follow").expectProblem(422, code, field: "name")
        }
        for longest in [String(repeating: "t", count: 64), String(repeating: "%C3%A9", count: 64)] {
            try await client.act(method, "/v1/topics/\(longest)/follow")
        }
        try await client.send(method, "/v1/topics//follow").expectProblem(404, "not_found")
        // These are sent directly, because an HTTP library would correct them.
        for segment in ["%", "%2", "%zz", "%FF", "%C3"] {
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "\(method) /v1/topics/\(segment)/follow HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Bearer \(person.token)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            let answer = try await connection.receive()
            #expect(answer.hasPrefix("HTTP/1.1 422") && answer.contains("\"invalid_value\""), "\(segment): \(answer)")
        }
    }

    @Test(arguments: [
        (#"{"inHome":1}"#, "invalid_type", "inHome"), (#"{"inHome":"true"}"#, "invalid_type", "inHome"),
        (#"{"inhome":true}"#, "unknown_field", "inhome"),
        (#"{"inHome":true,"inHome":true}"#, "duplicate_field", "inHome"), ("[]", "invalid_json", nil),
        ("true", "invalid_json", nil), (" ", "invalid_json", nil),
    ])
    func `a bad body is refused and follows nothing`(_ body: String, _ code: String, _ field: String?) async throws {
        let client = server.client(try await server.person())
        try await client.put("/v1/topics/science/follow", body).expectProblem(400, code, field: field)
        #expect(try await topics(client) == [:])
    }

    @Test func `nobody follows more than two hundred topics`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        for number in 0..<Int(SocialGraphLimits.followedTopics) {
            try await server.graph.topics.followTopic("topic \(number)", by: person.id)
        }
        try await client.put("/v1/topics/another/follow").expectProblem(409, "limit_reached")
        // A topic that is already followed needs no room.
        try await client.act("PUT", "/v1/topics/TOPIC%207/follow")
        try await client.act("DELETE", "/v1/topics/topic%207/follow")
        try await client.act("PUT", "/v1/topics/another/follow")
    }

    @Test func `followed topics are in the home timeline until switched off`() async throws {
        let (reader, author) = (server.client(try await server.person()), server.client(try await server.person()))
        let name = "birds of \(try await server.person().idText)"
        let segment = name.replacing(" ", with: "%20")
        let inCategory = try await author.publish(with: #""category":"\#(name)""#)["postId"]?.text
        let tagged = try await author.publish(with: #""algorithmTags":["x","\#(name.uppercased())"]"#)["postId"]?.text
        _ = try await author.publish()
        let both = try [#require(tagged), #require(inCategory)]
        #expect(try await reader.page("/v1/timelines/home") == [])
        try await reader.act("PUT", "/v1/topics/\(segment)/follow")
        #expect(try await reader.page("/v1/timelines/home") == both)
        #expect(try await reader.put("/v1/topics/\(segment)/follow", #"{"inHome":false}"#).status == 204)
        #expect(try await reader.page("/v1/timelines/home") == [])
        try await reader.act("PUT", "/v1/topics/\(segment)/follow")
        #expect(try await reader.patch("/v1/me", #"{"homeTopics":false}"#).status == 200)
        #expect(try await reader.page("/v1/timelines/home") == [])
        #expect(try await reader.patch("/v1/me", #"{"homeTopics":true}"#).status == 200)
        #expect(try await reader.page("/v1/timelines/home") == both)
        try await reader.act("DELETE", "/v1/topics/\(segment)/follow")
        #expect(try await reader.page("/v1/timelines/home") == [])
    }
}
