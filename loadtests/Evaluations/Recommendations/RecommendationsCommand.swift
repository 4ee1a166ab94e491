import ArgumentParser
import Discovery
import Foundation

/// Prints the quality with which the server's recommendations find held-out ratings, beside popularity and item-kNN, in
/// the format of `docs/decisions/0020-recommendations.md`.
struct RecommendationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recommendations",
        abstract: "Measure recommendations on a file of ratings.",
        discussion: """
            Of each user the latest rating that is at least --positive is held out and ranked among all items that the \
            user had not rated by then; the one before it chooses the parameters.

            Example:
              tar xzf ml-latest-small.tar.gz
              evaluations recommendations --ratings ratings.csv
            """)

    @Option(help: "File of userId,movieId,rating,timestamp with a header, as in MovieLens.")
    var ratings: String

    @Option(help: "Seed that orders ratings of the same second.")
    var seed: UInt64 = 1

    @Option(help: "Lowest rating that counts as a like.")
    var positive = 4.0

    @Flag(help: "Choose the parameters of the server's method again instead of using its own.")
    var tune = false

    func run() async throws {
        let ratings = try RatingFile.read(ratings)
        let validation = LeaveLastOut(ratings, holding: .validation, positive: positive, seed: seed)
        let test = LeaveLastOut(ratings, holding: .test, positive: positive, seed: seed)
        guard test.users > 0 else { throw ValidationError("no user has three ratings of \(positive) or more") }
        let knn = Self.best(NeighbourModel.cosineGrid, on: validation)
        let own = tune ? Self.best(NeighbourModel.tuningGrid, on: validation) : .tuned
        let results = [
            ("Popularity", test.popularityQuality()), ("Item-kNN, k = \(knn.neighbours)", test.quality(of: knn)),
            ("graphd", test.quality(of: own)),
        ]
        print("\(test.users) users, \(test.items) items, \(test.positives) ratings to learn from, seed \(seed)")
        print("Parameters: \(own.summary)\n\n| Method | HR@10 | NDCG@10 |\n|---|---|---|")
        for (name, quality) in results {
            print("| \(name) | \(Self.digits(quality.hitRate)) | \(Self.digits(quality.ndcg)) |")
        }
        print("")
        for (name, quality) in results.dropLast() {
            let lead = results[2].1.lead(over: quality)
            print("NDCG@10 above \(name): \(Self.digits(lead.difference)), standard error \(Self.digits(lead.error))")
        }
    }

    /// Returns the model with the highest NDCG; the first of equal ones.
    private static func best(_ models: [NeighbourModel], on data: LeaveLastOut) -> NeighbourModel {
        var best: (model: NeighbourModel, ndcg: Double)?
        for model in models {
            let ndcg = data.quality(of: model).ndcg
            if ndcg > best?.ndcg ?? -1 { best = (model, ndcg) }
        }
        return best?.model ?? .tuned
    }

    private static func digits(_ value: Double) -> String {
        let parts = Int((value.magnitude * 10_000).rounded())
        let text = String(parts % 10_000)
        let sign = value < 0 && parts > 0 ? "-" : ""
        return "\(sign)\(parts / 10_000).\(String(repeating: "0", count: 4 - text.count))\(text)"
    }
}

/// Ratings in the format of MovieLens.
enum RatingFile {
    /// Reads the ratings. Throws `ValidationError` for the first malformed line, and for a file that cannot be read.
    static func read(_ path: String) throws -> [Rating] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("\(path) cannot be read: expected a file of ratings")
        }
        // The first line names the columns.
        let lines = data.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        return try lines.enumerated().dropFirst().map { index, line in
            let fields = line.trimmingCharacters(in: .whitespaces).split(separator: ",")
            guard fields.count == 4, let user = Int64(fields[0]), let item = Int64(fields[1]),
                let value = Double(fields[2]), let time = Int64(fields[3])
            else { throw ValidationError("line \(index + 1) is no rating: expected userId,movieId,rating,timestamp") }
            return Rating(user: user, item: item, value: value, time: time)
        }
    }
}
