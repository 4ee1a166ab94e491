import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct FairQueueTests {
    @Test func `holders are served in turn however many pieces one has`() {
        var queue = FairQueue<String>(capacity: 100)
        for number in 0..<50 { _ = queue.add("flood \(number)", ticket: UInt64(number), of: .address(.four(1))) }
        _ = queue.add("honest 0", ticket: 50, of: .address(.four(2)))
        _ = queue.add("honest 1", ticket: 51, of: .address(.four(2)))
        let served = (0..<5).compactMap { _ in queue.next()?.piece }
        #expect(served == ["flood 0", "honest 0", "flood 1", "honest 1", "flood 2"])
    }

    private func broken() { Issue.record("another admission") }

    @Test func `a full queue makes room for who has less`() {
        var queue = FairQueue<Int>(capacity: 4)
        for number in 0..<4 { _ = queue.add(number, ticket: UInt64(number), of: .user(1)) }
        guard case .refused = queue.add(4, ticket: 4, of: .user(1)) else { return broken() }
        guard case .replaced(3) = queue.add(5, ticket: 5, of: .user(2)) else { return broken() }
        guard case .replaced(2) = queue.add(6, ticket: 6, of: .user(3)) else { return broken() }
        // The holders have two, one and one. Only a fourth holder gains by another exchange.
        guard case .refused = queue.add(7, ticket: 7, of: .user(2)) else { return broken() }
        guard case .replaced(1) = queue.add(8, ticket: 8, of: .user(4)) else { return broken() }
        guard case .refused = queue.add(9, ticket: 9, of: .user(5)) else { return broken() }
        #expect((0..<4).compactMap { _ in queue.next()?.piece } == [0, 5, 6, 8])
        #expect(queue.next() == nil)
    }

    /// Compares with a plain list. Waiting pieces were queued and neither served, replaced nor removed; no holder is
    /// served twice while another waits; the pieces of one holder keep their order.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `random operations keep it fair`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var model = Model(capacity: Int.random(in: 1...30, using: &random))
        for ticket in 0..<3_000 as Range<UInt64> {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let floods = Bool.random(using: &random)
                model.add(ticket, .user(floods ? 0 : Int64.random(in: 1...8, using: &random)))
            case 5..<8: model.serve()
            default: model.remove(waiting: model.waiting.randomElement(using: &random))
            }
            #expect(model.queue.count == model.waiting.count)
        }
        while !model.waiting.isEmpty { model.serve() }
        #expect(model.queue.next() == nil)
    }

    private struct Model {
        let capacity: Int
        var queue: FairQueue<UInt64>
        var waiting: [(ticket: UInt64, holder: BudgetHolder)] = []
        /// For each waiting holder, those served since it arrived or was last served.
        var servedSince: [BudgetHolder: Set<BudgetHolder>] = [:]

        init(capacity: Int) {
            self.capacity = capacity
            queue = FairQueue(capacity: capacity)
        }

        private func count(_ holder: BudgetHolder) -> Int { waiting.count { $0.holder == holder } }

        mutating func add(_ ticket: UInt64, _ holder: BudgetHolder) {
            let before = count(holder)
            switch queue.add(ticket, ticket: ticket, of: holder) {
            case .queued: #expect(waiting.count < capacity)
            case .replaced(let victim):
                guard let index = waiting.firstIndex(where: { $0.ticket == victim }) else {
                    Issue.record("what was replaced did not wait")
                    return
                }
                let loser = waiting[index].holder
                #expect(waiting.last { $0.holder == loser }?.ticket == victim)
                #expect(count(loser) > before + 1)
                waiting.remove(at: index)
            case .refused:
                #expect(waiting.count == capacity)
                #expect(waiting.allSatisfy { count($0.holder) <= before + 1 })
                return
            }
            waiting.append((ticket, holder))
            if before == 0 { servedSince[holder] = [] }
        }

        mutating func serve() {
            guard let next = queue.next() else {
                #expect(waiting.isEmpty)
                return
            }
            let oldest = waiting.firstIndex { $0.holder == next.holder }
            guard let oldest else {
                Issue.record("nobody waited")
                return
            }
            #expect(waiting[oldest].ticket == next.piece)
            waiting.remove(at: oldest)
            for other in Set(waiting.map(\.holder)) where other != next.holder {
                let isFirst = servedSince[other, default: []].insert(next.holder).inserted
                #expect(isFirst)
            }
            servedSince[next.holder] = []
        }

        mutating func remove(waiting piece: (ticket: UInt64, holder: BudgetHolder)?) {
            guard let piece else { return }
            #expect(queue.remove(piece.ticket, of: piece.holder) == piece.ticket)
            #expect(queue.remove(piece.ticket, of: piece.holder) == nil)
            waiting.removeAll { $0.ticket == piece.ticket }
        }
    }
}
