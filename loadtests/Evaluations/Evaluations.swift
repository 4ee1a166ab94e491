import ArgumentParser

/// Measures the quality of the server's methods, not their speed: intervals of trends, recommendations, similar posts.
@main
struct Evaluations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluations",
        abstract: "Measure what trends, recommendations and the search for similar posts find.",
        discussion: """
            Example:
              swift run -c release evaluations trends --samples 2000
            """,
        subcommands: [TrendsCommand.self, RecommendationsCommand.self, SimilarityCommand.self])
}
