import CoreMetrics
import GraphServices
import Timeline

/// Metrics of the buckets of a Redis Cluster, together and one by one.
struct BucketMetrics: Sendable {
    private let count = Meter(label: MetricNames.redisColdBuckets)
    private let buckets = (0..<WindowBucket.count).map {
        Meter(label: MetricNames.redisBucketCold, dimensions: [("bucket", String($0))])
    }

    /// - Parameter cold: the buckets whose readers the database answers.
    func set(_ cold: [Int]) {
        count.set(cold.count)
        let cold = Set(cold)
        for (number, meter) in buckets.enumerated() { meter.set(cold.contains(number) ? 1 : 0) }
    }
}
