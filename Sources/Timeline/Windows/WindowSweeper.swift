import Logging
import RedisClient
import SocialGraph

/// Deletes the keys of retired generations: those left in an external Redis, and those retired by an import of many
/// posts.
struct WindowSweeper: Sendable {
    let space: WindowSpace
    let connection: RedisConnection
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await sweep()
            } catch {
                logger.debug("sweep interrupted", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(30))
        }
    }

    private func sweep() async throws {
        try await connection.waitUntilUp()
        let retired = try await space.retiredGenerations().filter { $0 != space.keys }
        if retired.isEmpty || space.keys == nil { return }
        var swept = 0
        for pattern in retired.flatMap(\.allPatterns) { swept += try await unlink(pattern) }
        try await space.forgetRetiredGenerations()
        logger.info("retired windows removed", metadata: ["keys": "\(swept)", "generations": "\(retired.count)"])
    }

    private func unlink(_ pattern: String) async throws -> Int {
        var cursor = "0"
        var count = 0
        repeat {
            let scan = RedisCommand("SCAN", [cursor, "MATCH", pattern, "COUNT", "500"])
            let (next, names) = try await connection.send(scan) { reply in
                let found = try reply[1]
                return (try reply[0].text, try (0..<found.count).map { try found[$0].text })
            }
            if !names.isEmpty { _ = try await connection.send(RedisCommand("UNLINK", names)) { try $0.integer } }
            count += names.count
            cursor = next
        } while cursor != "0"
        return count
    }
}
