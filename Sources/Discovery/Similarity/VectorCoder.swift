import SocialGraph

/// Makes the codes that embeddings of one dimension are searched by: turned, and each coordinate rounded to a byte. How
/// far the rounding has moved the vector is kept with it, so that the product of two codes comes with a bound of its
/// error (a VA-file: Weber, Schek & Blott, VLDB 1998).
struct VectorCoder: Sendable {
    /// Coordinates of a vector's code that a search looks at first.
    static let headCoordinates = 64
    /// Standard deviations above its mean that the head's share of a squared distance may be before the vector is given
    /// up. At 5, a vector that belongs to the nearest is given up less than 3 times in 100,000 (the tail of
    /// Beta(32, (dimension - 64)/2)).
    static let headDeviations = 5.0

    let dimension: Int
    /// Coordinates that are looked at first.
    let head: Int
    /// What the squared distance of two vectors over the head alone may be at most, as a share of their squared
    /// distance over all coordinates. Infinite where the head is everything.
    let headShare: Float
    private let rotation: VectorRotation

    init(dimension: Int) {
        self.dimension = dimension
        rotation = VectorRotation(dimension: dimension)
        head = dimension < 2 * Self.headCoordinates ? dimension : Self.headCoordinates
        headShare = Self.headShare(head, of: dimension)
    }

    /// Of a vector that was turned at random, the share of its squared length that lies in some of its coordinates has
    /// the distribution Beta(head/2, (dimension - head)/2); this is its mean and so many standard deviations. (Giving
    /// up on a vector at a part of its coordinates: ADSampling, Gao & Long, SIGMOD 2023.)
    private static func headShare(_ head: Int, of dimension: Int) -> Float {
        guard head < dimension else { return .infinity }
        let (part, whole) = (Double(head), Double(dimension))
        let deviation = (2 * (whole - part) / (part * (whole + 2))).squareRoot()
        return Float(part / whole * (1 + Self.headDeviations * deviation))
    }

    /// Nil for an embedding of another dimension, which is near to nothing.
    func code(_ embedding: Embedding) -> VectorCode? {
        guard embedding.dimension == dimension else { return nil }
        let rounded = rounded(embedding, largest: 127)
        return VectorCode(
            coordinates: rounded.coordinates.map(Int8.init), step: rounded.step, headSquare: rounded.headSquare,
            error: rounded.error)
    }

    func query(_ embedding: Embedding) -> VectorQuery {
        // As fine as it can be with the sum of all products in 32 bits.
        let rounded = rounded(embedding, largest: 2_047)
        return VectorQuery(
            coordinates: rounded.coordinates.map(Int16.init), step: rounded.step, headSquare: rounded.headSquare,
            error: rounded.error, head: head, headShare: headShare)
    }

    /// Coordinates as multiples of a step, by the largest of them, and how far that moves the vector.
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

/// A stored vector as it is searched.
struct VectorCode: Sendable {
    let coordinates: [Int8]
    /// What 1 of a coordinate stands for.
    let step: Float
    /// Squared length of the head.
    let headSquare: Float
    /// How far the code is from the vector.
    let error: Float
}

/// A vector that is searched for.
struct VectorQuery: Sendable {
    let coordinates: [Int16]
    let step: Float
    let headSquare: Float
    let error: Float
    let head: Int
    let headShare: Float

    /// The most by which the product of two codes differs from that of their vectors, which have length 1 (Cauchy &
    /// Schwarz), and what is lost by adding up in 32 bits.
    func error(with code: Float) -> Float { code + error * (1 + code) + 2e-5 }
}
