import ArgumentParser
import CommandSupport
import StrictJSON

/// The conditions of a list, as flags and arguments.
protocol ListFilters: ParsableArguments {
    func request(on server: ModerationServer) async throws -> ListRequest
}

/// The properties that distinguish one list from another.
protocol ListKind: Sendable {
    associatedtype Filters: ListFilters
    static var configuration: CommandConfiguration { get }
    static var columns: [TableColumn] { get }
}

/// `graphd NOUN list`
struct ListCommand<Kind: ListKind>: ModerationCommand {
    static var configuration: CommandConfiguration { Kind.configuration }

    @OptionGroup var filters: Kind.Filters
    @OptionGroup var paging: PagingOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let request = try await filters.request(on: server)
        let (items, next) = try await server.items(request, count: paging.count, cursor: paging.cursor)
        show(ListAnswer.json(items, next: next)) { channel in
            ListAnswer.lines(Kind.columns, items, hasMore: next != nil, on: channel)
        }
    }
}

/// A list that moderators keep open.
struct QueueCommand<Kind: ListKind>: ModerationCommand {
    static var configuration: CommandConfiguration { Kind.configuration }

    @OptionGroup var filters: Kind.Filters
    @OptionGroup var paging: PagingOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let request = try await filters.request(on: server)
        guard watching.watch else {
            let (items, next) = try await server.items(request, count: paging.count, cursor: paging.cursor)
            return show(ListAnswer.json(items, next: next)) { channel in
                ListAnswer.lines(Kind.columns, items, hasMore: next != nil, on: channel)
            }
        }
        var watch = QueueWatch(columns: Kind.columns, isJSON: connection.json, channel: .standard())
        while true {
            do {
                let (items, next) = try await server.items(request, count: paging.count, cursor: paging.cursor)
                watch.show(items, hasMore: next != nil) { print($0) }
            } catch let failure as RequestFailure where failure.isPassing {
                StandardError.print(TerminalText.safe(failure.failure.message))
            }
            // Not for synchronisation: the moderator has chosen the interval.
            try await Task.sleep(for: .seconds(watching.interval))
        }
    }
}

enum ListAnswer {
    static func json(_ items: [JSONValue], next: String?) -> JSONValue {
        .members(("items", .array(items)), ("nextCursor", next.map { .string($0) } ?? .null))
    }

    static func lines(
        _ columns: [TableColumn], _ items: [JSONValue], hasMore: Bool, on channel: OutputChannel
    ) -> [String] {
        let lines = TableRendering.lines(columns, items, on: channel)
        guard channel.isTerminal else { return lines }
        if items.isEmpty { return ["none"] }
        return hasMore ? lines + [channel.styled("there are more: --limit N or --all", .faint)] : lines
    }
}
