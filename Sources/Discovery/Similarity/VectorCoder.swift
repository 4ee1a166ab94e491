import SocialGraph

/// Computes the search codes of embeddings of one dimension: rotated, with each coordinate rounded to a byte. Each code
/// records the distance that rounding has moved its vector, so the product of two codes has a bounded error (a VA-file:
/// Weber, Schek & Blott, VLDB 1998).
struct VectorCoder: Sendable {
    /// Number of coordinates of a code that a search examines first.
    static let headCoordinates = 64
    /// Standard deviations above the mean at which the head's share of a squared distance rules a vector out. At 5, one
    /// of the nearest vectors is ruled out less than 3 times in 100,000 (the tail of Beta(32, (dimension - 64)/2)).
    static let headDeviations = 5.0

    let dimension: Int
    /// Number of coordinates examined first.
    let head: Int
    /// Upper limit for the squared distance of two vectors over the head, as a share of their squared distance over all
    /// coordinates. Infinite if the head is the whole vector.
    let headShare: Float
    private let rotation: VectorRotation

    init(dimension: Int) {
        self.dimension = dimension
        rotation = VectorRotation(dimension: dimension)
        head = dimension < 2 * Self.headCoordinates ? dimension : Self.headCoordinates
        headShare = Self.headShare(head, of: dimension)
    }

    /// Returns the mean plus ``headDeviations`` standard deviations of the head's share. In a randomly rotated vector,
    /// the share of the squared length in some of the coordinates has the distribution Beta(head/2, (dimension -
    /// head)/2). (Ruling out a vector by part of its coordinates: ADSampling, Gao & Long, SIGMOD 2023.)
    private static func headShare(_ head: Int, of dimension: Int) -> Float {
        guard head < dimension else { return .infinity }
        let (part, whole) = (Double(head), Double(dimension))
        let deviation = (2 * (whole - part) / (part * (whole + 2))).squareRoot()
        return Float(part / whole * (1 + Self.headDeviations * deviation))
    }

    /// Returns the code; nil for an embedding of another dimension, which is near nothing.
    func code(_ embedding: Embedding) -> VectorCode? {
        guard embedding.dimension == dimension else { return nil }
        let rounded = rounded(embedding, largest: 127)
        return VectorCode(
            coordinates: rounded.coordinates.map(Int8.init), step: rounded.step, headSquare: rounded.headSquare,
            error: rounded.error)
    }

    func query(_ embedding: Embedding) -> VectorQuery {
        // The finest step with which the sum of all products fits in 32 bits.
        let rounded = rounded(embedding, largest: 2_047)
        return VectorQuery(
            coordinates: rounded.coordinates.map(Int16.init), step: rounded.step, headSquare: rounded.headSquare,
            error: rounded.error, head: head, headShare: headShare)
    }

    /// Returns the coordinates as multiples of a step derived from the largest, and the distance that this moves the
    /// vector.
    private func rounded(
        _ embedding: Embedding, largest: Float
    ) -> (coordinates: [Float], step: Float, headSquare: Float, error: Float) {
        let turned = rotation.turned(embedding.components)
        let step = turned.reduce(0) { max($0, $1.magnitude) } / largest
        let coordinates = turned.map { ($0 / step).rounded() }
        var (moved, headSquare): (Float, Float) = (0, 0)
        for index in turned.indices {
            let kept = coordinates[index] * step
            moved += (turned[index] - kept) * (turned[index] - kept)
            if index < head { headSquare += kept * kept }
        }
        return (coordinates, step, headSquare, moved.squareRoot())
    }
}

/// The code of a stored vector.
struct VectorCode: Sendable {
    let coordinates: [Int8]
    /// Value of one unit of a coordinate.
    let step: Float
    /// Squared length of the head.
    let headSquare: Float
    /// Distance of the code from the vector.
    let error: Float
}

/// The code of the vector to search for.
struct VectorQuery: Sendable {
    let coordinates: [Int16]
    let step: Float
    let headSquare: Float
    let error: Float
    let head: Int
    let headShare: Float

    /// Returns the largest difference between the product of two codes and the product of their vectors, which have
    /// length 1 (Cauchy & Schwarz), plus the loss from adding up in 32 bits.
    func error(with code: Float) -> Float { code + error * (1 + code) + 2e-5 }
}
