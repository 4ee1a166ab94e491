import PostgreSQL
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct AddressTests {
    @Test(arguments: [
        ("postgres://ann:s3cret@db.example:5433/graph?sslmode=verify-full", "\"graph\" at db.example:5433"),
        ("postgresql://ann@/graph?host=/var/run/postgresql", "\"graph\" at /var/run/postgresql"),
        ("postgres://ann@one,two/graph?target_session_attrs=read-write", "\"graph\" at one,two"),
        ("postgres://ann:p%40ss%3A%2F@[::1]:5432/gra%20ph", "\"gra ph\" at ::1:5432"),
    ])
    func `an address is described by server and database alone`(text: String, description: String) throws {
        #expect(try PostgreSQLAddress(parsing: text).description == description)
    }

    @Test(arguments: [
        ("mysql://db/graph", "does not begin with postgres://"),
        ("postgres://db", "the name of the database is missing"),
        ("postgres://db/", "the name of the database is missing"),
        ("postgres://ann:s3cret@db:65536/graph", "the port is \"65536\""),
        ("postgres://ann:s3cret@db:x/graph", "the port is \"x\""),
        ("postgres://ann:s3cret%4@db/graph", "two hexadecimal digits"),
        ("postgres://ann:s3cret%00@db/graph", "two hexadecimal digits"),
        ("postgres://ann:s3cret@[db/graph", "cannot be told apart"),
        ("postgres://db/graph?sslmode=on", "sslmode is \"on\", not one of disable"),
        ("postgres://ann:s3cret@db/graph?options=-c", "\"options\" is none of the options"),
        ("postgres://db/graph?sslmode", "an option must be name=value"),
    ])
    func `a wrong address is refused with a reason and an example, and without its password`(
        text: String, reason: String
    ) {
        let error = #expect(throws: PostgreSQLAddress.Malformed.self) { try PostgreSQLAddress(parsing: text) }
        let message = error?.description ?? ""
        #expect(message.contains(reason), "\(message)")
        #expect(message.contains("Write postgres://"))
        #expect(!message.contains("s3cret"))
    }

    @Test(arguments: [
        "postgres://ann@db.example:5433/graph?sslmode=verify-full", "postgres://ann@/graph?host=/var/run/postgresql",
        "postgres://ann@one,two/graph?target_session_attrs=read-write", "postgres://a%27n%25n@[::1]:5432/gra%20p%2Fh",
        "postgres://db/graph?passfile=/etc/graph%20d/pgpass",
    ])
    func `an address is shown so that it is read as the same`(text: String) throws {
        let address = try PostgreSQLAddress(parsing: text)
        #expect(try PostgreSQLAddress(parsing: address.withoutPassword) == address, "\(address.withoutPassword)")
        #expect(!address.withoutPassword.contains("'"))
    }

    @Test func `an address is shown without passwords, which programs get in their environment`() throws {
        let address = try PostgreSQLAddress(
            parsing: "postgres://ann:s3cret@db:1/it's?sslpassword=s3cret&passfile=/pgpass&sslmode=require")
        #expect(
            address.withoutPassword == "postgres:///it%27s?user=ann&passfile=/pgpass&host=db&port=1&sslmode=require")
        #expect(address.databaseArgument == "dbname='it\\'s'" && address.withoutVariable == ["sslpassword"])
        let environment = address.environment(["PGOPTIONS": "-c x=y", "HOME": "/home/ann", "PGPASSWORD": "other"])
        let expected = [
            "HOME": "/home/ann", "PGAPPNAME": "graphd", "PGCONNECT_TIMEOUT": "10", "PGUSER": "ann", "PGHOST": "db",
            "PGPORT": "1", "PGPASSWORD": "s3cret", "PGPASSFILE": "/pgpass", "PGDATABASE": "it's",
            "PGSSLMODE": "require",
        ]
        #expect(environment == expected)
    }
}
