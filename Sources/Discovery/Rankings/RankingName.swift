/// The criterion of a ranking.
package enum RankingName: Sendable, Hashable, CaseIterable {
    case trending(TrendingWindow)
    /// Lower bound of the trend rating.
    case business(TrendWindow)

    package static let allCases: [RankingName] =
        TrendingWindow.allCases.map(RankingName.trending) + TrendWindow.allCases.map(RankingName.business)

    /// Stored name.
    package var text: String {
        switch self {
        case .trending(let window): "trending:\(window.rawValue)"
        case .business(let window): "business:\(window.rawValue)"
        }
    }
}
