import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Rotating, rounding and multiplying vectors, with the guarantees that a search relies on.
@Suite(.timeLimit(.unit))
struct VectorCodeTests {
    static let dimensions = [1, 2, 3, 7, 64, 127, 128, 129, 255, 384, 512, 4_096]

    @Test(arguments: dimensions)
    func `turning keeps lengths and angles`(dimension: Int) throws {
        let rotation = VectorRotation(dimension: dimension)
        var draws = RandomDraws(seed: 1)
        let (first, second) = (try Self.vector(dimension, &draws), try Self.vector(dimension, &draws))
        let (left, right) = (rotation.turned(first.components), rotation.turned(second.components))
        #expect(abs(DotProduct.of(left, left) - 1) < 1e-5)
        #expect(abs(DotProduct.of(left, right) - DotProduct.of(first.components, second.components)) < 1e-5)
    }

    @Test func `turning spreads one coordinate over all of them`() throws {
        for dimension in [128, 200, 384] {
            let rotation = VectorRotation(dimension: dimension)
            for index in [0, dimension / 2, dimension - 1] {
                var vector = [Float](repeating: 0, count: dimension)
                vector[index] = 1
                let head = rotation.turned(vector).prefix(64).reduce(0) { $0 + $1 * $1 }
                // Its mean is 64 / dimension.
                #expect((0.5...1.6).contains(head * Float(dimension) / 64), "\(dimension) \(index) \(head)")
            }
        }
    }

    /// Searches are exact because of this bound.
    @Test(arguments: dimensions)
    func `the product of codes is as near as it says`(dimension: Int) throws {
        let coder = VectorCoder(dimension: dimension)
        var draws = RandomDraws(seed: UInt64(dimension))
        for _ in 0..<20 {
            for make in [Self.vector, Self.spike, Self.level] {
                let (first, second) = (try make(dimension, &draws), try make(dimension, &draws))
                let exact = DotProduct.of(first.components, second.components)
                let (query, code) = (coder.query(first), try #require(coder.code(second)))
                let product = zip(query.coordinates, code.coordinates).reduce(Int64(0)) {
                    $0 + Int64($1.0) * Int64($1.1)
                }
                #expect(abs(product) < 1 << 31)
                let coded = query.step * code.step * Float(product)
                #expect(abs(coded - exact) <= query.error(with: code.error), "\(exact) \(coded)")
            }
        }
    }

    @Test func `kernels multiply every number once`() {
        var draws = RandomDraws(seed: 3)
        for count in 0...70 {
            let query = (0..<count).map { _ in Int16(draws.uniform() * 4_094 - 2_047) }
            let bytes = (0..<count).map { _ in Int8(draws.uniform() * 254 - 127) }
            let words = bytes.map(Int16.init)
            let expected = zip(query, bytes).reduce(Int32(0)) { $0 + Int32($1.0) * Int32($1.1) }
            query.withUnsafeBufferPointer { query in
                guard let start = query.baseAddress else { return }
                #expect(
                    bytes.withUnsafeBufferPointer { $0.baseAddress.map { DotProduct.of(start, $0, count) } } == expected
                )
                #expect(
                    words.withUnsafeBufferPointer { $0.baseAddress.map { DotProduct.of(start, $0, count) } } == expected
                )
            }
            let numbers = bytes.map(Float.init)
            #expect(DotProduct.of(numbers, numbers) == numbers.reduce(0) { $0 + $1 * $1 })
        }
    }

    static func vector(_ dimension: Int, _ draws: inout RandomDraws) throws -> Embedding {
        try #require(Embedding(directionOf: (0..<dimension).map { _ in draws.normal() }))
    }

    /// A vector with a single coordinate other than 0.
    private static func spike(_ dimension: Int, _ draws: inout RandomDraws) throws -> Embedding {
        var vector = [Double](repeating: 0, count: dimension)
        vector[Int(draws.uniform() * Double(dimension)) % dimension] = draws.uniform() < 0.5 ? -1 : 1
        return try #require(Embedding(directionOf: vector))
    }

    /// A vector whose coordinates all have the same magnitude.
    private static func level(_ dimension: Int, _ draws: inout RandomDraws) throws -> Embedding {
        try #require(Embedding(directionOf: (0..<dimension).map { _ in draws.uniform() < 0.5 ? -1 : 1 }))
    }
}
