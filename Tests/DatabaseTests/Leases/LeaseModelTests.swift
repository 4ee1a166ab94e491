import Database
import TestSupport
import Testing

@testable import SocialGraph

/// Random acquisitions, renewals, releases, take-overs, pauses, kills and clock jumps, on servers with a database
/// handle and clocks of their own. A model knows the last lease epoch. At any time, the writes of at most one owner
/// take effect.
@Suite(.timeLimit(.model))
struct LeaseModelTests {
    private static let terms = LeaseTerms(length: 6_000)

    /// A server: a database handle, its wall clock, and its lease.
    private final class Server {
        let fixture: GraphFixture
        let wall: AdjustableClock
        var lease: HeldLease?
        /// All leases that it has ever held, because a write in progress may come late.
        var former: [HeldLease] = []
        var isAlive = true

        var database: any GraphDatabase { fixture.database }

        /// Opens the database of another fixture.
        init(_ other: GraphFixture) throws {
            wall = AdjustableClock()
            fixture = try other.another(clock: wall)
        }
    }

    private struct Model {
        var last: Int64 = 0
        var owner: Int?
        var writes: [(server: Int, epoch: Int64)] = []
        /// If true, leases may end early or late.
        var haveClocksJumped = false
        var counts: [String: Int] = [:]

        mutating func note(_ event: String) { counts[event, default: 0] += 1 }
    }

    @Test(arguments: Engine.allCases, 1...12 as ClosedRange<UInt64>)
    func `one owner's writes take effect at a time`(engine: Engine, seed: UInt64) async throws {
        try await withGraph(on: engine) { shared in
            var generator = SplitMix64(seed: seed)
            let servers = try (0..<3).map { _ in try Server(shared) }
            let boot = AdjustableClock(0)
            var model = Model()
            for _ in 0..<400 {
                let index = Int.random(in: 0..<servers.count, using: &generator)
                switch Int.random(in: 0..<16, using: &generator) {
                case 0, 1, 2: try await take(servers, index, boot, &model)
                case 3, 4, 5: try await renew(servers, index, &model)
                case 6, 7, 8, 9: try await write(servers, index, &model, &generator)
                case 10:
                    guard let lease = servers[index].lease else { continue }
                    try await lease.release()
                    servers[index].former.append(lease)
                    servers[index].lease = nil
                    if lease.epoch == model.last { (model.last, model.owner) = (model.last + 1, nil) }
                case 11: servers[index].isAlive.toggle()
                case 12 where Int.random(in: 0..<8, using: &generator) == 0:
                    servers[index].wall.advance(by: Int64.random(in: -20_000...20_000, using: &generator))
                    model.haveClocksJumped = true
                default:
                    let step = Int64.random(in: 1...1_500, using: &generator)
                    boot.advance(by: step)
                    for server in servers { server.wall.advance(by: step) }
                }
                let holders = servers.filter { $0.lease?.isHeld == true }
                #expect(model.haveClocksJumped || holders.count <= 1, "two believe that they hold the lease")
            }
            check(model)
            for server in servers { try server.fixture.database.close() }
        }
    }

    /// Takes the lease if it has ended by the clock, or if its owner is known to be dead, like by a lock.
    private func take(_ servers: [Server], _ index: Int, _ boot: AdjustableClock, _ model: inout Model) async throws {
        let server = servers[index]
        guard server.isAlive, server.lease == nil else { return }
        let isDead = model.owner.map { !servers[$0].isAlive } ?? false
        if isDead, let owner = model.owner, let lease = servers[owner].lease {
            // After a kill, the server returns without a lease, and with a write in progress.
            servers[owner].former.append(lease)
            servers[owner].lease = nil
        }
        do {
            server.lease = try await LeaseStore(database: server.database).take(
                "work", from: isDead ? .isDead : .mayLive, terms: Self.terms, boot: { boot.now },
                pause: { throw CancellationError() })
            let epoch = server.lease?.epoch ?? 0
            #expect(epoch > model.last)
            model.note(isDead ? "freed" : model.owner == nil ? "taken" : "expired")
            (model.last, model.owner) = (epoch, index)
        } catch is CancellationError {
            #expect(model.owner != nil && !isDead, "nobody has it, and it is refused")
            model.note("refused")
        }
    }

    private func renew(_ servers: [Server], _ index: Int, _ model: inout Model) async throws {
        guard servers[index].isAlive, let lease = servers[index].lease else { return }
        let isOurs = lease.epoch == model.last
        do {
            try await lease.renew()
            #expect(isOurs && lease.isHeld)
            model.note("renewed")
        } catch is LeaseLost {
            #expect(!isOurs && !lease.isHeld)
            servers[index].former.append(lease)
            servers[index].lease = nil
            model.note("lost")
        }
    }

    /// Writes under the present lease or a former one, whether the owner believes in it or not.
    private func write(
        _ servers: [Server], _ index: Int, _ model: inout Model, _ generator: inout SplitMix64
    ) async throws {
        let server = servers[index]
        let leases = server.former.suffix(3) + [server.lease].compactMap(\.self)
        guard let lease = leases.randomElement(using: &generator) else { return }
        let number = Int64(model.writes.count)
        do {
            try await server.database.write { transaction in
                try SettingStore.Writer(transaction).store("\(number)", as: "written")
                try LeaseStore.Writer(transaction).require([LeaseStamp(name: "work", epoch: lease.epoch)])
            }
            model.writes.append((index, lease.epoch))
            #expect(model.owner == index && model.last == lease.epoch, "a write without the lease")
            model.note("written")
        } catch is LeaseLost {
            #expect(lease.epoch != model.last, "a write of the owner was refused")
            model.note("fenced")
        }
        let stored = try await SettingStore(database: server.database).number("written")
        #expect(stored == (model.writes.isEmpty ? nil : Int64(model.writes.count - 1)))
    }

    private func check(_ model: Model) {
        var owners: [Int64: Int] = [:]
        for (earlier, later) in zip(model.writes, model.writes.dropFirst()) {
            #expect(earlier.epoch <= later.epoch, "an earlier owner wrote after a later one")
        }
        for write in model.writes {
            #expect(owners.updateValue(write.server, forKey: write.epoch) ?? write.server == write.server)
        }
        for event in ["taken", "refused", "renewed", "written", "fenced"] {
            #expect(model.counts[event, default: 0] > 0, "nothing of this was tested: \(event)")
        }
        let succeeded = ["expired", "freed"].reduce(0) { $0 + model.counts[$1, default: 0] }
        #expect(succeeded > 0, "nobody took over from anybody")
    }
}
