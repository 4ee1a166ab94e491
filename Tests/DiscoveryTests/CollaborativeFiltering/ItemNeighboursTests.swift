import Glibc
import TestSupport
import Testing

@testable import Discovery

/// Neighbours compared with the formula of ``NeighbourModel``, calculated item by item in dictionaries.
@Suite(.timeLimit(.unit))
struct ItemNeighboursTests {
    private static func interactions(seed: UInt64) -> [Interaction] {
        var random = SplitMix64(seed: seed)
        let users = Int64.random(in: 1...20, using: &random)
        let items = Int64.random(in: 2...30, using: &random)
        return (0..<Int.random(in: 0...300, using: &random)).map { _ in
            Interaction(
                user: .random(in: 1...users, using: &random), item: .random(in: 1...items, using: &random) * 1_000_003,
                weight: Float(Int.random(in: 1...8, using: &random)) / 4, time: .random(in: 1...60, using: &random))
        }
    }

    private static func model(seed: UInt64) -> NeighbourModel {
        var random = SplitMix64(seed: seed &+ 77)
        if seed.isMultiple(of: 4) { return .cosine(neighbours: .max / 4) }
        return NeighbourModel(
            window: .random(in: 1...9, using: &random), closeness: Double.random(in: 0.1...2, using: &random),
            backward: .random(in: 0...1, using: &random), shrinkage: .random(in: 0...9, using: &random),
            neighbours: 1_000, recency: .random(in: 0...2, using: &random))
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `what a history speaks for is what the formula says`(seed: UInt64) {
        let (interactions, model) = (Self.interactions(seed: seed), Self.model(seed: seed))
        let plain = PlainNeighbours(interactions, model)
        let neighbours = ItemNeighbours(interactions, model: model)
        for history in plain.histories.values {
            let liked = history.map { (item: $0.item, weight: Double($0.weight)) }
            let (found, expected) = (neighbours.support(of: liked), plain.scores(of: liked))
            #expect(Set(found.keys) == Set(expected.keys))
            for (item, score) in expected {
                let support = found[item]?.score ?? 0
                #expect(abs(support - score) <= 1e-4 * max(score, 1), "item \(item)")
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `the order of the interactions makes no difference`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let interactions = Self.interactions(seed: seed)
        let first = ItemNeighbours(interactions)
        for _ in 0..<3 {
            let again = ItemNeighbours(interactions.shuffled(using: &random))
            for item in Set(interactions.map(\.item)) {
                #expect(again.support(of: [(item, 1)]) == first.support(of: [(item, 1)]))
            }
        }
    }

    @Test
    func `of each item no more neighbours are kept than the model says, the most similar`() {
        var interactions: [Interaction] = []
        for step in 0..<400 as Range<Int64> {
            interactions.append(Interaction(user: step % 20, item: step * 7 % 50, weight: 1, time: step))
        }
        var model = NeighbourModel.tuned
        model.neighbours = 50
        let all = ItemNeighbours(interactions, model: model)
        model.neighbours = 5
        let few = ItemNeighbours(interactions, model: model)
        for item in 0..<50 as Range<Int64> {
            let (whole, cut) = (all.support(of: [(item, 1)]), few.support(of: [(item, 1)]))
            #expect(cut.count == min(5, whole.count))
            let least = cut.values.reduce(Double.infinity) { min($0, $1.score) }
            for (other, support) in whole where cut[other] == nil { #expect(support.score <= least) }
        }
        #expect(few.neighbourCount <= 5 * few.itemCount)
    }

    @Test
    func `a later post of a history is the reason before an earlier one, a liked one before another`() {
        // Items 1 and 2 are both neighbours of 3.
        let interactions = (1...9 as ClosedRange<Int64>).flatMap { user in
            [1, 2, 3].map { Interaction(user: user, item: $0, weight: 1, time: user % 2 == 0 ? $0 : 4 - $0) }
        }
        let neighbours = ItemNeighbours(interactions)
        #expect(neighbours.support(of: [(1, 1), (2, 1)])[3]?.reason == 1)
        #expect(neighbours.support(of: [(2, 1), (1, 1)])[3]?.reason == 2)
        #expect(neighbours.support(of: [(2, 0.1), (1, 3)])[3]?.reason == 1)
        #expect(neighbours.support(of: [(7, 1)]).isEmpty && ItemNeighbours.none.support(of: [(1, 1)]).isEmpty)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the best are the first of the sorted`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = (0..<Int.random(in: 0...500, using: &random)).map { _ in Int.random(in: 0...60, using: &random) }
        for count in [1, 2, 10, 100, 1_000] {
            #expect(values.best(count, by: >) == Array(values.sorted(by: >).prefix(count)))
        }
    }

    @Test
    func `only the latest of a long history counts`() {
        let length = Int64(ItemNeighbours.historyLength)
        let interactions = (1...length + 5).map { Interaction(user: 1, item: $0, weight: 1, time: $0) }
        let histories = InteractionHistories(interactions, length: Int(length))
        #expect(histories.entries.map { histories.items[Int($0)] } == (6...length + 5).reversed())
        #expect(histories.starts == [0, Int32(length)])
    }
}

private struct PlainNeighbours {
    typealias Entry = (item: Int64, weight: Float)

    /// The history of each user, latest first.
    var histories: [Int64: [Entry]] = [:]
    private let model: NeighbourModel
    private var similarities: [Int64: [Int64: Double]] = [:]

    init(_ interactions: [Interaction], _ model: NeighbourModel) {
        self.model = model
        for (user, own) in Dictionary(grouping: interactions, by: \.user) {
            let byItem = Dictionary(grouping: own, by: \.item)
            let latest = byItem.map { item, acts in
                (item: item, weight: min(acts.reduce(0) { $0 + $1.weight }, 3), time: acts.map(\.time).max() ?? 0)
            }
            histories[user] = latest.sorted { ($0.time, $0.item) > ($1.time, $1.item) }.map { ($0.item, $0.weight) }
        }
        var sums: [Int64: Double] = [:]
        for entry in histories.values.joined() { sums[entry.item, default: 0] += Double(entry.weight) }
        for history in histories.values {
            for (i, one) in history.enumerated() {
                for (j, other) in history.enumerated() where i != j && abs(i - j) <= model.window {
                    // The array is in descending order of time.
                    let direction = j > i ? Double(model.backward) : 1
                    let near = pow(Double(abs(i - j)), -model.closeness) * direction
                    similarities[one.item, default: [:]][other.item, default: 0] +=
                        Double(one.weight * other.weight) * near
                }
            }
        }
        for (one, row) in similarities {
            for (other, sum) in row {
                let length = ((sums[one] ?? 0) * (sums[other] ?? 0)).squareRoot()
                similarities[one]?[other] = sum / (length + Double(model.shrinkage))
            }
        }
    }

    func scores(of history: [ItemNeighbours.Liked]) -> [Int64: Double] {
        var scores: [Int64: Double] = [:]
        for (rank, liked) in history.enumerated() {
            for (other, similarity) in similarities[liked.item] ?? [:] {
                scores[other, default: 0] += liked.weight * similarity * pow(Double(rank + 1), -model.recency)
            }
        }
        return scores
    }
}
