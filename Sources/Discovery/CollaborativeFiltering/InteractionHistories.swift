/// What each user has had to do with, the latest first, as flat arrays: 16 bytes an interaction.
struct InteractionHistories: Sendable {
    /// Ascending.
    let items: [Int64]
    /// Of each user, where the history begins; one more for the end of the last.
    let starts: [Int32]
    /// Places in ``items``, user by user, the latest first, no item twice in a history.
    let entries: [Int32]
    let weights: [Float]
    /// Of each entry, the history that it is in.
    let owners: [Int32]

    /// Of each user the latest `length` items are kept. Several interactions of one user with an item are one, at the
    /// latest time, of the sum of their weights, at most `heaviest`.
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

    /// Where `item` stands in an ascending array.
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
