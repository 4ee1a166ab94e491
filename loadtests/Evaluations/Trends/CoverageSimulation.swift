import Discovery

/// Shows how often the 95 % interval of a trend holds the true share: by drawing engagement whose share is known.
struct CoverageSimulation: Sendable {
    let seed: UInt64
    /// Draws of a cell that are rated; one that has too little to go by is drawn again.
    let samples: Int
    /// What is made of the counts of a draw; nil: too little to go by.
    private let statistics: @Sendable ([PeriodCounts]) -> TrendStatistics?

    init(seed: UInt64, samples: Int) {
        self.init(seed: seed, samples: samples) { posts in
            posts.count == 1 ? TrendStatistics(posts[0]) : TrendStatistics(posts: posts)
        }
    }

    init(
        seed: UInt64, samples: Int, statistics: @escaping @Sendable ([PeriodCounts]) -> TrendStatistics?
    ) {
        self.seed = seed
        self.samples = samples
        self.statistics = statistics
    }

    struct Outcome: Sendable {
        let cell: CoverageCell
        /// Draws whose interval held the true share, of `samples`.
        var covered = 0
        /// Sum of the widths of all intervals.
        var width = 0.0
        var samples = 0
        /// Draws, those with too little to go by included.
        var draws = 0

        var coverage: Double { Double(covered) / Double(samples) }
        var meanWidth: Double { width / Double(samples) }
        /// Of the draws, those that were rated.
        var rated: Double { Double(samples) / Double(draws) }
    }

    /// Nil: hardly ever enough to go by.
    func run(_ cell: CoverageCell) -> Outcome? {
        // A seed of its own for each cell, so that what one draws does not depend on which others there are.
        var random = RandomDraws(seed: seed ^ cell.fingerprint)
        var outcome = Outcome(cell: cell)
        while outcome.samples < samples {
            guard outcome.draws < 10 * samples else { return nil }
            outcome.draws += 1
            guard let found = statistics(cell.draw(&random)) else { continue }
            outcome.samples += 1
            outcome.width += found.upper - found.lower
            if (found.lower...found.upper).contains(cell.share) { outcome.covered += 1 }
        }
        return outcome
    }

    func run(_ cells: [CoverageCell]) -> [Outcome] { cells.compactMap(run) }
}

extension CoverageCell {
    fileprivate var fingerprint: UInt64 {
        let parts = [
            UInt64(posts), engagements.bitPattern,
            UInt64(sizes.rawValue.utf8.count) << 8 | UInt64(sizes.rawValue.utf8.first ?? 0),
            correlation.bitPattern, share.bitPattern,
        ]
        return parts.reduce(0) { ($0 ^ $1) &* 0x100_0000_01B3 }
    }
}
