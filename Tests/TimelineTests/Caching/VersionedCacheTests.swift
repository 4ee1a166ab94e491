import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct VersionedCacheTests {
    @Test
    func `what was loaded is found until it is invalidated`() {
        let cache = VersionedCache<Int, String>(capacity: 100)
        cache.finish(cache.beginLoad(), 1, "one")
        #expect(cache.value(for: 1) == "one")
        #expect(cache.values(for: [2, 1]) == [nil, "one"])
        cache.invalidate(1)
        #expect(cache.value(for: 1) == nil)
    }

    @Test(arguments: [true, false])
    func `an invalidation during a load wins, of the key and of everything`(ofEverything: Bool) {
        let cache = VersionedCache<Int, String>(capacity: 100)
        let load = cache.beginLoad()
        if ofEverything { cache.invalidateAll() } else { cache.invalidate(1) }
        cache.finish(load, 1, "old")
        #expect(cache.value(for: 1) == nil)
        cache.finish(cache.beginLoad(), 1, "new")
        #expect(cache.value(for: 1) == "new")
    }

    @Test
    func `invalidating everything forgets both generations`() {
        let cache = VersionedCache<Int, Int>(capacity: 20)
        for key in 0..<15 { cache.finish(cache.beginLoad(), key, key) }
        cache.invalidateAll()
        #expect(cache.values(for: Array(0..<15)).allSatisfy { $0 == nil })
    }

    @Test
    func `an invalidated key is gone from the old generation, too`() {
        let cache = VersionedCache<Int, Int>(capacity: 20)
        for key in 0..<11 { cache.finish(cache.beginLoad(), key, key) }
        cache.invalidate(0)
        #expect(cache.value(for: 0) == nil)
        #expect(cache.value(for: 1) == 1)
    }

    @Test(arguments: [1, 7])
    func `it holds no more than its capacity, by cost`(cost: Int) {
        let cache = VersionedCache<Int, Int>(capacity: 100) { _ in cost }
        for key in 0..<10_000 { cache.finish(cache.beginLoad(), key, key) }
        let held = (0..<10_000).filter { cache.value(for: $0) != nil }.count
        #expect(held * cost <= 100 + 2 * cost)
        #expect(held > 0)
    }

    @Test
    func `what is used survives the turn of a generation; what is not goes with the second turn`() {
        let cache = VersionedCache<Int, Int>(capacity: 20)
        cache.finish(cache.beginLoad(), -1, 1)
        cache.finish(cache.beginLoad(), -2, 2)
        for key in 0..<100 {
            cache.finish(cache.beginLoad(), key, key)
            #expect(cache.value(for: -1) == 1)
        }
        #expect(cache.value(for: -2) == nil)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a value is never older than the truth was when the load began`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let cache = VersionedCache<Int, Int>(capacity: 40)
        var truth = Array(repeating: 0, count: 30)
        var stale = 0
        var loads: [(VersionedCache<Int, Int>.Load, key: Int, value: Int)] = []
        for step in 1..<20_000 {
            let key = Int.random(in: 0..<30, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                truth[key] = step
                cache.invalidate(key)
            case 1: loads.append((cache.beginLoad(), key, truth[key]))
            case 2:
                guard !loads.isEmpty else { continue }
                let load = loads.remove(at: Int.random(in: 0..<loads.count, using: &random))
                cache.finish(load.0, load.key, load.value)
            default:
                if let value = cache.value(for: key), value != truth[key] { stale += 1 }
            }
        }
        #expect(stale == 0)
    }
}
