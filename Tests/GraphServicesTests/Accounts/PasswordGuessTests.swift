import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct PasswordGuessTests {
    private let account = AccountKey(email: "ann@example.org")
    private let address = AddressBlock.four(1)

    private func hasher() -> PasswordHasher {
        PasswordHasher(budgets: Budgets(rates: [.wrongPasswords: Rate(3, per: .seconds(300))], now: { 0 }))
    }

    private func guess(_ isRight: Bool, _ hasher: PasswordHasher, isKnown: Bool = false) async throws -> Bool {
        try await hasher.judgeGuess(account, from: address, isKnown: { isKnown }) { isRight }
    }

    @Test func `a right password clears the count`() async throws {
        let hasher = hasher()
        for _ in 0..<5 {
            #expect(try await !guess(false, hasher))
            #expect(try await !guess(false, hasher))
            #expect(try await guess(true, hasher))
        }
    }

    @Test func `what is beyond the count is judged from known addresses only`() async throws {
        let hasher = hasher()
        for _ in 0..<3 { #expect(try await !guess(false, hasher)) }
        await #expect(throws: Problem.self) { try await hasher.judgeGuess(account, from: address) { fatalError() } }
        await #expect(throws: Problem.self) { try await guess(false, hasher, isKnown: true) }
        #expect(try await guess(true, hasher, isKnown: true))
    }

    @Test func `a guess that could not be judged does not count`() async throws {
        let hasher = hasher()
        for _ in 0..<10 {
            await #expect(throws: Problem.self) {
                try await hasher.judgeGuess(account, from: address) { throw Problem.queueIsFull }
            }
        }
        #expect(try await !guess(false, hasher))
    }

    @Test func `spellings of one address are one account`() {
        #expect(AccountKey(email: "Ann@Example.org") == account)
        #expect(AccountKey(email: "ann@example.com") != account)
        let long = String(repeating: "a\u{300}\u{316}", count: 100_000)
        #expect(AccountKey(email: long) == AccountKey(email: long))
    }
}
