import Database
import GraphHTTP
import GraphServices
import SocialGraph
import Timeline

extension GraphServer {
    /// Returns the timelines of a server that is alone, or those of one of several nodes, which do the fan-out in turn.
    ///
    /// - Parameter otherChanges: receives what others write into the change log.
    func timelines(
        _ graph: GraphStore, _ redis: WindowServers, _ depth: WindowDepth, _ entry: NodeEntry, _ urls: PublicURL,
        otherChanges: @escaping @Sendable ([GraphChange]) -> Void
    ) async throws -> TimelineService {
        let options = TimelineOptions(idle: configuration.windowIdle)
        let encoding = PostEncoding(urls: urls).items
        guard entry.isShared else {
            return try await TimelineService(
                graph: graph, formerOwner: entry.formerOwner, redis: redis, depth: depth, options: options,
                logger: logger, otherChanges: otherChanges, encoding: encoding)
        }
        let duties = FanoutDuties(
            groups: TimelineService.fanoutGroups(in: redis), entry.membership,
            in: LeaseStore(database: graph.database), logger: logger)
        return try await TimelineService(
            graph: graph, sharedBy: duties.all, redis: redis, depth: depth, options: options, logger: logger,
            otherChanges: otherChanges, encoding: encoding)
    }
}
