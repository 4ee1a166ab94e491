import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisClusterConfigurationTests {
    @Test
    func `seeds and credentials are read`() throws {
        let plain = try RedisClusterConfiguration(parsing: "redis-cluster://a:7000,b,[::1]:7002")
        let hosts = [("a", 7000), ("b", 6379), ("::1", 7002)]
        #expect(plain.seeds == hosts.map { .tcp(host: $0.0, port: $0.1) })
        #expect(plain.node.password == nil)
        let login = try RedisClusterConfiguration(parsing: "redis-cluster://ann:a,b%40%2F@h:1,i:2")
        #expect(login.seeds == [.tcp(host: "h", port: 1), .tcp(host: "i", port: 2)])
        #expect(login.node.username == "ann" && login.node.password == "a,b@/")
        #expect(login.node(at: login.seeds[1]).endpoint == .tcp(host: "i", port: 2))
        #expect(login.node(at: login.seeds[1]).password == "a,b@/")
    }

    @Test(arguments: [
        "", "redis://h", "redis-cluster://", "redis-cluster://a,,b", "redis-cluster://a,", "redis-cluster://a:0",
        "redis-cluster://a:x,b", "redis-cluster://a/1", "redis-cluster://a?x=1", "redis-cluster://secret@a",
        "redis-cluster://u:secret@", "redis-cluster://u:secret@a:99999", "redis-cluster://u:secret%zz@a",
    ])
    func `anything else is refused with a sentence`(text: String) {
        let error = #expect(throws: RedisError.self) { try RedisClusterConfiguration(parsing: text) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.description.contains("secret") == false)
    }

    @Test
    func `a password never shows`() throws {
        let configuration = try RedisClusterConfiguration(parsing: "redis-cluster://u:hush@h:1,[::1]:2")
        #expect("\(configuration)" == "redis-cluster://h:1,[::1]:2")
        var dumped = String(reflecting: configuration)
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hush"))
    }
}
