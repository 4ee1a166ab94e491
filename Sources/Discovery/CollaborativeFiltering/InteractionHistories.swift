/// Each user's items, latest first, as flat arrays: 16 bytes an interaction.
struct InteractionHistories: Sendable {
    /// Item ids, ascending.
    let items: [Int64]
    /// Start of each user's history in ``entries``, and the end of the last history.
    let starts: [Int32]
    /// Indices into ``items``, user by user, latest first. No item occurs twice in a history.
    let entries: [Int32]
    let weights: [Float]
    /// Index of the history that holds each entry.
    let owners: [Int32]

    /// Keeps the latest `length` items of each user. Several interactions of one user with an item are merged into one:
    /// it has the latest time and the sum of the weights, at most `heaviest`.
    init(_ interactions: [Interaction], length: Int, heaviest: Float = 3) {
        let sorted = interactions.sorted {
            ($0.user, $1.time, $1.item) < ($1.user, $0.time, $0.item)
        }
        items = Self.ascending(sorted.map(\.item))
        var (starts, entries, weights, owners): ([Int32], [Int32], [Float], [Int32]) = ([], [], [], [])
        var places: [Int64: Int] = [:]
        var user: Int64?
        for interaction in sorted {
            if interaction.user != user {
                user = interaction.user
                starts.append(Int32(entries.count))
                places.removeAll(keepingCapacity: true)
            }
            if let place = places[interaction.item] {
                weights[place] = min(weights[place] + interaction.weight, heaviest)
            } else if places.count < length {
                places[interaction.item] = entries.count
                entries.append(Int32(Self.place(of: interaction.item, in: items) ?? 0))
                weights.append(min(interaction.weight, heaviest))
                owners.append(Int32(starts.count - 1))
            }
        }
        starts.append(Int32(entries.count))
        self.starts = starts
        self.entries = entries
        self.weights = weights
        self.owners = owners
    }

    /// Returns the index of `item` in an ascending array; nil if it is absent.
    static func place(of item: Int64, in items: [Int64]) -> Int? {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle] < item { low = middle + 1 } else { high = middle }
        }
        return low < items.count && items[low] == item ? low : nil
    }

    private static func ascending(_ ids: [Int64]) -> [Int64] {
        var result: [Int64] = []
        for id in ids.sorted() where id != result.last { result.append(id) }
        return result
    }
}
