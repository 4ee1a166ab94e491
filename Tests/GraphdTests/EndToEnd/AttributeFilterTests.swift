import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Timelines filtered by post attributes.
@Suite(.timeLimit(.process), .sharedGraphd)
struct AttributeFilterTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `every timeline is filtered exactly at any depth`() async throws {
        let author = try await server.person()
        let (writer, reader) = (server.client(author), server.client(try await server.person()))
        try await reader.act("PUT", "\(author.path)/follow")
        let community = try await writer.community("kitchen of \(author.username)")
        // More posts than a window keeps, so that the home timeline continues in SQLite.
        var (quick, slow): ([String], [String]) = ([], [])
        for number in 0..<210 {
            let time = number % 7 == 0 ? 10 : 40
            let post = try await writer.publish(
                with: """
                    "communityId":"\(community)",
                    "attributes":{"cuisineType":"\(author.username)","cookingTime":\(time),"ingredients":["Salt"]}
                    """)
            let id = try #require(post["postId"]?.text)
            if time == 10 { quick.append(id) } else { slow.append(id) }
        }
        let name = "attributes.cuisineType=\(author.username.uppercased())"
        for path in ["/v1/timelines/home", "/v1/timelines/public", "/v1/communities/\(community)/timeline"] {
            func walk(_ conditions: String) async throws -> [String] {
                var (ids, cursor): ([String], String?) = ([], nil)
                repeat {
                    let query = "\(name)&\(conditions)&limit=13" + (cursor.map { "&cursor=\($0)" } ?? "")
                    let answer = try await reader.get("\(path)?\(query)")
                    guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
                    ids += try answer.json.ids
                    cursor = try answer.json["nextCursor"]?.text
                } while cursor != nil
                return ids
            }
            #expect(try await walk("attributes.cookingTime=..15") == quick.reversed(), "\(path)")
            #expect(try await walk("attributes.cookingTime=11..40") == slow.reversed(), "\(path)")
            #expect(try await walk("attributes.ingredients=salt&attributes.cookingTime=10") == quick.reversed())
            #expect(try await walk("attributes.ingredients=pepper") == [], "\(path)")
        }
        let why = try await reader.get("/v1/timelines/home/why/\(quick[0])?attributes.cookingTime=40").json
        #expect(why["visible"] == .bool(false))
        #expect(why["reasons"]?.entries?.map { $0["kind"] } == [.string("filtered")])
    }

    @Test(arguments: [
        "attributes.cookingTime=soon", "attributes.cookingTime=", "attributes.=x", "attributes.cookingTime=9..1",
    ])
    func `what is no condition is refused`(_ query: String) async throws {
        let client = server.client(try await server.person())
        #expect(try await client.get("/v1/timelines/public?\(query)").json["code"] == .string("invalid_parameter"))
    }
}
