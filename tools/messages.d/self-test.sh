# Sourced by tools/messages: collects from a small tree and compares with the texts that are expected.
mkdir -p "$work/tree/Sources/App/Console/Assets" "$work/tree/docs"
cd "$work/tree"
cat >Sources/App/Command.swift <<'END'
let statement = "SELECT id FROM post WHERE author = ?1"
struct Command {
    @Option(help: "Port to listen on.")
    var port: Int
    @Option(
        help: """
            Data directory; \
            created if missing.
            """)
    var directory: String
    func run() throws {
        precondition(port > 0, "a port is positive")
        logger.warning(
            "connection refused", metadata: ["port": "\(port)"])
        throw Failure("Expected \(4) dimensions, "
            + "got \(port).") // not "a text" of its own
    }
}
END
cat >docs/openapi.yaml <<'END'
info:
  description: |
    Serves a graph.

    Over HTTP.
  paths: { get: { summary: Returns a page. }, put: { description: 'It''s, and stays.', schema: {} } }
END
cat >Sources/App/Console/Assets/app.js <<'END'
// A comment is "no text" of the console.
button("Take down", `Reports of ${name}`, "Undo", "undo-button");
END
echo '<h1 class="x">Sign in</h1>' >Sources/App/Console/Assets/index.html

cat >"$work/expected" <<'END'
## errors
Sources/App/Command.swift:15: Expected () dimensions, got ().
## help
Sources/App/Command.swift:3: Port to listen on.
Sources/App/Command.swift:7: Data directory; created if missing.
## openapi
docs/openapi.yaml:2: Serves a graph. Over HTTP.
docs/openapi.yaml:6: Returns a page.
docs/openapi.yaml:6: It's, and stays.
## console
Sources/App/Console/Assets/app.js:2: Take down
Sources/App/Console/Assets/app.js:2: Reports of ${name}
Sources/App/Console/Assets/app.js:2: Undo
Sources/App/Console/Assets/index.html:1: Sign in
## logs
Sources/App/Command.swift:14: connection refused
END
collect >"$work/all"
messages "${KINDS[@]}" >"$work/found"
if ! diff -u "$work/expected" "$work/found"; then
    echo 'messages: the self-test found other texts than expected' >&2
    exit 1
fi
echo 'messages: the self-test finds a text of each kind'
