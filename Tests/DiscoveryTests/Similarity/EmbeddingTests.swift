import Database
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct EmbeddingTests {
    @Test(arguments: [
        [3, 4], [-1], [1e300, 1e300, -1e300], [.leastNonzeroMagnitude, 0], [1e-200, 1e-200], [1e6, -1e-6, 0, 0],
    ])
    func `of a vector its direction is kept`(vector: [Double]) throws {
        let embedding = try #require(Embedding(directionOf: vector))
        let square = embedding.components.reduce(0) { $0 + $1 * $1 }
        #expect(abs(square - 1) < 1e-6)
        for (component, number) in zip(embedding.components, vector) where component != 0 {
            #expect((component < 0) == (number < 0))
        }
        #expect(try Embedding(bytes: embedding.bytes) == embedding)
    }

    @Test(arguments: [[], [0], [0, -0.0, 0], [1, .infinity], [.nan], [-.infinity, 1]])
    func `a vector without a direction is none`(vector: [Double]) {
        #expect(Embedding(directionOf: vector) == nil)
    }

    @Test func `components are stored with the least significant byte first`() throws {
        let embedding = try #require(Embedding(directionOf: [1, 0]))
        #expect(embedding.bytes == [0, 0, 0x80, 0x3F, 0, 0, 0, 0])
    }

    @Test(arguments: [[], [1], [1, 2, 3, 4, 5]] as [[UInt8]])
    func `bytes that are no embedding are noticed`(bytes: [UInt8]) {
        #expect(throws: DatabaseError.self) { try Embedding(bytes: bytes) }
    }
}
