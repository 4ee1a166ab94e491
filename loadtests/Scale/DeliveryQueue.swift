import Foundation
import RedisClient

/// The time until a post is in all windows, if posts come at a steady rate.
///
/// A node delivers batch after batch. A batch has what has come during the one before, and of a large audience 1,000
/// followers; it ends when the slowest master and the slowest node have done their share.
struct DeliveryQueue {
    /// Limits of `Sources/Timeline/Fanout/JobRunner.swift` and `PushRunner.swift`.
    static let audienceChunk = 1_000.0
    static let deliveriesPerBatch = 65_536.0
    /// Windows that one call of a script names.
    static let windowsPerCall = 500.0

    /// Pushed posts a second, and mean number of their followers.
    let postsPerSecond: Double
    let audience: Double
    /// Share of the followers who have a window.
    let windowShare: Double
    /// Share of all deliveries that the busiest master, and the busiest node, has.
    let masterShare: Double
    let nodeShare: Double

    /// Seconds until a post to so many followers is in their windows; nil if deliveries fall behind.
    func lag(audience: Double) -> Double? {
        let chunk = min(audience, Self.audienceChunk)
        guard let before = steadyBatch(beside: 0), let each = steadyBatch(beside: chunk) else { return nil }
        let batches = chunk > 0 ? (audience / chunk).rounded(.up) : 1
        return seconds(batch: before) + batches * seconds(batch: each)
    }

    /// Share of the time for which the busiest master, or node, would work on full batches alone.
    var utilisation: Double {
        let keys = Self.deliveriesPerBatch
        return followersPerSecond * seconds(batch: keys) / keys
    }

    /// Cores of all masters together that deliveries keep busy, in batches as they come; those of full batches, if they
    /// fall behind.
    var redisUtilisation: Double {
        let batch = steadyBatch(beside: 0) ?? Self.deliveriesPerBatch
        return batch > 0 ? followersPerSecond * redisSeconds(batch) / batch : 0
    }

    /// Followers a second to whom posts are offered, with windows and without.
    var followersPerSecond: Double { postsPerSecond * audience }

    /// Followers of a batch, `chunk` of them of one audience, that takes as long as the others take to come.
    private func steadyBatch(beside chunk: Double) -> Double? {
        guard utilisation < 1 else { return nil }
        var keys = max(chunk, audience)
        // The time is concave in the keys, so this rises to the smallest solution.
        for _ in 0..<1_000 {
            let next = max(followersPerSecond * seconds(batch: keys) + chunk, max(chunk, audience))
            guard next > keys * 1.000_001 else { break }
            keys = next
        }
        return keys
    }

    private func seconds(batch keys: Double) -> Double {
        let nodeSeconds = keys * MeasuredCosts.nodeDelivery
        return MeasuredCosts.batchOverhead + max(redisSeconds(keys) * masterShare, nodeSeconds * nodeShare)
    }

    /// Processor time of all masters together for a batch.
    func redisSeconds(_ keys: Double) -> Double {
        Self.calls(keys) * MeasuredCosts.redisCall + keys * windowShare * MeasuredCosts.redisAppend
            + keys * (1 - windowShare) * MeasuredCosts.redisMiss
    }

    /// Expected number of calls for so many followers: one for each bucket that has any of them, more for those with
    /// more than a call takes.
    static func calls(_ keys: Double) -> Double {
        let buckets = Double(RedisBucket.count)
        let touched = buckets * (1 - pow(1 - 1 / buckets, keys))
        return touched + max(keys / windowsPerCall - buckets, 0)
    }
}
