import Database
import SocialGraph
import Synchronization

/// The free space on the disk of a data directory, and the state of its database. Readiness reports them, and writes
/// check them.
package final class StorageState: Sendable {
    /// The share of the reserve, as a divisor, below which only log-ins and acts that free room may still write.
    static let criticalShareOfReserve: Int64 = 8

    package enum Level: Int, Sendable, Comparable {
        case ample
        /// Uploads are refused.
        case low
        /// Acts that add data are refused; log-ins and acts that free room continue.
        case critical

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Bytes that uploads leave free.
    let reserve: Int64
    package let health: StorageHealth
    package let readOnly: ReadOnlyMode
    private let free: @Sendable () -> Int64?
    private let latest = Mutex(Level.ample)

    /// - Parameter free: number of free bytes on the disk; nil if unknown.
    package init(
        reserve: Int64, health: StorageHealth, readOnly: ReadOnlyMode = ReadOnlyMode(),
        free: @escaping @Sendable () -> Int64?
    ) {
        self.readOnly = readOnly
        self.reserve = reserve
        self.health = health
        self.free = free
    }

    /// State at the last look at the disk.
    package var level: Level { latest.withLock { $0 } }

    /// Number of free bytes; nil if unknown.
    var freeBytes: Int64? { free() }

    /// Looks at the disk. Returns the previous level, if it has changed.
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
