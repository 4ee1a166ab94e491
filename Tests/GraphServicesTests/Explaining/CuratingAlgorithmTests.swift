import GraphServices
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct CuratingAlgorithmTests {
    @Test
    func `every algorithm is named once, in words, with its inputs and version`() {
        let all = CuratingAlgorithm.all
        #expect(Set(all.map(\.name)).count == all.count && all.count >= 7)
        #expect(all.allSatisfy { $0.description.count > 30 && !$0.inputs.isEmpty && !$0.version.isEmpty })
    }
}
