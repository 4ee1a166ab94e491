import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Rows that one statement inserts for several requests.
@Suite(.timeLimit(.process))
struct GatheredRowsTests {
    private static let people = RowInsertion(
        into: "person", ["id": .integer, "name": .text, "height": .real, "picture": .blob, "age": .integer])
    private static let friends = RowInsertion(into: "friend", ["person_id": .integer, "other_id": .integer])

    private static let growth = "UPDATE person SET age = age + ?2 WHERE id = ?1"

    private static func person(_ id: Int64) -> [SQLValue] {
        [
            .integer(id), .text("person \(id)"), id % 2 == 0 ? .null : .real(1.5), id % 3 == 0 ? .null : .blob([1]),
            id % 5 == 0 ? .null : .integer(7),
        ]
    }

    @Test(.timeLimit(.unit))
    func `rows of several requests are inserted by one statement`() {
        var gathered = GatheredRows()
        var added: [Bool] = []
        for request in 0..<6 as Range<Int64> {
            gathered.startRequest()
            added.append(gathered.add(Self.person(2 * request), to: Self.people))
            added.append(gathered.add(Self.person(2 * request + 1), to: Self.people))
            added.append(gathered.add([.integer(2 * request), .integer(2 * request + 1)], to: Self.friends))
        }
        #expect(added.allSatisfy(\.self) && gathered.requests == 6)
        let commands = gathered.take()
        #expect(
            commands.map(\.sql) == [
                Self.people.statements[3], Self.people.statements[2], Self.friends.statements[2],
                Self.friends.statements[1],
            ])
        #expect(commands.allSatisfy { $0.types.count == $0.arguments.count })
        let rest = gathered.take()
        #expect(gathered.isEmpty && rest.isEmpty)
    }

    @Test(.timeLimit(.unit))
    func `equal statements add the sum of their amounts, once`() {
        var gathered = GatheredRows()
        for request in 0..<10 as Range<Int64> {
            gathered.startRequest()
            gathered.add(request, by: Self.growth, [.integer(request % 2)])
        }
        #expect(!gathered.isEmpty)
        let commands = gathered.take()
        #expect(commands.map(\.arguments) == [[.integer(0), .integer(20)], [.integer(1), .integer(25)]])
        #expect(gathered.isEmpty)
    }

    @Test(.timeLimit(.unit))
    func `a row does not overtake an earlier row of its request`() {
        var gathered = GatheredRows()
        gathered.startRequest()
        var added = [gathered.add([.integer(1), .integer(2)], to: Self.friends)]
        gathered.startRequest()
        added.append(gathered.add(Self.person(3), to: Self.people))
        added.append(gathered.add([.integer(3), .integer(1)], to: Self.friends))
        gathered.startRequest()
        added.append(gathered.add([.integer(4), .integer(1)], to: Self.friends))
        #expect(added == [true, true, false, true])
    }

    @Test
    func `a random group leaves the same rows as its requests one after the other`() async throws {
        var generator = SplitMix64(seed: 7)
        try await withPostgreSQL { fixture in
            try await fixture.database.write { try $0.insert(Self.people, Self.person(0)) }
            var (expected, friends): (Set<Int64>, Set<Int64>) = ([0], [])
            try await fixture.database.write { try $0.execute("UPDATE person SET age = 0 WHERE id = 0", []) }
            var growth: Int64 = 0
            for round in 0..<20 as Range<Int64> {
                let failing = round % 4 == 0 ? Int64.random(in: 0..<20, using: &generator) : nil
                let shapes = (0..<20).map { _ in Int.random(in: 0..<6, using: &generator) }
                let results = try await fixture.database.inOneGroup(
                    (0..<20 as Range<Int64>).map { number in
                        let id = 1 + round * 20 + number
                        return { @Sendable in
                            try await fixture.database.write { transaction in
                                try Self.write(id, shape: shapes[Int(number)], transaction)
                                if number == failing { try transaction.insert(Self.people, Self.person(0)) }
                            }
                        }
                    })
                for number in 0..<20 as Range<Int64> {
                    #expect((results[Int(number)].error != nil) == (number == failing))
                    if number == failing { continue }
                    let id = 1 + round * 20 + number
                    expected.insert(id)
                    if shapes[Int(number)] != 0 { friends.insert(id) }
                    if shapes[Int(number)] == 3 { growth += 2 }
                }
            }
            #expect(try await fixture.people() == expected.sorted())
            let stored = try await fixture.database.read { reader in
                try reader.rows("SELECT person_id FROM friend WHERE other_id = 0 ORDER BY person_id", []) {
                    $0.integer(0)
                }
            }
            #expect(stored == friends.sorted())
            let nulls = try await fixture.database.read { reader in
                try reader.rows("SELECT id FROM person WHERE age IS NULL ORDER BY id", []) { $0.integer(0) }
            }
            #expect(nulls == expected.filter { $0 % 5 == 0 && $0 > 0 }.sorted())
            let age = try await fixture.database.read { reader in
                try reader.first("SELECT age FROM person WHERE id = 0", []) { $0.integer(0) }
            }
            #expect(age == growth)
        }
    }

    /// Writes a person and, but for shape 0, a friendship, in one of several orders of statements.
    private static func write(_ id: Int64, shape: Int, _ transaction: any GraphTransaction) throws {
        let friendship: [SQLValue] = [.integer(id), .integer(0)]
        try transaction.insert(people, person(id))
        switch shape {
        case 0: return
        case 1: try transaction.execute("INSERT INTO friend (person_id, other_id) VALUES (?1, 0)", [.integer(id)])
        case 2:
            guard try transaction.exists("SELECT 1 FROM person WHERE id = ?1", [.integer(id)]) else { return }
            try transaction.insert(friends, friendship)
        case 3:
            try transaction.adjust(growth, [.integer(0)], by: 1)
            try transaction.insert(friends, friendship)
            try transaction.adjust(growth, [.integer(0)], by: 1)
        case 4:
            try transaction.insert(friends, friendship)
            try transaction.log(kind: 1, subject: id, object: 0)
        default:
            try transaction.log(kind: 1, subject: id, object: 0)
            try transaction.insert(friends, friendship)
        }
    }

    @Test
    func `many rows of one request are written before it ends`() async throws {
        try await withPostgreSQL { fixture in
            await #expect(throws: DatabaseError.self) {
                try await fixture.database.write { transaction in
                    for id in 0..<200_000 as Range<Int64> {
                        try transaction.insert(Self.people, Self.person(id % 150_000))
                    }
                    Issue.record("the error came too late")
                }
            }
        }
    }
}
