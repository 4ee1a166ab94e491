import GraphServices

/// The file descriptors of a server, and their uses.
///
/// No descriptor may be missing anywhere: libdispatch ends the process if it cannot open `/proc/self/task`, timers
/// without a descriptor never fire, and SQLite and Redis connections fail. So connections get the rest after everything
/// else is provided for.
struct DescriptorBudget: Sendable, Equatable {
    /// Descriptors for uses other than connections and the files they transfer: the database (writer, readers, log),
    /// Redis, event loops, timers, thumbnails, calls to webhooks, classifiers and issuers, and 32 for the system's
    /// libraries.
    static let ownDescriptors = 160
    /// Descriptors for each private redis-server after the first: two connections and the process.
    static let shardDescriptors = 8
    /// Connections beyond the limit that are answered with 503 at once.
    static let connectionRefusals = 64
    /// Smallest number of connections that must have room.
    static let fewestConnections = ServerConfiguration.connectionCaps.lowerBound

    /// Largest number of concurrent connections.
    let connections: Int
    /// Largest number of connections of one address (IPv6: of one /64); never all of them.
    let connectionsPerAddress: Int
    /// Connections beyond ``connections`` that are accepted only to be answered with 503.
    let refusals: Int
    /// Numbers of files being sent, and of files being received.
    let downloads: Int
    let uploads: Int
    /// True if the descriptors did not suffice for the requested numbers.
    let isLowered: Bool

    /// Smallest number of descriptors that `serve` needs.
    static let minimum =
        Self.ownDescriptors + Self.connectionRefusals
        + Self.fewestConnections * (connectionShare + fileShare) / connectionShare

    /// Share of scarce descriptors: of each 11 left, 8 are for connections and 3 for the files that these transfer.
    private static let connectionShare = 8
    private static let fileShare = 3

    /// - Parameters:
    ///   - limit: file descriptors that the process may have open.
    ///   - wanted: concurrent connections requested.
    ///   - wantedPerAddress: connections of one address; 0 is no limit.
    ///   - shards: private redis-servers.
    /// - Returns: nil if `limit` is below ``minimum``, and what further shards need.
    init?(limit: Int, wanted: Int, wantedPerAddress: Int, shards: Int = 1) {
        let limit = limit - (shards - 1) * Self.shardDescriptors
        guard limit >= Self.minimum else { return nil }
        let free = limit - Self.ownDescriptors - Self.connectionRefusals
        let all = wanted + RequestLimits.downloads + RequestLimits.uploads
        if free >= all {
            (connections, downloads, uploads) = (wanted, RequestLimits.downloads, RequestLimits.uploads)
        } else {
            let files = free * Self.fileShare / (Self.connectionShare + Self.fileShare)
            uploads = min(RequestLimits.uploads, files / 3)
            downloads = min(RequestLimits.downloads, files - uploads)
            connections = min(wanted, free - uploads - downloads)
        }
        refusals = Self.connectionRefusals
        isLowered = free < all
        let share = isLowered ? max(connections / 2, 1) : connections
        connectionsPerAddress = wantedPerAddress == 0 ? connections : min(wantedPerAddress, share)
    }
}

extension DescriptorBudget {
    /// The resulting limits on transfers.
    var slots: [SlotBudget: SlotLimit] {
        [
            .uploads: SlotBudget.uploads.limit.lowered(to: uploads),
            .downloads: SlotBudget.downloads.limit.lowered(to: downloads),
        ]
    }
}
