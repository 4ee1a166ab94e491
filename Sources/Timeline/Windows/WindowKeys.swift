import Database
import RedisClient
import SocialGraph

/// The key names of a generation. The generation is part of every name, so that windows of a Redis that is no longer
/// trusted are not found and need no check: `h:{generation}:{user}` is a ready window, `b:{generation}:{user}:{build}`
/// one in construction, `g:{generation}` the fence and the highest floor.
package struct WindowKeys: Sendable, Equatable {
    package let generation: String
    private let bytes: [UInt8]

    package init(generation: String) {
        self.generation = generation
        bytes = Array(generation.utf8)
    }

    package func appendState(to command: inout RedisCommand) {
        command.append {
            $0.write("g:")
            $0.write(bytes)
        }
    }

    package func appendWindow(of viewer: UserID, to command: inout RedisCommand) {
        command.append {
            $0.write("h:")
            $0.write(bytes)
            $0.write(":")
            $0.write(integer: viewer.rawValue)
        }
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

    /// Matches every key of this generation's windows.
    package var windowPattern: String { "h:\(generation):*" }
    package var allPatterns: [String] { ["h:\(generation):*", "b:\(generation):*", "g:\(generation)"] }
}

/// One attempt at building a window.
struct WindowBuild: Sendable, Hashable {
    let viewer: UserID
    let number: Int64
}
