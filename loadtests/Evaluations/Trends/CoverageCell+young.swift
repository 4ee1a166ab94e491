/// Topics and posts younger than two periods.
extension CoverageCell {
    /// Topics whose share comes from the prior.
    static let young = youngTopics(truth: .prior)

    /// Single posts whose share comes from the prior.
    static let youngSingles = histories.flatMap { history in
        [20.0, 100, 1_000].map {
            CoverageCell(
                posts: 1, engagements: $0, sizes: .even, correlation: 0, truth: .prior, history: history)
        }
    }

    /// Topics whose share does not come from the prior, or whose volume tells of it: by description. Their coverage is
    /// not promised.
    static let unlikePrior: [(name: String, cells: [CoverageCell])] = [
        ("beta distribution, parameters 2", youngTopics(truth: .beta(2))),
        ("beta distribution, parameters 0.5", youngTopics(truth: .beta(0.5))),
        ("prior, volume tells of the share", youngTopics(truth: .prior, volume: .whole)),
        ("share 0.1", youngTopics(truth: .fixed(0.1))), ("share 0.5", youngTopics(truth: .fixed(0.5))),
        ("share 0.95", youngTopics(truth: .fixed(0.95))),
    ]

    /// Numbers of periods. At 1 or less, nothing is observed of the earlier period.
    private static let histories = [0.1, 0.5, 0.9, 1.05, 1.1, 1.25, 1.5, 1.75, 1.9]

    private static func youngTopics(truth: Truth, volume: Volume = .observed) -> [CoverageCell] {
        histories.flatMap { history in
            [12, 20, 40, 120].flatMap { posts in
                Sizes.allCases.flatMap { sizes in
                    [0, 0.05, 0.2, 0.5, 0.8].flatMap { correlation in
                        [5.0, 30].map {
                            CoverageCell(
                                posts: posts, engagements: $0, sizes: sizes, correlation: correlation, truth: truth,
                                history: history, volume: volume)
                        }
                    }
                }
            }
        }
    }
}
