import Glibc

/// The similarity of items and the weight of a history's items.
///
/// The similarity of items i and j is a shrunk cosine (Sarwar, Karypis, Konstan & Riedl, WWW 2001; shrinkage after
/// Koren, KDD 2008). It is taken over weighted co-occurrences: the closer two items stand in a user's history, the more
/// they count, as in the sequential rules of Ludewig & Jannach ("Evaluation of Session-based Recommendation
/// Algorithms", UMUAI 2018):
///
///     s(i, j) = Σ over users  w(i) w(j) · d^-closeness · (1 or `backward`)  /  (√(n(i) n(j)) + shrinkage)
///
/// Here d is the number of steps between the two, at most `window`; w is the strength of the user's interest in each;
/// n(i) is the sum of w(i) over all users; `backward` applies to a j that came before i. The `neighbours` most similar
/// items of each item are kept. A history recommends by the sum of its items' similarities, the r-th latest weighted by
/// r^-recency.
package struct NeighbourModel: Sendable, Equatable {
    package var window: Int
    package var closeness: Double
    package var backward: Float
    package var shrinkage: Float
    package var neighbours: Int
    package var recency: Double
    /// Side on which lists of neighbours are cut: true for the items that may be recommended, false for the items of a
    /// history.
    package var cutsCandidates = false

    /// The model of the server: the best that `evaluations recommendations` finds on the ratings of MovieLens.
    package static let tuned = NeighbourModel(
        window: 32, closeness: 0.5, backward: 0.6, shrinkage: 20, neighbours: 64, recency: 1.25)

    /// Plain item-kNN: the cosine of whole histories, with equal weight for every item of a history.
    package static func cosine(neighbours: Int) -> NeighbourModel {
        NeighbourModel(
            window: .max, closeness: 0, backward: 1, shrinkage: 0, neighbours: neighbours, recency: 0,
            cutsCandidates: true)
    }

    /// Returns the weight of the `rank`-th latest item of a history; the latest has rank 1.
    func recency(of rank: Int) -> Double { recency == 0 ? 1 : pow(Double(rank), -recency) }
}

extension NeighbourModel {
    /// Plain item-kNN with each number of neighbours to try.
    package static let cosineGrid = [true, false].flatMap { cut in
        [5, 10, 20, 50, 100, 200].map { count in
            var model = NeighbourModel.cosine(neighbours: count)
            model.cutsCandidates = cut
            return model
        }
    }

    /// Models to try in the search for ``tuned``.
    package static let tuningGrid: [NeighbourModel] = {
        var models: [NeighbourModel] = []
        for closeness in [0.25, 0.5, 0.75, 1] {
            for backward in [0.3, 0.6, 1] as [Float] {
                for shrinkage in [10, 20, 40] as [Float] {
                    for recency in [0.75, 1, 1.25, 1.5, 2] {
                        var model = tuned
                        (model.closeness, model.backward) = (closeness, backward)
                        (model.shrinkage, model.recency) = (shrinkage, recency)
                        models.append(model)
                    }
                }
            }
        }
        return models
    }()

    package var summary: String {
        "window \(window), closeness \(closeness), backward \(backward), shrinkage \(shrinkage), neighbours "
            + "\(neighbours), recency \(recency)"
    }
}
