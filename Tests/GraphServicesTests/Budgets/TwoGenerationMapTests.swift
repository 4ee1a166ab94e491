import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct TwoGenerationMapTests {
    @Test func `the map is bounded and keeps what is used`() {
        var map = TwoGenerationMap<Int, Int>(capacity: 10)
        map[0] = 0
        for key in 1...1000 {
            map[key] = key
            #expect(map[0] == 0)
            #expect(map[key] == key)
            #expect(map.count <= 20)
        }
        #expect(map[500] == nil)
        map[1000] = nil
        #expect(map[1000] == nil)
    }

    @Test func `overwriting an old entry leaves one of it`() {
        var map = TwoGenerationMap<Int, String>(capacity: 2)
        map[1] = "a"
        map[2] = "b"
        map[3] = "c"
        map[1] = "d"
        #expect(map[1] == "d")
        map[1] = nil
        #expect(map[1] == nil)
    }

    @Test func `heavy entries count for what they weigh`() {
        var map = TwoGenerationMap<Int, Int>(capacity: 100) { $0 }
        for key in 0..<500 {
            map[key] = 1 + key % 40
            map[0] = 1 + key % 7
            #expect(map.weight <= 200)
            #expect(map[key] != nil)
        }
    }
}
