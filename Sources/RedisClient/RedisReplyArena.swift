import CHiredis
import Glibc

/// Memory for the replies that libhiredis parses: chunks that are reused for the next replies. By itself libhiredis
/// would allocate twice for each element of a reply, and free as often.
final class RedisReplyArena {
    /// Largest number of elements in an array. No command of ours has a longer reply, and a length is trusted before
    /// any element has arrived.
    private static let longestArray = 1 << 20
    private static let chunkSize = 1 << 16
    /// Chunks that are kept for the next replies. A larger chunk, for a single long string, is not kept.
    private static let chunksKept = 16

    private var chunks: [UnsafeMutableRawBufferPointer] = []
    /// The chunk that is being filled, and its fill level.
    private var chunk = 0
    private var used = 0

    private let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)

    init() { functions.initialize(to: Self.makeFunctions()) }

    deinit {
        for chunk in chunks { chunk.deallocate() }
        functions.deallocate()
    }

    /// Makes `context` parse into this arena, which must outlive it.
    func attach(to context: UnsafeMutablePointer<redisContext>) {
        context.pointee.reader.pointee.fn = functions
        context.pointee.reader.pointee.privdata = Unmanaged.passUnretained(self).toOpaque()
    }

    /// Ends the life of all replies. None may be partly parsed.
    func reset() {
        (chunk, used) = (0, 0)
        guard chunks.count > 1 || chunks.first?.count ?? 0 > Self.chunkSize else { return }
        let kept = chunks.filter { $0.count == Self.chunkSize }.prefix(Self.chunksKept)
        for chunk in chunks where !kept.contains(where: { $0.baseAddress == chunk.baseAddress }) { chunk.deallocate() }
        chunks = Array(kept)
    }

    /// Returns zeroed memory, aligned for any type.
    private func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let size = (size + 15) & ~15
        while chunk < chunks.count, used + size > chunks[chunk].count {
            chunk += 1
            used = 0
        }
        if chunk == chunks.count {
            chunks.append(.allocate(byteCount: max(size, Self.chunkSize), alignment: 16))
        }
        defer { used += size }
        let memory = UnsafeMutableRawBufferPointer(rebasing: chunks[chunk][used..<used + size])
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        return memory.baseAddress.unsafelyUnwrapped
    }

    /// Makes a reply of the kind in `task`, at its place in the array that contains it.
    private static func makeReply(
        _ task: UnsafePointer<redisReadTask>?, _ fill: (RedisReplyArena, inout redisReply) -> Void
    ) -> UnsafeMutableRawPointer? {
        guard let task = task?.pointee, let arena = task.privdata else { return nil }
        let owner = Unmanaged<RedisReplyArena>.fromOpaque(arena).takeUnretainedValue()
        let reply = owner.allocate(MemoryLayout<redisReply>.size).assumingMemoryBound(to: redisReply.self)
        reply.pointee.type = task.type
        fill(owner, &reply.pointee)
        if let parent = task.parent?.pointee.obj {
            parent.assumingMemoryBound(to: redisReply.self).pointee.element[Int(task.idx)] = reply
        }
        return UnsafeMutableRawPointer(reply)
    }

    private static func makeFunctions() -> redisReplyObjectFunctions {
        redisReplyObjectFunctions(
            createString: { task, bytes, count in
                RedisReplyArena.makeReply(task) { arena, reply in
                    let copy = arena.allocate(count + 1)
                    if let bytes { memcpy(copy, bytes, count) }
                    reply.str = copy.assumingMemoryBound(to: CChar.self)
                    reply.len = count
                }
            },
            createArray: { task, count in
                guard count <= RedisReplyArena.longestArray else { return nil }
                return RedisReplyArena.makeReply(task) { arena, reply in
                    reply.elements = Int(count)
                    guard count > 0 else { return }
                    reply.element = arena.allocate(Int(count) * MemoryLayout<OpaquePointer>.size)
                        .assumingMemoryBound(to: UnsafeMutablePointer<redisReply>?.self)
                }
            },
            createInteger: { task, value in RedisReplyArena.makeReply(task) { $1.integer = value } },
            // `task` names a string or an array, which turned out to be nil.
            createNil: { task in RedisReplyArena.makeReply(task) { $1.type = REDIS_REPLY_NIL } },
            // The arena is emptied as a whole.
            freeObject: { _ in })
    }
}

/// Reads replies from bytes, without a connection: for fuzzing.
package enum RedisReplyTrial {
    /// The number of whole replies in `bytes`, up to the first violation of the protocol.
    package static func read(_ bytes: [UInt8]) -> Int { RedisReplyArena().countReplies(in: bytes) }
}

extension RedisReplyArena {
    fileprivate func countReplies(in bytes: [UInt8]) -> Int {
        guard let reader = redisReaderCreateWithFunctions(functions) else { return 0 }
        defer { redisReaderFree(reader) }
        reader.pointee.privdata = Unmanaged.passUnretained(self).toOpaque()
        let isFed = bytes.withUnsafeBytes {
            redisReaderFeed(reader, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) == REDIS_OK
        }
        var replies = 0
        var reply: UnsafeMutableRawPointer?
        while isFed, redisReaderGetReply(reader, &reply) == REDIS_OK, reply != nil { replies += 1 }
        return replies
    }
}
