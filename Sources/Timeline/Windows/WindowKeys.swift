import Database
import RedisClient
import SocialGraph

/// The key names of a generation. The generation is part of every name, so that windows of a Redis that is no longer
/// trusted are not found and need no check: `h:{generation}:{user}` is the sorted set of a ready window,
/// `t:{generation}:{user}` its tail, `b:{generation}:{user}:{build}` a window in construction, `s:{generation}` the
/// fence, the latest stamp and the ``HubMark``, `r:{generation}` the readers for whom other nodes request a window.
///
/// In a cluster the generation follows the hash tag of its bucket, `h:{tag}:{generation}:{user}`, so that all keys of a
/// bucket are in one slot.
package struct WindowKeys: Sendable, Equatable {
    package let generation: String
    /// The bucket whose keys these are; nil outside a cluster.
    package let bucket: RedisBucket?
    /// The part of every name between its kind and its reader.
    package let path: String
    private let bytes: [UInt8]

    package init(generation: String, bucket: RedisBucket? = nil) {
        self.generation = generation
        self.bucket = bucket
        path = bucket.map { "{\($0.tag)}:\(generation)" } ?? generation
        bytes = Array(path.utf8)
    }

    package func appendState(to command: inout RedisCommand) {
        command.append {
            $0.write("s:")
            $0.write(bytes)
        }
    }

    func appendRequests(to command: inout RedisCommand) {
        command.append {
            $0.write("r:")
            $0.write(bytes)
        }
    }

    package func appendWindow(of viewer: UserID, to command: inout RedisCommand) { append("h:", viewer, to: &command) }

    package func appendTail(of viewer: UserID, to command: inout RedisCommand) { append("t:", viewer, to: &command) }

    private func append(_ kind: StaticString, _ viewer: UserID, to command: inout RedisCommand) {
        command.append {
            $0.write(kind)
            $0.write(bytes)
            $0.write(":")
            $0.write(integer: viewer.rawValue)
        }
    }

    /// Appends the sorted set of a window, then its tail.
    package func appendBoth(of viewer: UserID, to command: inout RedisCommand) {
        appendWindow(of: viewer, to: &command)
        appendTail(of: viewer, to: &command)
    }

    func append(_ build: WindowBuild, to command: inout RedisCommand) {
        command.append {
            $0.write("b:")
            $0.write(bytes)
            $0.write(":")
            $0.write(integer: build.viewer.rawValue)
            $0.write(":")
            $0.write(integer: build.number)
        }
    }

    /// Matches the sorted set of every window of this generation.
    package var windowPattern: String { "h:\(path):*" }
    /// `g:` is the state of generations of version 0.1.0, whose windows had no tails.
    package var allPatterns: [String] {
        ["h:\(path):*", "t:\(path):*", "b:\(path):*", "s:\(path)", "r:\(path)", "g:\(path)"]
    }
}

/// One attempt at building a window.
struct WindowBuild: Sendable, Hashable {
    let viewer: UserID
    let number: Int64
}
