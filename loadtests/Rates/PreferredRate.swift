import Foundation

/// Rates from a series of rounded numbers, so that a small drift in the machine's speed does not change them.
enum PreferredRate {
    /// Steps of a decade, each about 1.6 times the one before (Renard's series R5, ISO 3).
    private static let steps = [1, 1.6, 2.5, 4, 6.3]
    private static let rates = 6
    /// Trials of a rate. A pause of the machine spoils one of them, a rate that is too high all.
    private static let trials = 3

    /// Returns requests a second, if a lone request takes so many seconds.
    ///
    /// - Parameter share: largest part of the time that these requests would take one after the other. Below 1, a
    ///   server has nothing to handle together.
    static func rate(loneSeconds: Double, share: Double) -> Double { atMost(share / loneSeconds) }

    /// Returns the next lower rate.
    static func below(_ rate: Double) -> Double { atMost(rate * 0.99) }

    /// Returns the greatest rate of the series that is at most `limit`, which is above 0.
    static func atMost(_ limit: Double) -> Double {
        // The logarithm of a power of ten may come out just below a whole number.
        let allowed = limit * (1 + 1e-9)
        let decade = pow(10, floor(log10(allowed)))
        return (steps.last { $0 * decade <= allowed } ?? 1) * decade
    }

    /// Returns that rate, lowered step by step until one of several trials is kept up with. Throws if none is.
    ///
    /// - Parameters:
    ///   - allowed: unfinished requests that one may meet.
    ///   - trial: sends requests at a rate.
    static func find(
        loneSeconds: Double, share: Double, allowed: Int, trial: (Double) async throws -> Backlog
    ) async throws -> Double {
        var rate = rate(loneSeconds: loneSeconds, share: share)
        for _ in 0..<rates {
            for _ in 0..<trials {
                let backlog = try await trial(rate)
                if backlog.isKeptUpWith(allowed: allowed) { return rate }
                Progress.say("\(rate.short) a second are not kept up with: \(backlog.text(allowed: allowed))")
            }
            rate = below(rate)
        }
        throw Program.Failure(description: "not even \(rate.short) a second are kept up with, or the machine is busy")
    }
}
