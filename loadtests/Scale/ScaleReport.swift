/// The computed needs of a simulated network.
package struct ScaleReport: Sendable, Codable, Equatable {
    /// A figure over several owners.
    package struct Spread: Sendable, Codable, Equatable {
        package let mean: Double
        package let most: Double
        /// The most as a multiple of the mean.
        package let imbalance: Double

        init(_ values: [Double]) {
            mean = values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
            most = values.max() ?? 0
            imbalance = mean > 0 ? most / mean : 1
        }
    }

    /// Entries added to windows a second, on average over a day.
    package struct Deliveries: Sendable, Codable, Equatable {
        package let total: Double
        package let atPeak: Double
        package let byNode: Spread
        package let byMaster: Spread
        package let byGroup: Spread
        package let byBucket: Spread
    }

    package struct Windows: Sendable, Codable, Equatable {
        package let number: Int
        package let entries: Double
        package let bytes: Double
        package let bytesByMaster: Spread
    }

    /// Hub authors, and how many of them a reader with a window follows.
    package struct Hubs: Sendable, Codable, Equatable {
        package let authors: Int
        package let shareOfPosts: Double
        package let followedByReader: Double
        package let mostFollowers: Double
    }

    /// Seconds until a post is in all windows; nil if deliveries fall behind.
    package struct Lag: Sendable, Codable, Equatable {
        package let meanAudience: Double?
        package let largestPushed: Double?
        /// The largest audience of all, if its author were no hub.
        package let largestOfAll: Double?
        /// Share of their time that the busiest master or node needs for deliveries in full batches.
        package let utilisation: Double
    }

    /// Processor cores at the peak.
    package struct Cores: Sendable, Codable, Equatable {
        package let nodes: Double
        package let masters: Double
        package let database: Double
    }

    package struct Rows: Sendable, Codable, Equatable {
        package let rows: Double
        package let bytes: Double
    }

    package let users: Int
    package let follows: Int
    package let nodes: Int
    package let masters: Int
    package let workload: ScaleWorkload
    package let postsPerSecond: Double
    package let pagesPerSecond: Double
    package let meanAudience: Double
    package let deliveries: Deliveries
    package let windows: Windows
    package let hubs: Hubs
    package let lag: Lag
    package let lagAtPeak: Lag
    package let coresAtPeak: Cores
    package let database: [String: Rows]
    package let databaseBytes: Double
}
