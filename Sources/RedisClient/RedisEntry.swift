import Synchronization

/// A waiting caller, as the loop of a connection sees it.
protocol RedisPending: AnyObject, Sendable {
    var first: RedisCommand { get }
    var rest: [RedisCommand] { get }
    var timeout: Duration { get }
    /// True once the caller has gone, for instance because its task was cancelled.
    var isCompleted: Bool { get }
    /// Decodes the replies, one to a command, and resumes the caller. Does nothing if the caller has gone.
    func fulfil(_ replies: RedisReplies)
    /// Decodes the replies and keeps the result for ``release()``. Does nothing if the caller has gone.
    func hold(_ replies: RedisReplies)
    /// Resumes the caller with the result that was kept.
    func release()
    func fail(_ error: any Error)
}

extension RedisPending {
    var commandCount: Int { 1 + rest.count }
    func command(_ index: Int) -> RedisCommand { index == 0 ? first : rest[index - 1] }
    var byteCount: Int { rest.reduce(first.bytes.count) { $0 + $1.bytes.count } }
}

/// One waiting caller. Only the code that takes the continuation out of the slot resumes it, so it is resumed exactly
/// once.
final class RedisEntry<Value: Sendable>: RedisPending {
    private enum Slot {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case answered(CheckedContinuation<Value, any Error>, Result<Value, any Error>)
        case completed
        case failedEarly(any Error)
    }

    let first: RedisCommand
    let rest: [RedisCommand]
    let timeout: Duration
    private let decode: @Sendable (RedisReplies) throws -> Value
    private let slot = Mutex(Slot.empty)

    init(
        _ first: RedisCommand, _ rest: [RedisCommand], timeout: Duration,
        decode: @escaping @Sendable (RedisReplies) throws -> Value
    ) {
        self.first = first
        self.rest = rest
        self.timeout = timeout
        self.decode = decode
    }

    var isCompleted: Bool {
        slot.withLock {
            if case .waiting = $0 { false } else { true }
        }
    }

    /// Stores the continuation. False if the caller was cancelled before it began to wait; then it has been resumed.
    func install(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let early: (any Error)? = slot.withLock {
            if case .failedEarly(let error) = $0 {
                $0 = .completed
                return error
            }
            $0 = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(throwing: early) }
        return early == nil
    }

    func fulfil(_ replies: RedisReplies) {
        // Decoding comes first and outside the lock: a cancellation meanwhile wins, and the value is discarded.
        guard !isCompleted else { return }
        let result = Result { try decode(replies) }
        take()?.resume(with: result)
    }

    func hold(_ replies: RedisReplies) {
        guard !isCompleted else { return }
        let result = Result { try decode(replies) }
        slot.withLock {
            if case .waiting(let continuation) = $0 { $0 = .answered(continuation, result) }
        }
    }

    func release() {
        let answered: (CheckedContinuation<Value, any Error>, Result<Value, any Error>)? = slot.withLock {
            guard case .answered(let continuation, let result) = $0 else { return nil }
            $0 = .completed
            return (continuation, result)
        }
        if let (continuation, result) = answered { continuation.resume(with: result) }
    }

    func fail(_ error: any Error) {
        let continuation: CheckedContinuation<Value, any Error>? = slot.withLock {
            switch $0 {
            case .empty:
                $0 = .failedEarly(error)
                return nil
            case .waiting(let continuation), .answered(let continuation, _):
                $0 = .completed
                return continuation
            case .completed, .failedEarly:
                return nil
            }
        }
        continuation?.resume(throwing: error)
    }

    private func take() -> CheckedContinuation<Value, any Error>? {
        slot.withLock {
            guard case .waiting(let continuation) = $0 else { return nil }
            $0 = .completed
            return continuation
        }
    }
}
