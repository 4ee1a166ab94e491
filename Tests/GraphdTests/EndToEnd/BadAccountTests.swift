import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Sign-ups and log-ins that must be refused.
@Suite(.timeLimit(.process), .sharedGraphd)
struct BadAccountTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let password = "a good password"

    private static func signup(_ email: String, _ password: String, _ username: String) -> String {
        #"{"email":\#(email),"password":\#(password),"username":\#(username)}"#
    }

    @Test(arguments: [
        ("1", 400, "invalid_type"), ("[]", 400, "invalid_type"), ("null", 400, "missing_field"),
        (#""""#, 422, "invalid_email"), (#""x""#, 422, "invalid_email"), (#""x@y""#, 422, "invalid_email"),
        (#""@example.org""#, 422, "invalid_email"), (#""a@b@example.org""#, 422, "invalid_email"),
        (#""a b@example.org""#, 422, "invalid_email"), (#""a@-x.org""#, 422, "invalid_email"),
        (#""a@example..org""#, 422, "invalid_email"), (#""ä@example.org""#, 422, "invalid_email"),
        (#""a\n@example.org""#, 422, "invalid_email"), (#""a\u0000@example.org""#, 400, "invalid_json"),
        ("\"\(String(repeating: "a", count: 65))@example.org\"", 422, "invalid_email"),
        ("\"a@\(String(repeating: "b.", count: 130))org\"", 422, "invalid_email"),
    ])
    func `a bad email is refused`(_ email: String, _ status: Int, _ code: String) async throws {
        try await expectRefusal(Self.signup(email, "\"\(Self.password)\"", #""bad.email""#), status, code, "email")
        #expect(try await isUnknown("bad.email"))
    }

    @Test(arguments: [
        ("1", 400, "invalid_type"), ("null", 400, "missing_field"), (#""""#, 422, "invalid_username"),
        (#""_a""#, 422, "invalid_username"), (#"".a""#, 422, "invalid_username"), (#""a b""#, 422, "invalid_username"),
        (#""a/b""#, 422, "invalid_username"), (#""ä""#, 422, "invalid_username"), (#""a-b""#, 422, "invalid_username"),
        ("\"\(String(repeating: "a", count: 31))\"", 422, "invalid_username"),
    ])
    func `a bad username is refused`(_ username: String, _ status: Int, _ code: String) async throws {
        let body = Self.signup(#""bad.username@example.org""#, "\"\(Self.password)\"", username)
        try await expectRefusal(body, status, code, "username")
    }

    @Test(arguments: [
        ("1", 400, "invalid_type"), ("null", 400, "missing_field"), (#""""#, 422, "weak_password"),
        (#""1234567""#, 422, "weak_password"), ("\"\(String(repeating: "p", count: 257))\"", 422, "weak_password"),
    ])
    func `a bad password is refused`(_ password: String, _ status: Int, _ code: String) async throws {
        let body = Self.signup(#""bad.password@example.org""#, password, #""bad.password""#)
        try await expectRefusal(body, status, code, "password")
        #expect(try await isUnknown("bad.password"))
    }

    @Test func `a bad password is refused before the picture is examined`() async throws {
        let fields = #""email":"bad.first@example.org","password":"1234567","username":"bad.first""#
        try await expectRefusal("{\(fields),\"profilePicData\":\"AAAA\"}", 422, "weak_password", "password")
    }

    @Test(arguments: ["/v1/auth/signup", "/v1/auth/login"])
    func `an unknown field is named`(_ path: String) async throws {
        let fields = path.hasSuffix("signup") ? #","username":"unknown.field""# : ""
        let answer = try await server.client().post(
            path, #"{"email":"f@example.org","password":"\#(Self.password)"\#(fields),"admin":true}"#)
        #expect(answer.status == 400)
        #expect(try answer.json["code"] == .string("unknown_field"))
        #expect(try answer.json["field"] == .string("admin"))
        #expect(try await isUnknown("unknown.field"))
    }

    @Test func `a taken name or email is refused in any case and nothing is half written`() async throws {
        let first = Self.signup(#""Twice@example.org""#, "\"\(Self.password)\"", #""Twice""#)
        #expect(try await server.client().post("/v1/auth/signup", first).status == 201)
        for (email, username, code) in [
            ("other@example.org", "Twice", "username_taken"), ("other@example.org", "tWICE", "username_taken"),
            ("Twice@example.org", "other", "email_taken"), ("tWICE@EXAMPLE.ORG", "other", "email_taken"),
        ] {
            let body = Self.signup("\"\(email)\"", "\"\(Self.password)\"", "\"\(username)\"")
            let answer = try await server.client().post("/v1/auth/signup", body)
            #expect(answer.status == 409, "\(answer)")
            #expect(try answer.json["code"] == .string(code))
        }
        #expect(try await isUnknown("other"))
        let login = #"{"email":"other@example.org","password":"\#(Self.password)"}"#
        #expect(try await server.client().post("/v1/auth/login", login).status == 401)
    }

    @Test func `of many sign-ups with one name exactly one wins`() async throws {
        let client = server.client()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<12 {
                let name = number.isMultiple(of: 2) ? "race" : "RACE"
                let body = Self.signup("\"race\(number)@example.org\"", "\"\(Self.password)\"", "\"\(name)\"")
                group.addTask { try await client.post("/v1/auth/signup", body).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 11)
    }

    @Test func `a wrong password and an unknown user get the same answer`() async throws {
        let signup = Self.signup(#""known@example.org""#, "\"\(Self.password)\"", #""known""#)
        #expect(try await server.client().post("/v1/auth/signup", signup).status == 201)
        // Imported users have no password at all.
        _ = try await server.graph.accounts.createAccount(
            username: "without", email: "without@example.org", passwordHash: nil)
        var bodies: Set<String> = []
        for (email, password) in [
            ("known@example.org", "a wrong password"), ("known@example.org", ""),
            ("unknown@example.org", Self.password),
            ("without@example.org", Self.password), ("without@example.org", ""), ("", ""), ("not an email", "x"),
            ("known@example.org", String(repeating: "p", count: 10_000)),
        ] {
            let answer = try await server.client().post(
                "/v1/auth/login", #"{"email":"\#(email)","password":"\#(password)"}"#)
            #expect(answer.status == 401, "\(answer)")
            bodies.insert(answer.text.replacing(try #require(answer.header("X-Request-Id")), with: ""))
        }
        #expect(bodies.count == 1)
        #expect(bodies.first?.contains("wrong_credentials") == true)
    }

    private func expectRefusal(_ body: String, _ status: Int, _ code: String, _ field: String) async throws {
        let answer = try await server.client().post("/v1/auth/signup", body)
        #expect(answer.status == status, "\(answer)")
        #expect(try answer.json["code"] == .string(code), "\(answer)")
        if code != "invalid_json" { #expect(try answer.json["field"] == .string(field)) }
    }

    private func isUnknown(_ username: String) async throws -> Bool {
        try await server.client(try await server.person()).get("/v1/users/by-username/\(username)").status == 404
    }
}
