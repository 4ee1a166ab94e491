import Discovery

/// Measures how often the 95 % interval of a trend contains the true share, by drawing engagement with a known share.
struct CoverageSimulation: Sendable {
    let seed: UInt64
    /// Number of rated draws of a cell; a draw with too little data is repeated.
    let samples: Int
    /// Computes the statistics of a draw; nil if there is too little data.
    private let statistics: @Sendable ([PeriodCounts], PeriodLengths) -> TrendStatistics?

    init(seed: UInt64, samples: Int) {
        self.init(seed: seed, samples: samples) { posts, lengths in
            posts.count == 1
                ? TrendStatistics(posts[0], lengths: lengths) : TrendStatistics(posts: posts, lengths: lengths)
        }
    }

    init(
        seed: UInt64, samples: Int,
        statistics: @escaping @Sendable ([PeriodCounts], PeriodLengths) -> TrendStatistics?
    ) {
        self.seed = seed
        self.samples = samples
        self.statistics = statistics
    }

    struct Outcome: Sendable {
        let cell: CoverageCell
        /// Draws whose interval contained the true share, out of `samples`.
        var covered = 0
        /// Sum of the widths of all intervals.
        var width = 0.0
        var samples = 0
        /// Number of draws, including those with too little data.
        var draws = 0

        var coverage: Double { Double(covered) / Double(samples) }
        var meanWidth: Double { width / Double(samples) }
        /// Share of the draws that were rated.
        var rated: Double { Double(samples) / Double(draws) }
    }

    /// Runs the simulation of a cell; nil if draws hardly ever have enough data.
    func run(_ cell: CoverageCell) -> Outcome? {
        // A separate seed for each cell, so that its draws do not depend on the other cells.
        var random = RandomDraws(seed: seed ^ cell.fingerprint)
        var outcome = Outcome(cell: cell)
        while outcome.samples < samples {
            guard outcome.draws < 10 * samples else { return nil }
            outcome.draws += 1
            let (share, posts) = cell.draw(&random)
            guard let found = statistics(posts, cell.lengths) else { continue }
            outcome.samples += 1
            outcome.width += found.upper - found.lower
            if (found.lower...found.upper).contains(share) { outcome.covered += 1 }
        }
        return outcome
    }

    func run(_ cells: [CoverageCell]) -> [Outcome] { cells.compactMap(run) }
}

extension CoverageCell {
    fileprivate var fingerprint: UInt64 {
        // Cells with a fixed share, and whole periods, have the same draws as they had before there were others.
        let truth =
            switch truth {
            case .fixed(let share): [share.bitPattern]
            case .beta(let weight): [weight.bitPattern, 1]
            }
        let young = history < 2 ? [history.bitPattern, volume == .observed ? 0 : 1] : []
        let parts = [
            UInt64(posts), engagements.bitPattern,
            UInt64(sizes.rawValue.utf8.count) << 8 | UInt64(sizes.rawValue.utf8.first ?? 0),
            correlation.bitPattern,
        ]
        return (parts + truth + young).reduce(0) { ($0 ^ $1) &* 0x100_0000_01B3 }
    }
}
