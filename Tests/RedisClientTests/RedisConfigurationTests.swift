import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisConfigurationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let endpoint: RedisConfiguration.Endpoint
        var user: String?
        var password: String?
        var database = 0
        var testDescription: String { text }
    }

    static let rows: [Row] = [
        Row(text: "/run/redis.sock", endpoint: .unix(path: "/run/redis.sock")),
        Row(text: "unix:///run/redis.sock", endpoint: .unix(path: "/run/redis.sock")),
        Row(
            text: "unix:///run/a%20b.sock?db=3&password=p%26q&user=u", endpoint: .unix(path: "/run/a b.sock"),
            user: "u",
            password: "p&q", database: 3),
        Row(text: "redis://example.org", endpoint: .tcp(host: "example.org", port: 6379)),
        Row(text: "redis://10.0.0.1:7000/", endpoint: .tcp(host: "10.0.0.1", port: 7000)),
        Row(text: "redis://[::1]:7000/2", endpoint: .tcp(host: "::1", port: 7000), database: 2),
        Row(text: "redis://:s3cret@h:1/0", endpoint: .tcp(host: "h", port: 1), password: "s3cret"),
        Row(
            text: "redis://u:a:b%40@h:1/15", endpoint: .tcp(host: "h", port: 1), user: "u", password: "a:b@",
            database: 15),
    ]

    @Test(arguments: rows)
    func `an address is read`(row: Row) throws {
        let configuration = try RedisConfiguration(parsing: row.text)
        #expect(configuration.endpoint == row.endpoint)
        #expect(configuration.username == row.user)
        #expect(configuration.password == row.password)
        #expect(configuration.database == row.database)
    }

    @Test(arguments: [
        "", "redis.sock", "redis:/h", "http://h", "redis://", "redis://h:0", "redis://h:65536", "redis://h:x",
        "redis://h/x", "redis://h/-1", "redis://h?db=1", "redis://secret@h", "redis://[::1", "redis://[::1]x",
        "unix://run/redis.sock", "unix:///a?db", "unix:///a?d=1", "unix:///a%0", "unix:///a%00",
        "unix:///a?user=secret",
    ])
    func `anything else is refused with a sentence`(text: String) {
        let error = #expect(throws: RedisError.self) { try RedisConfiguration(parsing: text) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.description.contains("secret") == false)
    }

    @Test
    func `TLS is refused by name`() {
        let error = #expect(throws: RedisError.self) { try RedisConfiguration(parsing: "rediss://h:1") }
        #expect(error?.description.contains("TLS") == true)
    }

    @Test
    func `a socket path of 107 bytes is taken, one of 108 is refused and says what to do`() throws {
        let longest = "/" + String(repeating: "a", count: 106)
        #expect(try RedisConfiguration(parsing: longest).endpoint == .unix(path: longest))
        let error = #expect(throws: RedisError.self) { try RedisConfiguration(parsing: longest + "a") }
        #expect(error?.description.contains("--data-dir") == true)
        #expect(error?.description.contains("--redis") == true)
    }

    @Test
    func `a password never shows`() throws {
        let configuration = try RedisConfiguration(parsing: "redis://u:hush@h:1/2")
        #expect("\(configuration)" == "redis://h:1/2")
        var dumped = String(reflecting: configuration)
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hush"))
    }

    @Test
    func `back-off doubles up to its maximum, with full jitter`() {
        let backoff = RedisBackoff(minimum: .milliseconds(50), maximum: .seconds(2))
        let ceilings = (0..<8).map { backoff.ceiling(attempt: $0) }
        #expect(ceilings == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
        #expect(backoff.ceiling(attempt: .max) == .seconds(2))
        let delays = (0..<200).map { _ in backoff.delay(attempt: 4) }
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= .milliseconds(800) })
        #expect(delays.contains { $0 < .milliseconds(200) } && delays.contains { $0 > .milliseconds(600) })
    }
}
