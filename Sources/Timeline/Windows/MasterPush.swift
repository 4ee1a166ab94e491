import RedisClient
import SocialGraph

/// The parts of a batch that go to one master: calls that each name windows of several buckets, in one pipeline. So one
/// call, one hand-over between threads and one question for the history serve many buckets.
struct MasterPush: Sendable {
    /// The push to the windows of one bucket.
    struct Part: Sendable {
        let writer: WindowWriter
        let epoch: WindowSpace.Epoch
        let batch: PushBatch
    }

    struct Call: Sendable {
        let command: RedisCommand
        let parts: Range<Int>
        /// The parts and readers of the windows, in the order of the call; nil for building windows. The tail of one
        /// becomes that of a ready window, which is folded after a later push.
        let owners: [(part: Int, viewer: UserID)?]

        func owners(of windows: [Int]) -> [(part: Int, viewer: UserID)] {
            windows.compactMap { owners.indices.contains($0) ? owners[$0] : nil }
        }
    }

    /// The windows of one bucket in a call.
    private struct Segment {
        let part: Int
        let portions: [PushBatch.Portion]
        let copies: [(build: WindowBuild, portion: PushBatch.Portion)]

        var entries: Int { portions.reduce(0) { $0 + $1.entries } }
    }

    let session: RedisHandshake
    private(set) var parts: [Part] = []

    init(session: RedisHandshake) { self.session = session }

    mutating func add(_ part: Part) { parts.append(part) }

    /// Returns the number of entries offered to windows. A part of which not every call was executed is pushed by
    /// itself, which repeats it: pushes are idempotent.
    func run() async throws -> Int {
        let calls = calls()
        let replies = await send(calls.map(\.command))
        let failed = Set(calls.indices.filter { replies[$0] == nil }.flatMap { calls[$0].parts })
        var offered = 0
        var full = parts.map { _ in (soon: [UserID](), now: [UserID]()) }
        for case (let call, let reply?) in zip(calls, replies) where call.parts.allSatisfy({ !failed.contains($0) }) {
            offered += reply.offered
            for (part, viewer) in call.owners(of: reply.full) { full[part].soon.append(viewer) }
            for (part, viewer) in call.owners(of: reply.overdue) { full[part].now.append(viewer) }
        }
        return try await withThrowingTaskGroup(of: Int.self) { [offered, full] group in
            for (index, part) in parts.enumerated() {
                let (soon, now) = full[index]
                if failed.contains(index) {
                    group.addTask { try await part.writer.push(part.batch) }
                } else if soon.isEmpty, now.isEmpty {
                    part.writer.finish(part.batch)
                } else {
                    // Folds that cannot wait are made at the same time for all buckets.
                    group.addTask {
                        try await part.writer.fold(full: soon, overdue: now)
                        part.writer.finish(part.batch)
                        return 0
                    }
                }
            }
            return try await group.reduce(offered, +)
        }
    }

    /// The reply to each call; nil where it was refused, and everywhere if the connection broke.
    private func send(_ commands: [RedisCommand]) async -> [WindowWriter.PushReply?] {
        let replies = try? await session.send(commands) { replies in
            (0..<replies.count).map { try? WindowWriter.PushReply(replies[$0]) }
        }
        return replies ?? commands.map { _ in nil }
    }
}

// MARK: Composing

extension MasterPush {
    /// A part is in one call, together with others, unless it takes several by itself.
    func calls() -> [Call] {
        guard let windows = parts.first?.writer.windowsPerPush else { return [] }
        var calls: [Call] = []
        var open: [Segment] = []
        var (free, entries) = (windows, 0)
        func close() {
            if !open.isEmpty { calls.append(call(open)) }
            (open, free, entries) = ([], windows, 0)
        }
        for (index, part) in parts.enumerated() {
            var start = 0
            while start < part.batch.targets.count {
                let (portions, next) = part.batch.portions(from: start, windows: windows)
                let isWhole = start == 0 && next == part.batch.targets.count
                let segment = segment(portions, of: index)
                if !isWhole || portions.count > free || entries + segment.entries > PushBatch.entriesPerCall { close() }
                open.append(segment)
                free -= portions.count
                entries += segment.entries
                if !isWhole { close() }
                start = next
            }
        }
        close()
        return calls
    }

    private func segment(_ portions: [PushBatch.Portion], of part: Int) -> Segment {
        Segment(
            part: part, portions: portions, copies: parts[part].writer.copies(of: portions, for: portions.map(\.viewer))
        )
    }

    private func call(_ segments: [Segment]) -> Call {
        let (first, last) = (segments[0].part, segments[segments.count - 1].part)
        var layout = PushLayout()
        for segment in segments {
            for portion in segment.portions + segment.copies.map(\.portion) {
                layout.add(portion, of: parts[segment.part].batch)
            }
        }
        let windows = segments.reduce(0) { $0 + $1.portions.count + $1.copies.count }
        var command = parts[first].writer.script(
            parts[first].epoch.scripts.pushBuckets, keys: 1,
            arguments: 1 + layout.argumentCount + segments.count * 4 + windows)
        parts[first].epoch.keys.appendState(to: &command)
        command.append(integer: Int64(layout.groupCount))
        layout.append(to: &command, isNeeded: layout.groupCount > 1)
        for segment in segments { append(segment, to: &command) }
        let owners = segments.flatMap { segment in
            segment.portions.map { Optional((segment.part, $0.viewer)) } + segment.copies.map { _ in nil }
        }
        return Call(command: command, parts: first..<last + 1, owners: owners)
    }

    private func append(_ segment: Segment, to command: inout RedisCommand) {
        let (writer, epoch) = (parts[segment.part].writer, parts[segment.part].epoch)
        epoch.keys.appendState(to: &command)
        command.append(epoch.fence)
        command.append(integer: Int64(epoch.keys.bucket.map(writer.depth.fullTail) ?? writer.depth.tailBytes))
        command.append(integer: Int64(segment.portions.count + segment.copies.count))
        for portion in segment.portions { epoch.keys.appendTail(of: portion.viewer, to: &command) }
        for copy in segment.copies { epoch.keys.append(copy.build, to: &command) }
    }
}

extension WindowShards {
    /// Pushes the parts of a batch to their buckets, to all masters at the same time.
    func push(_ batch: ShardedBatch, by keeper: BucketKeeper) async throws -> Int {
        var pushes: [ObjectIdentifier: MasterPush] = [:]
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, part) in batch.parts {
                let writer = all[index].writer
                // The place first: what is composed afterwards is for it, or is refused there.
                guard let place = keeper.homes[index].place, let epoch = writer.epoch else {
                    group.addTask { try await writer.push(part) }
                    continue
                }
                pushes[place.session.id, default: MasterPush(session: place.session)]
                    .add(MasterPush.Part(writer: writer, epoch: epoch, batch: part))
            }
            for push in pushes.values { group.addTask { try await push.run() } }
            return try await group.reduce(0, +)
        }
    }
}
