import CHiredis
import Glibc

/// One non-blocking libhiredis context. It lives on one thread and owns every C pointer except those of replies.
final class RedisSocket {
    private let context: UnsafeMutablePointer<redisContext>
    private var argv: [UnsafePointer<CChar>?] = []
    private var lengths: [Int] = []
    /// Kept until the context is freed, which refers to it by address.
    private var arena: RedisReplyArena?

    var descriptor: Int32 { context.pointee.fd }

    /// Begins to connect; ``finishConnecting()`` follows once the descriptor can be written. The system's resolver
    /// looks up a host name here, within its own time limits.
    init(_ endpoint: RedisConfiguration.Endpoint) throws {
        let created =
            switch endpoint {
            case .unix(let path): redisConnectUnixNonBlock(path)
            case .tcp(let host, let port): redisConnectNonBlock(host, Int32(port))
            }
        guard let created else { throw RedisError(.unavailable, "out of memory") }
        context = created
        guard created.pointee.err == 0 else { throw RedisError(.unavailable, errorText) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if case .tcp = endpoint {
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            _ = redisEnableKeepAlive(context)
        }
    }

    deinit { redisFree(context) }

    func finishConnecting() throws {
        var status: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &size) == 0, status == 0 else {
            throw RedisError(.unavailable, String(cString: strerror(status)))
        }
    }

    /// Sets the arena for replies.
    func parse(into arena: RedisReplyArena) {
        self.arena = arena
        arena.attach(to: context)
    }

    /// Formats the command into the output buffer.
    func append(_ command: borrowing RedisCommand) throws {
        // The arrays are moved out of the properties and back: each access to a property would be checked at run time.
        var (argv, lengths): ([UnsafePointer<CChar>?], [Int]) = ([], [])
        swap(&argv, &self.argv)
        swap(&lengths, &self.lengths)
        defer {
            swap(&argv, &self.argv)
            swap(&lengths, &self.lengths)
        }
        argv.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        let status = command.bytes.withUnsafeBytes { bytes in
            var start = 0
            for end in command.ends {
                // The last, empty argument may end at any byte of the buffer: pointers are formed, not read.
                argv.append((bytes.baseAddress.map { $0 + start })?.assumingMemoryBound(to: CChar.self))
                lengths.append(end - start)
                start = end
            }
            return redisAppendCommandArgv(context, Int32(argv.count), &argv, lengths)
        }
        guard status == REDIS_OK else { throw failure }
    }

    /// Writes as much of the buffer as the socket accepts; true if nothing is left.
    func flush() throws -> Bool {
        var done: Int32 = 0
        guard redisBufferWrite(context, &done) == REDIS_OK else { throw failure }
        return done == 1
    }

    /// Reads once; true if the read was full, so that more may be waiting.
    func receive(atMost limit: Int) throws -> Bool {
        let before = context.pointee.reader.pointee.len
        guard redisBufferRead(context) == REDIS_OK else { throw failure }
        let reader = context.pointee.reader.pointee
        guard reader.len - reader.pos <= limit else {
            throw RedisError(.protocolViolation, "a reply is larger than the limit")
        }
        return reader.len - before >= Int(REDIS_READER_MAX_BUF)
    }

    /// Moves the next complete reply into the batch; false if there is none yet.
    func nextReply(into batch: RedisReplyBatch) throws -> Bool {
        var reply: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw failure }
        guard let reply else { return false }
        batch.append(reply)
        return true
    }

    private var failure: RedisError {
        RedisError(context.pointee.err == REDIS_ERR_PROTOCOL ? .protocolViolation : .connectionLost, errorText)
    }

    private var errorText: String {
        withUnsafeBytes(of: context.pointee.errstr) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
