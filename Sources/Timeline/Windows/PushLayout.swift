import RedisClient
import SocialGraph

/// The groups of entries for each window of a call, and those groups, numbered in the order of their first use.
struct PushLayout {
    private var bytes: [UInt8] = []
    private var groups: [[FeedEntry]] = []
    private var places: [Int: Int] = [:]

    var groupCount: Int { groups.count }

    mutating func add(_ portion: PushBatch.Portion, of batch: PushBatch) {
        bytes.append(UInt8(portion.targets.count))
        for target in batch.targets[portion.targets] {
            let place = place(of: target.group, of: batch)
            bytes.append(UInt8(place >> 8))
            bytes.append(UInt8(place & 0xFF))
        }
    }

    private mutating func place(of group: Int, of batch: PushBatch) -> Int {
        let number = batch.numbers[group]
        if let place = places[number] { return place }
        groups.append(batch.groups[group])
        places[number] = groups.count
        return groups.count
    }

    /// The number of arguments that ``append(to:isNeeded:)`` adds.
    var argumentCount: Int { 1 + groups.count * 2 }

    /// - Parameter isNeeded: false if every window gets the only group.
    func append(to command: inout RedisCommand, isNeeded: Bool = true) {
        command.append(isNeeded ? bytes : [])
        for group in groups {
            command.append(WindowTail.words(of: group))
            command.append(integer: Int64(group.count))
        }
    }
}
