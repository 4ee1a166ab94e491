import Glibc

/// The most similar items of each item, by ``NeighbourModel``: 8 bytes a neighbour.
package struct ItemNeighbours: Sendable {
    /// Number of a user's latest acts that count.
    package static let historyLength = 200

    package let model: NeighbourModel
    /// Item ids, ascending.
    private let items: [Int64]
    /// Start of each item's neighbours, and the end of the last item's.
    private let starts: [Int32]
    /// Indices into ``items``.
    private let neighbours: [Int32]
    private let similarities: [Float]

    /// A model without neighbours.
    package static let none = ItemNeighbours(
        model: .tuned, items: [], starts: [0], neighbours: [], similarities: [])

    private init(
        model: NeighbourModel, items: [Int64], starts: [Int32], neighbours: [Int32], similarities: [Float]
    ) {
        self.model = model
        self.items = items
        self.starts = starts
        self.neighbours = neighbours
        self.similarities = similarities
    }

    package var itemCount: Int { items.count }
    package var neighbourCount: Int { neighbours.count }

    /// An item of a history and the strength of the user's interest in it.
    package typealias Liked = (item: Int64, weight: Double)

    /// The support of a history for one item, with the largest contributor.
    package struct Support: Sendable, Equatable {
        package var score: Double
        /// The item of the history that contributed most to the score.
        package var reason: Int64
        package var share: Double
    }

    /// Returns the support of a history, latest first, for every item that it supports. Items of the history may be
    /// among them.
    package func support(of history: [Liked]) -> [Int64: Support] {
        var found: [Int64: Support] = [:]
        for (rank, liked) in history.enumerated() {
            guard let place = InteractionHistories.place(of: liked.item, in: items) else { continue }
            let weight = liked.weight * model.recency(of: rank + 1)
            for index in Int(starts[place])..<Int(starts[place + 1]) {
                let share = weight * Double(similarities[index])
                let neighbour = items[Int(neighbours[index])]
                found[neighbour, default: Support(score: 0, reason: liked.item, share: 0)].add(share, by: liked.item)
            }
        }
        return found
    }
}

extension ItemNeighbours.Support {
    fileprivate mutating func add(_ share: Double, by item: Int64) {
        score += share
        if share > self.share { (self.share, reason) = (share, item) }
    }
}

// MARK: Building

extension ItemNeighbours {
    /// Takes time proportional to the number of interactions times the window, and one row of all items as extra
    /// memory. The same interactions give the same neighbours in any order.
    package init(_ interactions: [Interaction], model: NeighbourModel = .tuned) {
        let histories = InteractionHistories(interactions, length: Self.historyLength)
        var builder = Builder(histories: histories, model: model)
        var rows = histories.items.indices.map { builder.neighbours(of: $0) }
        if model.cutsCandidates { rows = Self.transposed(rows) }
        var starts: [Int32] = [0]
        for row in rows { starts.append(starts[starts.count - 1] + Int32(row.count)) }
        self.init(
            model: model, items: histories.items, starts: starts, neighbours: rows.flatMap { $0.map(\.item) },
            similarities: rows.flatMap { $0.map(\.similarity) })
    }

    private static func transposed(_ rows: [[Neighbour]]) -> [[Neighbour]] {
        var columns: [[Neighbour]] = Array(repeating: [], count: rows.count)
        for (item, row) in rows.enumerated() {
            for neighbour in row {
                columns[Int(neighbour.item)].append(Neighbour(item: Int32(item), similarity: neighbour.similarity))
            }
        }
        return columns
    }
}

private struct Neighbour {
    let item: Int32
    let similarity: Float

    /// Orders neighbours by descending similarity; ties go to the newer item, the one with the larger id.
    static func precedes(_ a: Neighbour, _ b: Neighbour) -> Bool {
        (a.similarity, a.item) > (b.similarity, b.item)
    }
}

private struct Builder {
    let histories: InteractionHistories
    let model: NeighbourModel
    /// Start of each item's entries in ``entriesByItem``.
    private let starts: [Int32]
    private let entriesByItem: [Int32]
    /// √n of each item.
    private let lengths: [Float]
    /// d^-closeness for each distance; the last value applies to all larger distances.
    private let closeness: [Float]
    /// The row under construction; 0 except at the items in `touched`.
    private var row: [Float]
    private var touched: [Int32] = []

    init(histories: InteractionHistories, model: NeighbourModel) {
        self.histories = histories
        self.model = model
        var counts = [Int32](repeating: 0, count: histories.items.count + 1)
        var sums = [Float](repeating: 0, count: histories.items.count)
        for (item, weight) in zip(histories.entries, histories.weights) {
            counts[Int(item) + 1] += 1
            sums[Int(item)] += weight
        }
        for index in histories.items.indices { counts[index + 1] += counts[index] }
        starts = counts
        var entries = [Int32](repeating: 0, count: histories.entries.count)
        for (entry, item) in histories.entries.enumerated() {
            entries[Int(counts[Int(item)])] = Int32(entry)
            counts[Int(item)] += 1
        }
        entriesByItem = entries
        lengths = sums.map { $0.squareRoot() }
        let steps = model.closeness == 0 ? 1 : min(model.window, ItemNeighbours.historyLength)
        closeness = (1...steps).map { Float(pow(Double($0), -model.closeness)) }
        row = [Float](repeating: 0, count: histories.items.count)
    }

    /// Returns the neighbours of `item`, nearest first.
    mutating func neighbours(of item: Int) -> [Neighbour] {
        for index in Int(starts[item])..<Int(starts[item + 1]) { add(Int(entriesByItem[index])) }
        var found: [Neighbour] = []
        found.reserveCapacity(touched.count)
        for other in touched {
            let cosine = row[Int(other)] / (lengths[item] * lengths[Int(other)] + model.shrinkage)
            found.append(Neighbour(item: other, similarity: cosine))
            row[Int(other)] = 0
        }
        touched.removeAll(keepingCapacity: true)
        return found.best(model.neighbours, by: Neighbour.precedes)
    }

    /// Adds the items near `entry` in its history to the row.
    private mutating func add(_ entry: Int) {
        let owner = Int(histories.owners[entry])
        let (first, end) = (Int(histories.starts[owner]), Int(histories.starts[owner + 1]))
        let weight = histories.weights[entry]
        let reach = min(model.window, histories.entries.count)
        // Histories are latest first: entries before `entry` are later.
        for other in max(first, entry - reach)..<min(end, entry + reach + 1) where other != entry {
            let step = min(abs(other - entry), closeness.count) - 1
            let direction = other > entry ? model.backward : 1
            let place = histories.entries[other]
            if row[Int(place)] == 0 { touched.append(place) }
            row[Int(place)] += weight * histories.weights[other] * closeness[step] * direction
        }
    }
}
