import DequeModule

/// A bounded queue that serves its holders in turn, one piece each, however many pieces a holder has waiting. A full
/// queue makes room for a holder with few pieces: it gives up the newest piece of the holder with most.
struct FairQueue<Piece: Sendable>: Sendable {
    /// The name of a waiting piece.
    typealias Ticket = UInt64

    enum Admission: Sendable {
        case queued
        /// Queued in place of another holder's piece, which is returned.
        case replaced(Piece)
        case refused
    }

    private struct Entry: Sendable {
        let ticket: Ticket
        let piece: Piece
    }

    private let capacity: Int
    private var lines: [BudgetHolder: Deque<Entry>] = [:]
    /// The holders with waiting pieces, each once; the first is served next.
    private var turns: Deque<BudgetHolder> = []
    private(set) var count = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Pieces of one holder.
    func count(of holder: BudgetHolder) -> Int { lines[holder]?.count ?? 0 }

    mutating func add(_ piece: Piece, ticket: Ticket, of holder: BudgetHolder) -> Admission {
        var replaced: Piece?
        if count >= capacity {
            // A holder that already has as many gains nothing at the others' expense.
            guard let longest = lines.max(by: { $0.value.count < $1.value.count }),
                longest.value.count > count(of: holder) + 1
            else { return .refused }
            replaced = lines[longest.key]?.popLast()?.piece
            count -= 1
        }
        if lines[holder, default: []].isEmpty { turns.append(holder) }
        lines[holder, default: []].append(Entry(ticket: ticket, piece: piece))
        count += 1
        return replaced.map(Admission.replaced) ?? .queued
    }

    /// Takes the oldest piece of the next holder in turn for which `mayRun` is true.
    mutating func next(where mayRun: (BudgetHolder) -> Bool = { _ in true }) -> (holder: BudgetHolder, piece: Piece)? {
        guard let index = turns.firstIndex(where: mayRun) else { return nil }
        let holder = turns.remove(at: index)
        guard let entry = lines[holder]?.popFirst() else { return nil }
        count -= 1
        if lines[holder]?.isEmpty == true { lines[holder] = nil } else { turns.append(holder) }
        return (holder, entry.piece)
    }

    /// Takes a piece out before its turn; nil if it no longer waits.
    mutating func remove(_ ticket: Ticket, of holder: BudgetHolder) -> Piece? {
        guard let index = lines[holder]?.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        let entry = lines[holder]?.remove(at: index)
        count -= 1
        if lines[holder]?.isEmpty == true {
            lines[holder] = nil
            turns.removeAll { $0 == holder }
        }
        return entry?.piece
    }
}
