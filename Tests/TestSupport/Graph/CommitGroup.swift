import Database
import SocialGraph

extension GroupCommitDatabase {
    /// Runs `body` while the writer is held inside a transaction. Everything submitted in that time waits.
    package func whileWriterIsHeld<T>(_ body: () async throws -> T) async throws -> T {
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate()
        async let holder: Void = write { _ in
            signal.finish()
            gate.wait()
        }
        for await _ in started {}
        let result: T
        do {
            result = try await body()
        } catch {
            gate.open()
            throw error
        }
        gate.open()
        try await holder
        return result
    }

    /// Queues all of `requests` behind a held writer, in order, so that they form one commit group. Returns the outcome
    /// of each. Every request must make exactly one write.
    package func inOneGroup<T: Sendable>(
        _ requests: (@Sendable () async throws -> T)...
    ) async throws -> [Result<T, any Error>] {
        try await inOneGroup(requests)
    }

    package func inOneGroup<T: Sendable>(
        _ requests: [@Sendable () async throws -> T]
    ) async throws -> [Result<T, any Error>] {
        let tasks = try await whileWriterIsHeld {
            var tasks: [Task<T, any Error>] = []
            for request in requests {
                tasks.append(Task { try await request() })
                while waitingWrites < tasks.count { await Task.yield() }
            }
            return tasks
        }
        var results: [Result<T, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }
}

extension Result {
    package var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }

    package var isStorageError: Bool { (error as? DatabaseError)?.detail != nil }
}

extension DatabaseError {
    /// The detail of a storage error for the log; nil for all others.
    package var detail: String? {
        switch self {
        case .storage(let detail), .storageFull(let detail), .storageCorrupt(let detail): detail
        default: nil
        }
    }
}
