import Metrics

/// A registered metric that can be rendered.
package protocol PrometheusSeries: AnyObject, Sendable {
    /// Appends this series' lines.
    ///
    /// - Parameter labels: rendered labels without braces, such as `method="GET",route="/"`; may be empty.
    func render(name: String, labels: String, into text: inout PrometheusText)
}

/// A counter. Negative increments are ignored: a counter never falls.
package final class PrometheusCounter: CounterHandler, FloatingPointCounterHandler, PrometheusSeries {
    private let whole = AtomicCount()
    private let fraction = AtomicDouble()

    package var value: Double { Double(whole.value) + fraction.value }

    package func increment(by amount: Int64) {
        if amount > 0 {
            whole.add(UInt64(amount))
        }
    }

    package func increment(by amount: Double) {
        if amount > 0, amount.isFinite {
            fraction.add(amount)
        }
    }

    package func reset() {
        whole.reset()
        fraction.store(0)
    }

    package func render(name: String, labels: String, into text: inout PrometheusText) {
        let extra = fraction.value
        if extra == 0 {
            text.sample(name, labels, whole.value)
        } else {
            text.sample(name, labels, Double(whole.value) + extra)
        }
    }
}

/// A gauge or meter: the value last set.
final class PrometheusGauge: RecorderHandler, MeterHandler, PrometheusSeries {
    private let current = AtomicDouble()

    func record(_ value: Int64) { current.store(Double(value)) }
    func record(_ value: Double) { current.store(value) }
    func set(_ value: Int64) { current.store(Double(value)) }
    func set(_ value: Double) { current.store(value) }
    func increment(by amount: Double) { current.add(amount) }
    func decrement(by amount: Double) { current.add(-amount) }

    func render(name: String, labels: String, into text: inout PrometheusText) {
        text.sample(name, labels, current.value)
    }
}

/// A histogram over fixed upper bounds.
package final class PrometheusHistogram: RecorderHandler, TimerHandler, PrometheusSeries {
    private static let nanosecondsPerSecond = 1e9

    private let bounds: [Double]
    /// One more than `bounds`: the last counts the values above them all.
    private let counts: [AtomicCount]
    private let sum = AtomicDouble()

    /// - Parameter bounds: upper bounds, ascending; in seconds for a timer.
    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in AtomicCount() }
    }

    /// Upper bounds, and the number of values in each bucket, the last of which is above them all.
    package var buckets: (bounds: [Double], counts: [UInt64]) { (bounds, counts.map(\.value)) }

    package func record(_ value: Int64) { record(Double(value)) }

    package func record(_ value: Double) {
        guard !value.isNaN else {
            return
        }
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].add(1)
        sum.add(value)
    }

    package func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / Self.nanosecondsPerSecond)
    }

    package func render(name: String, labels: String, into text: inout PrometheusText) {
        let separator = labels.isEmpty ? "" : ","
        var cumulative: UInt64 = 0
        for (index, count) in counts.enumerated() {
            cumulative += count.value
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            text.sample(name + "_bucket", "\(labels)\(separator)le=\"\(bound)\"", cumulative)
        }
        text.sample(name + "_sum", labels, sum.value)
        // From the same reading as the buckets, so that the two agree while recording continues.
        text.sample(name + "_count", labels, cumulative)
    }
}
