import GraphServices
import SocialGraph

/// The text that `graphd demo` prints once it serves: the demo page with people to sign in as, and requests that work
/// as printed.
struct DemoInvitation: Sendable {
    let reader: String
    let hub: String
    /// A token of the reader.
    let token: String
    /// Nil if the data is not a sample network.
    let signIn: SampleSignIn?
    /// The path of this program.
    let program: String
    /// The options by which commands find the data, and the places of the data.
    let storage: (options: String, places: String)

    /// - Parameter base: the address of the server, such as `http://127.0.0.1:8080`.
    func text(at base: String) -> String {
        """

        graphd serves a sample network. Open the demo page in a browser:

        \(page(at: base))

        The API is at \(base). You are \(reader). Try:

        \(requests(to: base).joined(separator: "\n\n"))

        To moderate, make yourself an admin; then use commands, or sign in at \(base)/console with the token:

        \(program) user role \(reader) admin --reason 'first admin' \(storage.options)

        \(program) user suspend \(hub) --reason spam --for 7d --server \(base) --token \(token)

        Stop with Ctrl-C; the data stays in \(storage.places).
        """
    }

    private func page(at base: String) -> String {
        guard let signIn else { return "    \(base)/demo" }
        return """
                \(base)/demo
                e-mail    \(signIn.emails.joined(separator: " or "))
                password  \(signIn.password)
            """
    }

    private func requests(to base: String) -> [String] {
        let reads = [
            "/v1/timelines/home?limit=3&explain=true", "/v1/notifications?limit=3", "/v1/timelines/trending?limit=3",
            "/v1/search/posts?q=warm-up&sort=popularity&limit=3", "/v1/timelines/for-you?limit=3&explain=true",
            "/fitstream/videos?workoutType=yoga&limit=3", "/v1/users/by-username/\(hub)",
        ]
        let curl = "curl -s -H 'Authorization: Bearer \(token)'"
        return reads.map { "\(curl) '\(base)\($0)'" } + [
            """
            \(curl) -H 'Content-Type: application/json' \
            -d '{"caption":"Hello","mediaUrl":"https://media.example/hello.mp4","algorithmTags":["AI"]}' \
            '\(base)/v1/posts'
            """
        ]
    }
}
