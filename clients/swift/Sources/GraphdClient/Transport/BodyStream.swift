import Foundation

/// The pieces of a body, in order. Each loop over it reads from the beginning, if its source can.
public struct BodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    private let begin: @Sendable () -> Iterator

    /// - Parameter begin: Returns a function that returns the next piece, and nil at the end.
    public init(_ begin: @escaping @Sendable () -> () async throws -> Data?) {
        self.begin = { Iterator(produce: begin()) }
    }

    public init(_ data: Data) {
        self.init {
            var rest: Data? = data
            return {
                defer { rest = nil }
                return rest
            }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        let produce: () async throws -> Data?

        public mutating func next() async throws -> Data? { try await produce() }
    }

    public func makeAsyncIterator() -> Iterator { begin() }

    /// Returns the whole body.
    ///
    /// - Throws: `ClientError.answerTooLarge` if it has more than `limit` bytes.
    public func collected(limit: Int) async throws -> Data {
        var whole = Data()
        for try await piece in self {
            guard piece.count <= limit - whole.count else { throw ClientError.answerTooLarge(limit: limit) }
            if whole.isEmpty { whole = piece } else { whole.append(piece) }
        }
        return whole
    }
}
