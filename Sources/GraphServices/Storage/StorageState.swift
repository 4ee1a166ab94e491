import Database
import SocialGraph
import Synchronization

/// The room on the disk of a data directory, and the state of its database: what readiness reports and writes ask.
package final class StorageState: Sendable {
    /// The share of the reserve, as a divisor, below which only what frees room, and log-ins, may still write.
    static let criticalShareOfReserve: Int64 = 8

    package enum Level: Int, Sendable, Comparable {
        case ample
        /// Uploads are refused.
        case low
        /// Whatever adds something is refused; what frees room, and log-ins, go on.
        case critical

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Bytes that uploads leave free.
    let reserve: Int64
    package let health: StorageHealth
    private let free: @Sendable () -> Int64?
    private let latest = Mutex(Level.ample)

    /// - Parameter free: bytes that are free on the disk; nil: not known.
    package init(reserve: Int64, health: StorageHealth, free: @escaping @Sendable () -> Int64?) {
        self.reserve = reserve
        self.health = health
        self.free = free
    }

    /// State at the last look at the disk.
    package var level: Level { latest.withLock { $0 } }

    /// Bytes that are free; nil: not known.
    var freeBytes: Int64? { free() }

    /// Looks at the disk. Returns the level before, if it has changed.
    @discardableResult
    package func refresh() -> Level? {
        let level = Self.level(free: free(), reserve: reserve)
        return latest.withLock { latest in
            defer { latest = level }
            return latest == level ? nil : latest
        }
    }

    package static func level(free: Int64?, reserve: Int64) -> Level {
        guard let free, free < reserve else { return .ample }
        return free < reserve / Self.criticalShareOfReserve ? .critical : .low
    }
}
