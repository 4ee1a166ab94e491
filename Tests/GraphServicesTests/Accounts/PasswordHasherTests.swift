import Foundation
import GraphHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct PasswordHasherTests {
    private let cheap = PasswordHash.Parameters(logRounds: 10, blockSize: 8, parallelism: 1)

    @Test func `the right password and no other is verified`() async throws {
        let hasher = PasswordHasher(parameters: cheap)
        let stored = try await hasher.hash("correct horse", for: WorkCaller(.server))
        #expect(stored.hasPrefix("$scrypt$ln=10,r=8,p=1$"))
        #expect(try await hasher.verify("correct horse", against: stored, for: WorkCaller(.server)))
        for wrong in ["correct hors", "", "impossible", "Correct horse", String(repeating: "x", count: 1000)] {
            #expect(try await !hasher.verify(wrong, against: stored, for: WorkCaller(.server)))
        }
        try await hasher.verifyAgainstNobody("correct horse", for: WorkCaller(.server))
    }

    @Test func `no stand-in opens an account`() async throws {
        let hasher = PasswordHasher(parameters: cheap)
        let stored = try await hasher.hash("impossible", for: WorkCaller(.server))
        #expect(try await !hasher.verify("", against: stored, for: WorkCaller(.server)))
        #expect(try await hasher.verify("impossible", against: stored, for: WorkCaller(.server)))
    }

    @Test func `hashes of one password differ`() async throws {
        let hasher = PasswordHasher(parameters: cheap)
        let first = try await hasher.hash("correct horse", for: WorkCaller(.server))
        let second = try await hasher.hash("correct horse", for: WorkCaller(.server))
        #expect(first != second)
    }

    @Test func `composed and decomposed spellings are one password`() async throws {
        let hasher = PasswordHasher(parameters: cheap)
        let stored = try await hasher.hash("cafe\u{301} au lait", for: WorkCaller(.server))
        #expect(try await hasher.verify("caf\u{E9} au lait", against: stored, for: WorkCaller(.server)))
    }

    @Test func `the test vector of RFC 7914 fits`() throws {
        // N = 16384, r = 8, p = 1. The 32 bytes here are the first half of the vector's 64.
        let hash = PasswordHash(
            parameters: .init(logRounds: 14, blockSize: 8, parallelism: 1),
            salt: Array("SodiumChloride".utf8),
            key: [
                0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB,
                0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
            ])
        #expect(try PasswordHasher.matches("pleaseletmein", hash))
        #expect(try !PasswordHasher.matches("pleaseletmeout", hash))
    }

    @Test(arguments: ["", "1234567", String(repeating: "x y", count: 86)])
    func `weak passwords are refused`(_ password: String) async {
        let problem = await #expect(throws: Problem.self) {
            try await PasswordHasher(parameters: cheap).hash(password, for: WorkCaller(.server))
        }
        #expect(problem?.code == .weakPassword)
        #expect(problem?.status.code == 422)
        #expect(problem?.detail.contains(password == "Password1" ? "most common" : "8 to 256") == true)
    }

    @Test(arguments: [
        "", "$scrypt$", "$scrypt$ln=40,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA", "$argon2$ln=14,r=8,p=1$AA$AA",
        "$scrypt$ln=14,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAA", "$scrypt$ln=14,r=8,p=1$!!$AA",
    ])
    func `a malformed hash is an error and no match`(_ stored: String) async {
        await #expect(throws: PasswordHash.Malformed.self) {
            try await PasswordHasher(parameters: cheap).verify("12345678", against: stored, for: WorkCaller(.server))
        }
    }

    @Test func `a hash is read back as written`() throws {
        let hash = PasswordHash(
            parameters: .standard, salt: Array(0..<16), key: Array(100..<132))
        #expect(try PasswordHash(hash.description) == hash)
    }
}
