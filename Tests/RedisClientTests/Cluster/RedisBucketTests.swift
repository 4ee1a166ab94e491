import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisBucketTests {
    @Test(arguments: [
        ("foo", "foo"), ("foo{hello}bar", "hello"), ("{hello}", "hello"), ("foo{}{hello}", "foo{}{hello}"),
        ("foo{{hello}}zap", "{hello"), ("foo{hello}{bar}", "hello"), ("foo{hello", "foo{hello"), ("}foo{a}", "a"),
    ])
    func `a key's slot is that of its hash tag`(key: String, hashed: String) {
        #expect(RedisSlot(ofKey: key).number == Int(RedisSlot.crc16(hashed.utf8)) % 16_384)
    }

    @Test(arguments: [("foo", 12_182), ("bar", 5_061), ("hello", 866), ("", 0)])
    func `slots are those that Redis computes`(key: String, slot: Int) {
        #expect(RedisSlot(ofKey: key).number == slot)
    }

    @Test
    func `the checksum is the published one`() {
        #expect(RedisSlot.crc16("123456789".utf8) == 0x31C3)
    }

    @Test
    func `each bucket's tag leads to its slot, and tags never change`() {
        for bucket in RedisBucket.all {
            #expect(RedisSlot(ofKey: "h:{\(bucket.tag)}:3:17") == bucket.slot)
            #expect(bucket.slot.number / 64 == bucket.number)
        }
        #expect(Set(RedisBucket.all.map(\.tag)).count == 256)
        #expect([0, 1, 127, 255].map { RedisBucket($0).tag } == ["13280", "18306", "9549", "2220"])
    }

    @Test(arguments: 1...64)
    func `any number of masters gets an even share, in runs`(count: Int) {
        let evenly = 256 / count...(256 + count - 1) / count
        // The split of redis-cli --cluster create, which rounds the ends of runs.
        let ends = (1...count).map { Int((Double($0) * 16_384 / Double(count)).rounded()) }
        let owners = RedisBucket.all.map { bucket in ends.firstIndex { bucket.slot.number < $0 }! }
        #expect(owners == owners.sorted())
        for place in 0..<count {
            #expect(evenly.contains(owners.filter { $0 == place }.count))
        }
    }
}
