import RedisClient
import SocialGraph

/// The parts of a batch that go to one master, in one pipeline: one hand-over between threads and one question for the
/// history, instead of one for each of its buckets.
private struct MasterPipeline: Sendable {
    let session: RedisHandshake
    var parts: [(shard: WindowShard, push: WindowWriter.ComposedPush)] = []

    /// Returns the number of entries offered to windows. A part that was not executed as a whole is pushed by itself,
    /// which repeats it: pushes are idempotent.
    func run() async throws -> Int {
        let replies = await send()
        return try await withThrowingTaskGroup(of: Int.self) { group in
            var start = 0
            for (shard, push) in parts {
                let own = replies.dropFirst(start).prefix(push.calls.count).compactMap(\.self)
                start += push.calls.count
                group.addTask {
                    own.count == push.calls.count
                        ? try await shard.writer.finish(push, Array(own)) : try await shard.writer.push(push.batch)
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// The reply to each call; nil where it was refused, and nothing at all if the connection broke.
    private func send() async -> [WindowWriter.PushReply?] {
        let commands = parts.flatMap { $0.push.calls.map(\.command) }
        let replies = try? await session.send(commands) { replies in
            (0..<replies.count).map { try? WindowWriter.PushReply(replies[$0]) }
        }
        return replies ?? []
    }
}

extension WindowShards {
    /// Pushes parts of a batch to their buckets, to all masters at the same time.
    func push(_ parts: [(shard: WindowShard, batch: PushBatch)], by keeper: BucketKeeper) async throws -> Int {
        var pipelines: [ObjectIdentifier: MasterPipeline] = [:]
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for (shard, batch) in parts {
                // The place first: what is composed afterwards is for it, or is refused there.
                guard let place = keeper.homes[shard.number.index].place, let push = shard.writer.compose(batch) else {
                    group.addTask { try await shard.writer.push(batch) }
                    continue
                }
                pipelines[place.session.id, default: MasterPipeline(session: place.session)].parts.append((shard, push))
            }
            for pipeline in pipelines.values { group.addTask { try await pipeline.run() } }
            return try await group.reduce(0, +)
        }
    }
}
