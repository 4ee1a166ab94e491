import GraphServices
import NIOCore

/// The bytes of a spooled file, read when they are asked for, on threads for calls of the file system.
struct SpooledContent: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let path: String
    let work: BoundedWork
    let holder: BudgetHolder

    struct AsyncIterator: AsyncIteratorProtocol {
        let content: SpooledContent
        private var file: StoredFile?
        private var place: Int64 = 0

        fileprivate init(_ content: SpooledContent) { self.content = content }

        /// - Throws: ``FileFailure``.
        mutating func next() async throws -> ByteBuffer? {
            let (path, opened, place) = (content.path, file, place)
            let (file, piece) = try await content.work.run(for: content.holder) {
                let file = try opened ?? StoredFile(path: path)
                return (file, try file.read(from: place, count: IncomingFile.chunkBytes))
            }
            self.file = file
            self.place += Int64(piece.readableBytes)
            return piece.readableBytes > 0 ? piece : nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
