import Synchronization

/// One atomic count behind a reference, for use in an array.
final class AtomicCount: Sendable {
    private let storage = Atomic<UInt64>(0)

    var value: UInt64 { storage.load(ordering: .relaxed) }

    func add(_ amount: UInt64) {
        storage.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        storage.store(0, ordering: .relaxed)
    }
}

/// One atomic floating-point number.
final class AtomicDouble: Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func store(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var seen = bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: seen) + amount
            let result = bits.weakCompareExchange(expected: seen, desired: sum.bitPattern, ordering: .relaxed)
            if result.exchanged {
                return
            }
            seen = result.original
        }
    }
}
