import RedisClient
import SocialGraph

extension WindowWriter {
    /// Adds the entries of `batch` to the windows that exist, building ones included. Returns the number of entries
    /// offered to windows.
    @discardableResult
    func push(_ batch: PushBatch) async throws -> Int {
        if batch.isScattered {
            return try await perform { epoch in
                zip(batch.groups, batch.viewers).flatMap { pushes($0, to: $1, epoch) }
            }
        }
        return try await perform { epoch in
            var commands: [RedisCommand] = []
            var start = 0
            while start < batch.targets.count {
                let (portions, next) = batch.portions(from: start, windows: windowsPerPush)
                commands.append(call(epoch, batch, portions))
                start = next
            }
            return commands
        }
    }

    private func call(
        _ epoch: WindowSpace.Epoch, _ batch: PushBatch, _ portions: [PushBatch.Portion]
    ) -> RedisCommand {
        let building = builds.builds(of: portions.map(\.viewer))
        let copies = building.flatMap { build in
            portions.filter { $0.viewer == build.viewer }.map { (build, $0) }
        }
        var layout = PushLayout(batch)
        for portion in portions { layout.add(portion) }
        for (_, portion) in copies { layout.add(portion) }
        let keys = 1 + portions.count + copies.count
        var command = script(epoch.scripts.pushEach, keys: keys, arguments: layout.argumentCount + 3)
        epoch.keys.appendState(to: &command)
        for portion in portions { epoch.keys.appendWindow(of: portion.viewer, to: &command) }
        for (build, _) in copies { epoch.keys.append(build, to: &command) }
        command.append(epoch.fence)
        command.append(integer: Int64(depth.cap))
        command.append(integer: Int64(depth.limit))
        layout.append(to: &command)
        return command
    }
}

/// The groups of entries for each key of a call, and those groups, numbered in the order of their first use.
private struct PushLayout {
    private let batch: PushBatch
    private var bytes: [UInt8] = []
    private var groups: [Int] = []
    private var numbers: [Int: Int] = [:]
    private var entries = 0

    init(_ batch: PushBatch) { self.batch = batch }

    var argumentCount: Int { 2 + groups.count + entries * 2 }

    mutating func add(_ portion: PushBatch.Portion) {
        bytes.append(UInt8(portion.targets.count))
        for target in batch.targets[portion.targets] {
            let number = number(of: target.group)
            bytes.append(UInt8(number >> 8))
            bytes.append(UInt8(number & 0xFF))
        }
    }

    private mutating func number(of group: Int) -> Int {
        if let number = numbers[group] { return number }
        groups.append(group)
        entries += batch.groups[group].count
        numbers[group] = groups.count
        return groups.count
    }

    func append(to command: inout RedisCommand) {
        command.append(bytes)
        command.append(integer: Int64(groups.count))
        for group in groups { command.append(integer: Int64(batch.groups[group].count)) }
        for group in groups {
            for entry in batch.groups[group] { command.append(entry) }
        }
    }
}
