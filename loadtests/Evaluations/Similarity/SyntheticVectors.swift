import Discovery
import SocialGraph

/// Vectors for measurements, the same for the same seed: a mixture of Gaussians on the sphere. Each cluster has a
/// centre of its own and is flat, in ``flatness`` dimensions of its own out of all, like embeddings of texts and
/// pictures (their intrinsic dimension is estimated at 10 to 30: Ansuini et al., NeurIPS 2019; Pope et al., ICLR 2021);
/// a little noise fills the others. Two of one cluster have a cosine of about 0.6, of two clusters about 0.
struct SyntheticVectors {
    static let flatness = 25
    private static let spread = 0.75
    private static let noise = 0.25

    private let clusters: [(centre: [Double], axes: [[Double]])]
    private let dimension: Int
    private var draws: RandomDraws

    init(dimension: Int, clusters: Int, seed: UInt64) {
        var draws = RandomDraws(seed: seed)
        func direction() -> [Double] {
            let drawn = (0..<dimension).map { _ in draws.normal() }
            let length = drawn.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return drawn.map { $0 / length }
        }
        self.clusters = (0..<clusters).map { _ in
            (direction(), (0..<Self.flatness).map { _ in direction() })
        }
        self.dimension = dimension
        self.draws = draws
    }

    mutating func next() -> Embedding {
        let cluster = clusters[min(Int(draws.uniform() * Double(clusters.count)), clusters.count - 1)]
        var vector = cluster.centre
        for axis in cluster.axes {
            let step = draws.normal() * Self.spread / Double(Self.flatness).squareRoot()
            for index in vector.indices { vector[index] += step * axis[index] }
        }
        let noise = Self.noise / Double(dimension).squareRoot()
        for index in vector.indices { vector[index] += noise * draws.normal() }
        // A drawn vector of length 0 does not occur in practice.
        return Embedding(directionOf: vector) ?? next()
    }
}
