import SocialGraph

/// Turns vectors, all in the same way, so that no coordinate says more than another: then a part of the coordinates
/// tells of the whole, and none of them is much larger than the rest. Lengths and angles stay as they are.
///
/// Random signs and fast Walsh-Hadamard transforms, alternately over the first and the last power of two of the
/// coordinates, stand for a random rotation at n log n instead of n² steps (Ailon & Chazelle, STOC 2006; for any
/// dimension as in the library of RaBitQ, Gao & Long, SIGMOD 2024).
struct VectorRotation: Sendable {
    private static let rounds = 4
    /// The codes of a directory are made at each start, so another seed would do as well; a fixed one makes what is
    /// found the same at each start.
    private static let seed: UInt64 = 20_260_521

    private let signs: [[Float]]
    private let width: Int

    init(dimension: Int) {
        var draws = RandomDraws(seed: Self.seed)
        signs = (0..<Self.rounds).map { _ in (0..<dimension).map { _ in draws.uniform() < 0.5 ? -1 : 1 } }
        width = 1 << (Int.bitWidth - 1 - dimension.leadingZeroBitCount)
    }

    func turned(_ vector: [Float]) -> [Float] {
        var turned = vector
        turned.withUnsafeMutableBufferPointer { coordinates in
            for (round, signs) in signs.enumerated() {
                for index in coordinates.indices { coordinates[index] *= signs[index] }
                let start = round.isMultiple(of: 2) ? 0 : coordinates.count - width
                Self.transform(UnsafeMutableBufferPointer(rebasing: coordinates[start..<start + width]))
            }
        }
        return turned
    }

    /// The Walsh-Hadamard transform in place, scaled so that lengths stay. As many coordinates as a power of two.
    private static func transform(_ coordinates: UnsafeMutableBufferPointer<Float>) {
        var half = 1
        while half < coordinates.count {
            for start in stride(from: 0, to: coordinates.count, by: 2 * half) {
                for index in start..<start + half {
                    let (first, second) = (coordinates[index], coordinates[index + half])
                    coordinates[index] = first + second
                    coordinates[index + half] = first - second
                }
            }
            half *= 2
        }
        let scale = 1 / Float(coordinates.count).squareRoot()
        for index in coordinates.indices { coordinates[index] *= scale }
    }
}
