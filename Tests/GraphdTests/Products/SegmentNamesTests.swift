import TestSupport
import Testing

@testable import ProductAPIs

@Suite(.timeLimit(.unit))
struct SegmentNamesTests {
    @Test
    func `labels become words, and no two names are equal`() {
        #expect(VideoSegments.names(of: ["Leg press", "Cool-down", "HIIT"]) == ["legPress", "coolDown", "hIIT"])
        #expect(VideoSegments.names(of: ["Taste", "Taste", "taste"]) == ["taste", "taste2", "taste3"])
        #expect(VideoSegments.names(of: ["Taste", "Taste 2", "Taste"]) == ["taste", "taste2", "taste3"])
        #expect(VideoSegments.names(of: ["Taste 2", "Taste", "Taste"]) == ["taste2", "taste", "taste3"])
    }

    @Test
    func `whatever the labels are, there is one name for each`() {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<200 {
            let labels = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                ["a", "A", "a 2", "a2", "a 2 2", "a22", "!"].randomElement(using: &generator) ?? ""
            }
            #expect(Set(VideoSegments.names(of: labels)).count == labels.count)
        }
    }
}
