import PostgreSQL
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct DemoCommandTests {
    @Test func `printed commands name the database and never its password`() throws {
        #expect(DemoCommand.storage(of: DataDirectory(path: "data")) == ("--data-dir data", "data"))
        let shown = DemoCommand.storage(of: try directory("postgres://graphd@/graph?host=/run/pg"))
        #expect(shown.options == "--data-dir data --database 'postgres:///graph?user=graphd&host=/run/pg'")
        #expect(shown.places == "data and in the database \"graph\" at /run/pg")
        let secret = DemoCommand.storage(of: try directory("postgres://graphd:s3cret@db/graph"))
        #expect(secret.options == "--data-dir data  # with GRAPHD_DATABASE set")
        #expect(!secret.places.contains("s3cret"))
    }

    @Test func `the invitation names the demo page and the people to sign in as`() {
        let signIn = SampleSignIn(usernames: ["vera_aydin", "elif_mensah"])
        #expect(signIn.password.wholeMatch(of: #/[a-z2-9]{4}(-[a-z2-9]{4}){3}/#) != nil)
        #expect(signIn.password != SampleSignIn(usernames: ["vera_aydin"]).password)
        let text = invitation(signIn).text(at: "http://127.0.0.1:8080")
        let page = """
                http://127.0.0.1:8080/demo
                e-mail    vera_aydin@sample.example or elif_mensah@sample.example
                password  \(signIn.password)
            """
        #expect(text.contains(page))
        #expect(text.contains("\ncurl -s -H 'Authorization: Bearer t.o.k' 'http://127.0.0.1:8080/v1/timelines/home?"))
    }

    @Test func `a network that the demo did not create has nobody to sign in as`() {
        let text = invitation(nil).text(at: "http://127.0.0.1:8080")
        #expect(text.contains("    http://127.0.0.1:8080/demo\n"))
        #expect(!text.contains("e-mail") && !text.contains("password"))
    }

    private func invitation(_ signIn: SampleSignIn?) -> DemoInvitation {
        DemoInvitation(
            reader: "vera_aydin", hub: "elif_mensah", token: "t.o.k", signIn: signIn, program: "graphd",
            storage: ("--data-dir data", "data"))
    }

    private func directory(_ address: String) throws -> DataDirectory {
        DataDirectory(
            path: "data", server: DatabaseServer(address: try PostgreSQLAddress(parsing: address)))
    }
}
