import SocialGraph

/// Rotates all vectors in the same way, so that no coordinate carries more information than another. A part of the
/// coordinates is then representative of the whole, and no coordinate is much larger than the rest. Lengths and angles
/// are preserved.
///
/// Random signs and fast Walsh-Hadamard transforms, alternately over the first and the last power of two of the
/// coordinates, stand for a random rotation at n log n instead of n² steps (Ailon & Chazelle, STOC 2006; for any
/// dimension as in the library of RaBitQ, Gao & Long, SIGMOD 2024).
struct VectorRotation: Sendable {
    private static let rounds = 4
    /// Seed of the rotation. The codes of a directory are computed at each start, so any seed would do; a fixed one
    /// gives the same results at each start.
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

    /// Applies the Walsh-Hadamard transform in place, scaled to preserve lengths. The number of coordinates must be a
    /// power of two.
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
