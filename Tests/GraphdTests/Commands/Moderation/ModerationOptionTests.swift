import ArgumentParser
import Foundation
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import ModerationCommands
@testable import StrictJSON
@testable import graphd

/// Parsing of the moderation commands' options, and the choice of the server to talk to.
@Suite(.timeLimit(.unit))
struct ModerationOptionTests {
    @Test(arguments: [
        "post remove 17", "post remove --reason x", "post remove 17 --reason x --for 7d --until 2026-12-01",
        "post remove 17 --reason x --for soon", "post remove 17 --reason x --until tomorrow",
        "post restore 17 --for 7d", "member ban cyd --reason x", "member role bob owner --community c",
        "report resolve 17", "report resolve 17 --action ban", "report resolve 17 --action dismiss --for 7d",
        "report list --status closed", "report list --all --limit 3", "report list --watch --interval 0",
        "user role ada king", "user role ada admin --data-dir d --for 7d", "undo", "queue remove post:1",
        "rules add n --kind keyword --action hold", "rules add n --kind keyword --action hold --pattern x",
        "rules add n --kind rate --action hold --count 3", "rules dry-run 1 --last 0",
        "classifiers edit 1 --enable --disable", "appeal decide 17", "modlog list --action nothing",
    ])
    func `wrong usage is 64`(words: String) {
        do {
            _ = try Graphd.parseAsRoot(words.split(separator: " ").map(String.init))
            Issue.record("accepted: \(words)")
        } catch {
            #expect(Graphd.exitCode(for: error).rawValue == 64, "\(words)")
        }
    }

    @Test
    func `times and durations`() throws {
        #expect(["90s", "15m", "12h", "7d", "2w"].map(EndTime.seconds) == [90, 900, 43_200, 604_800, 1_209_600])
        for wrong in ["", "7", "d", "-7d", "0d", "7 d", "07d", "7y", "99999999999d", "１d"] {
            #expect(EndTime.seconds(wrong) == nil, "\(wrong)")
        }
        let day = try #require(EndTime.milliseconds("2026-12-01"))
        #expect(EndTime.text(day) == "2026-12-01T00:00:00.000Z")
        #expect(EndTime.milliseconds("2026-12-01T02:00:00+02:00") == day)
        #expect(EndTime.milliseconds("2026-12-01T00:00:00.250Z") == day + 250)
        for wrong in ["", "2026-13-01", "12/01/2026", "2026-12-01T"] { #expect(EndTime.milliseconds(wrong) == nil) }
    }

    @Test
    func `subjects come from arguments and lines, each once`() throws {
        let lines = ["b\tignored", "  a ", "", "c d"]
        #expect(try SubjectInput.texts(["a", "-", "e"]) { lines } == ["a", "b", "c d", "e"])
        #expect(throws: ModerationFailure.self) { try SubjectInput.texts(["-"]) { ["", " "] } }
        for text in ["17", "#17", "id:17", "post:17", "post:#17"] {
            #expect(try SubjectInput.id(text, of: .post) == "17")
        }
        for text in ["", "x", "-17", "017", "comment:17", "17 ", "12345678901234567"] {
            #expect(throws: ModerationFailure.self) { try SubjectInput.id(text, of: .post) }
        }
    }

    @Test
    func `a flag comes before the environment and that before a login, whose token goes to its own server only`() throws
    {
        let login = Login(server: "https://a.example", username: "ada", token: "L", expiresAt: "", refreshToken: "")
        func access(_ flags: [String], _ environment: [String: String], _ login: Login?) throws -> ServerAccess {
            try ServerAccess(ConnectionOptions.parse(flags), environment: environment, login: login)
        }
        let environment = ["GRAPHD_SERVER": "http://b.example/", "GRAPHD_TOKEN": "E"]
        let flagged = try access(["--server", "http://c.example", "--token", "F"], environment, login)
        #expect(flagged.server == "http://c.example" && flagged.token == "F")
        let surrounded = try access([], environment, login)
        #expect(surrounded.server == "http://b.example" && surrounded.token == "E")
        let signedIn = try access([], ["GRAPHD_TOKEN": ""], login)
        #expect(signedIn.server == "https://a.example" && signedIn.token == "L")
        let elsewhere = try access(["--server", "http://c.example"], [:], login)
        #expect(elsewhere.token == nil && elsewhere.login == nil)
        #expect(try access([], [:], nil) == access(["--server", "http://127.0.0.1:8080/"], [:], nil))
        #expect(throws: ModerationFailure.self) { try access(["--server", "c.example"], [:], nil) }
    }

    @Test
    func `a login is kept for its owner alone, and one that others may read is not used`() throws {
        let directory = temporaryPath("login")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = try #require(LoginFile(environment: ["XDG_CONFIG_HOME": directory, "HOME": "/nowhere"]))
        #expect(file.path == directory + "/graphd/login.json")
        #expect(LoginFile(environment: ["HOME": "/h"])?.path == "/h/.config/graphd/login.json")
        #expect(try file.read() == nil)
        let login = Login(
            server: "https://a.example", username: "ada", token: "t", expiresAt: "2026-12-21T19:30:02.000Z",
            refreshToken: "r")
        for _ in 0..<2 {
            try file.write(login)
            #expect(try file.read() == login)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/graphd") == ["login.json"])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        #expect(throws: ModerationFailure.self) { try file.read() }
        file.remove()
        #expect(try file.read() == nil)
    }

    @Test
    func `a report's action is done to what it reports, or to its author`() throws {
        func report(_ subject: ReportedItem.Subject, community: Bool = true) -> ReportedItem {
            ReportedItem(reportID: "9", subject: subject, user: ("3", "cyd"), communityID: community ? "5" : nil)
        }
        let (post, comment, user) = (
            ReportedItem.Subject.post("17"), ReportedItem.Subject.comment("17"), ReportedItem.Subject.user("17")
        )
        typealias Command = ReportResolveCommand
        let cases: [(Command.Act, ReportedItem, ModerationAction?)] = [
            (.remove, report(post), .removePost), (.remove, report(comment), .removeComment),
            (.remove, report(post, community: false), .takedownPost), (.remove, report(user), nil),
            (.takedown, report(comment), .takedownComment), (.ban, report(post), .banMember),
            (.ban, report(post, community: false), nil), (.warn, report(user), .warnUser),
            (.suspend, report(comment), .suspendUser), (.silence, report(post), .silenceUser),
        ]
        for (act, report, action) in cases {
            let target = try? Command.target(of: act, report)
            #expect(target?.action == action, "\(act) \(report)")
            #expect(target.map { $0.subject == ($0.action.subjectKind == .user ? "3" : "17") } ?? true)
            #expect(target?.community == ([.ban, .warn].contains(act) && action != nil ? "5" : nil))
        }
    }
}
