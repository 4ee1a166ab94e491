/// What posts are ranked by.
package enum RankingName: Sendable, Hashable, CaseIterable {
    case trending(TrendingWindow)
    /// By the lower bound of their trend rating.
    case business(TrendWindow)

    package static let allCases: [RankingName] =
        TrendingWindow.allCases.map(RankingName.trending) + TrendWindow.allCases.map(RankingName.business)

    /// As it is stored.
    package var text: String {
        switch self {
        case .trending(let window): "trending:\(window.rawValue)"
        case .business(let window): "business:\(window.rawValue)"
        }
    }
}
