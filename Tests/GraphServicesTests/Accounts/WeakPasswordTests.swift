import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct WeakPasswordTests {
    @Test(arguments: [
        ("password", WeakPassword.common), ("Password1", .common), ("PASSWORD!!", .common), ("p@ssw0rd", .common),
        ("P@ssw0rd2024!", .common), ("sunshine", .common), ("123sunshine321", .common), ("iloveyou", .common),
        ("dr4g0n1999", .common), ("trustno1", .common), ("1q2w3e4r", .common), ("letmein123", .common),
        ("ｐａｓｓｗｏｒｄ", .common), ("aaaaaaaa", .repeated), ("abababab", .repeated), ("x1z9x1z9x1z9", .repeated),
        ("12121212", .repeated), ("        ", .repeated), ("12345678", .common), ("23456789", .sequence),
        ("abcdefgh", .common), ("hgfedcba", .sequence), ("abcd1234567", .common), ("uiopjkl98765", .sequence),
    ])
    func `a weak password is refused with its weakness`(_ password: String, _ weakness: WeakPassword) {
        #expect(WeakPassword(password) == weakness)
    }

    @Test(arguments: [
        "correct horse", "battery staple", "a good password", "wrong.password.1", "hunter2hunter2",
        "correct horse battery",
        "kX9!vv2q", "dragon under the hill", "cafe au lait", "πάντα ρεῖ καὶ οὐδὲν μένει", "passwords are hard",
        "impossible",
    ])
    func `a strong password is accepted`(_ password: String) {
        #expect(WeakPassword(password, names: ["ada", "ada.lovelace@example.org"]) == nil)
    }

    @Test func `a name is no password`() {
        let names = ["Ada.Lovelace", "countess@analytical.example"]
        for password in [
            "ada.lovelace", "ADA.LOVELACE1", "12ada.lovelace34", "countess1842", "countess@analytical.example",
        ] { #expect(WeakPassword(password, names: names) == .name, "\(password)") }
        for password in ["ada.lovelace wrote notes", "countess of the machine"] {
            #expect(WeakPassword(password, names: names) == nil, "\(password)")
        }
        // The username is too short to count.
        #expect(WeakPassword("bo-tree-1", names: ["bo", "b@example.org"]) == nil)
    }

    @Test func `the list is in the form in which passwords are compared`() {
        #expect(CommonPasswords.words.count > 1_000 && CommonPasswords.strings.count > 100)
        for word in CommonPasswords.words.union(CommonPasswords.strings) { #expect(word == word.lowercased()) }
        for text in CommonPasswords.strings { #expect(WeakPassword(text) != nil) }
    }
}
