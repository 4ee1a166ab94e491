// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Moderation and reports.
public struct ModerationAPI: Sendable {
    let client: GraphdClient

    /// Order a moderation action.
    ///
    /// Applies `action` to all `subjects`, which must be of the kind that it is for; if one is refused, nothing
    /// changes. `docs/moderation.md` lists who may take which action. The `batch` in the answer can be undone; a
    /// subject that already is in the wanted state is not changed and gets no entry. A repeated subject is changed
    /// once; its later results have `changed` false. Actions on members need `communityId`; for a warning it is
    /// optional; for a post or comment it is checked.
    ///
    /// An action with an end ends at `expiresAt`, or after `duration` seconds. `role` belongs to setMemberRole
    /// (moderator, member) and setSiteRole (admin, moderator, none), `name` to renameCommunity, `successorId` to
    /// transferCommunity, `resolution` to resolveReport, `decision` to decideAppeal. A dry run returns the answer
    /// of the order without changing anything.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `totpSetupRequired`, `outranked`, `ownAffair`, `siteDecision`, `neverMember`, `banned`,
    ///   `communityArchived`, `subjectNotFound`, `reportNotFound`, `appealNotFound`, `joinRequestNotFound`,
    ///   `communityNotFound`, `notApplicable`, `alreadyDecided`, `claimedByAnother`, `ownerCannotLeave`,
    ///   `communityNameTaken`, `limitReached`, `bodyTooLarge`, `invalidOrder`, `invalidValue`, `tooLong`,
    ///   `tooMany`.
    @discardableResult
    public func moderate(_ body: ModerationOrder, idempotencyKey: String? = nil) async throws -> ModerationOutcome {
        try await client.value(
            Call(.post, ["v1", "moderation", "actions"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Undo a batch.
    ///
    /// The caller must be allowed to take each of its actions. Undoes those actions of the batch that are still in
    /// effect. An undo is a batch of its own, and can be undone. After 20 undos in a row, each of the one before,
    /// only the batch of the order can be undone.
    ///
    /// - Parameters:
    ///   - batch: The id of the batch.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `totpSetupRequired`, `outranked`, `ownAffair`, `siteDecision`, `neverMember`, `banned`,
    ///   `communityArchived`, `batchNotFound`, `notApplicable`, `alreadyDecided`, `claimedByAnother`,
    ///   `ownerCannotLeave`, `communityNameTaken`, `limitReached`, `bodyTooLarge`, `invalidOrder`, `invalidValue`,
    ///   `tooLong`, `tooMany`.
    @discardableResult
    public func undoBatch(batch: String, _ body: UndoOrder? = nil, idempotencyKey: String? = nil) async throws
        -> ModerationOutcome
    {
        try await client.value(
            Call(
                .post, ["v1", "moderation", "batches", batch, "undo"], repetition: .withKey(idempotencyKey),
                body: .optional(body)))
    }

    /// Report a post, a comment, a user or a community.
    ///
    /// Exactly one of the four ids is required. Reports of a post or comment in a community go to its moderators
    /// and those of the site, all others to those of the site.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `ownAffair`,
    ///   `subjectNotFound`, `reportNotFound`, `appealNotFound`, `joinRequestNotFound`, `communityNotFound`,
    ///   `limitReached`, `bodyTooLarge`, `invalidValue`, `tooLong`, `idempotencyKeyReused`.
    @discardableResult
    public func report(_ body: NewReport, idempotencyKey: String? = nil) async throws -> FiledReport {
        try await client.value(Call(.post, ["v1", "reports"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// List reports that the caller may work on, newest first.
    ///
    /// - Parameters:
    ///   - communityId: Only those of this community.
    ///   - status: Only those with this status.
    ///   - userId: Only those about this user.
    ///   - kind: Only reports about this kind of subject.
    ///   - subjectId: Only reports about the subject with this id; needs `kind`.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `communityNotFound`.
    public func listReports(
        communityId: String? = nil, status: ReportListStatus? = nil, userId: String? = nil, kind: ReportedKind? = nil,
        subjectId: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> ReportPage {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "reports"],
                query: [
                    .init("communityId", communityId?.queryText), .init("status", status?.queryText),
                    .init("userId", userId?.queryText), .init("kind", kind?.queryText),
                    .init("subjectId", subjectId?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listReports`, read page by page as a loop asks for them.
    public func allReports(
        communityId: String? = nil, status: ReportListStatus? = nil, userId: String? = nil, kind: ReportedKind? = nil,
        subjectId: String? = nil, pageSize: Int? = nil
    ) -> PagedSequence<Report> {
        PagedSequence {
            let page = try await self.listReports(
                communityId: communityId, status: status, userId: userId, kind: kind, subjectId: subjectId,
                limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List reports by subject, newest first.
    ///
    /// The reports of `GET /v1/moderation/reports`, one item for each subject, status and set of moderators (those
    /// of a community, or of the site). To decide a case, resolve the reports with its `kind`, `subjectId` and
    /// `status` up to `latestReportId`; later ones stay open and form a new item.
    ///
    /// - Parameters:
    ///   - communityId: Only those of this community.
    ///   - status: Only those with this status.
    ///   - userId: Only those about this user.
    ///   - kind: Only reports about this kind of subject.
    ///   - subjectId: Only reports about the subject with this id; needs `kind`.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `communityNotFound`.
    public func listReportCases(
        communityId: String? = nil, status: ReportListStatus? = nil, userId: String? = nil, kind: ReportedKind? = nil,
        subjectId: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> ReportCasePage {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "cases"],
                query: [
                    .init("communityId", communityId?.queryText), .init("status", status?.queryText),
                    .init("userId", userId?.queryText), .init("kind", kind?.queryText),
                    .init("subjectId", subjectId?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listReportCases`, read page by page as a loop asks for them.
    public func allReportCases(
        communityId: String? = nil, status: ReportListStatus? = nil, userId: String? = nil, kind: ReportedKind? = nil,
        subjectId: String? = nil, pageSize: Int? = nil
    ) -> PagedSequence<ReportCase> {
        PagedSequence {
            let page = try await self.listReportCases(
                communityId: communityId, status: status, userId: userId, kind: kind, subjectId: subjectId,
                limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get a report.
    ///
    /// - Parameter id: The id of the report.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `reportNotFound`.
    public func getReport(id: String) async throws -> Report {
        try await client.value(Call(.get, ["v1", "moderation", "reports", id]))
    }

    /// List the caller’s appeals, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listOwnAppeals(limit: Int? = nil, cursor: String? = nil) async throws -> OwnAppealPage {
        try await client.value(
            Call(
                .get, ["v1", "appeals"], query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listOwnAppeals`, read page by page as a loop asks for them.
    public func allOwnAppeals(pageSize: Int? = nil) -> PagedSequence<OwnAppeal> {
        PagedSequence {
            let page = try await self.listOwnAppeals(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Appeal against a moderation action.
    ///
    /// Allowed once for each entry about the caller that has not ended: a warning, removal, takedown, hold, ban,
    /// silence or suspension. Suspended users may appeal too.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAppealable`,
    ///   `bodyTooLarge`, `invalidValue`, `tooLong`, `idempotencyKeyReused`.
    @discardableResult
    public func appeal(_ body: NewAppeal, idempotencyKey: String? = nil) async throws -> FiledAppeal {
        try await client.value(Call(.post, ["v1", "appeals"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// List appeals that the caller may decide, newest first.
    ///
    /// - Parameters:
    ///   - communityId: Only those of this community.
    ///   - status: Only those with this status.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `communityNotFound`.
    public func listAppeals(
        communityId: String? = nil, status: AppealListStatus? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> AppealPage {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "appeals"],
                query: [
                    .init("communityId", communityId?.queryText), .init("status", status?.queryText),
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listAppeals`, read page by page as a loop asks for them.
    public func allAppeals(communityId: String? = nil, status: AppealListStatus? = nil, pageSize: Int? = nil)
        -> PagedSequence<Appeal>
    {
        PagedSequence {
            let page = try await self.listAppeals(communityId: communityId, status: status, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List the modlog, newest first.
    ///
    /// Site moderators see all entries, other moderators those of their communities. Filters are combined.
    ///
    /// - Parameters:
    ///   - communityId: Only those of this community.
    ///   - actorId: Only entries by this moderator.
    ///   - userId: Only entries about this user.
    ///   - postId: Only entries about this post.
    ///   - commentId: Only entries about this comment. Cannot be combined with `postId`.
    ///   - batch: Only entries of this batch.
    ///   - action: Only entries with this action.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`.
    public func listModlog(
        communityId: String? = nil, actorId: String? = nil, userId: String? = nil, postId: String? = nil,
        commentId: String? = nil, batch: String? = nil, action: ModlogAction? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws -> ModlogPage {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "modlog"],
                query: [
                    .init("communityId", communityId?.queryText), .init("actorId", actorId?.queryText),
                    .init("userId", userId?.queryText), .init("postId", postId?.queryText),
                    .init("commentId", commentId?.queryText), .init("batch", batch?.queryText),
                    .init("action", action?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listModlog`, read page by page as a loop asks for them.
    public func allModlog(
        communityId: String? = nil, actorId: String? = nil, userId: String? = nil, postId: String? = nil,
        commentId: String? = nil, batch: String? = nil, action: ModlogAction? = nil, pageSize: Int? = nil
    ) -> PagedSequence<ModlogEntry> {
        PagedSequence {
            let page = try await self.listModlog(
                communityId: communityId, actorId: actorId, userId: userId, postId: postId, commentId: commentId,
                batch: batch, action: action, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Verify the modlog.
    ///
    /// Verifies the hash chain from the first entry on: the digest of each entry covers that of its predecessor.
    /// For site moderators.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`.
    public func verifyModlog() async throws -> ModlogVerification {
        try await client.value(Call(.get, ["v1", "moderation", "modlog", "verify"]))
    }

    /// Erase the note of an entry.
    ///
    /// The hash chain stays valid. For admins.
    ///
    /// - Parameter entryId: The id of the entry.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`, `notFound`.
    public func eraseNote(entryId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "moderation", "modlog", entryId, "note"]))
    }

    /// List the public modlog, newest first.
    ///
    /// The modlog of the site or of a community, without moderators, users concerned, notes, warnings and cases.
    /// The modlog of a private community is only for its members.
    ///
    /// - Parameters:
    ///   - communityId: Only those of this community.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notMember`, `communityNotFound`.
    public func publicModlog(communityId: String? = nil, limit: Int? = nil, cursor: String? = nil) async throws
        -> PublicModlogPage
    {
        try await client.value(
            Call(
                .get, ["v1", "modlog"],
                query: [
                    .init("communityId", communityId?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `publicModlog`, read page by page as a loop asks for them.
    public func publicModlogItems(communityId: String? = nil, pageSize: Int? = nil) -> PagedSequence<PublicModlogEntry>
    {
        PagedSequence {
            let page = try await self.publicModlog(communityId: communityId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List moderation actions about the caller, newest first.
    ///
    /// Suspended users may read it too.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func ownModeration(limit: Int? = nil, cursor: String? = nil) async throws -> OwnModlogPage {
        try await client.value(
            Call(
                .get, ["v1", "me", "moderation"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `ownModeration`, read page by page as a loop asks for them.
    public func ownModerationItems(pageSize: Int? = nil) -> PagedSequence<OwnModlogEntry> {
        PagedSequence {
            let page = try await self.ownModeration(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List the caller's active strikes.
    ///
    /// Suspended users may read it too.
    public func ownStrikes() async throws -> StrikeList {
        try await client.value(Call(.get, ["v1", "me", "strikes"]))
    }

    /// Search for users, including suspended ones.
    ///
    /// `username` finds the user with exactly that name. `q` finds users whose usernames begin with it, then other
    /// matches. One of the two is required. For site moderators.
    ///
    /// - Parameters:
    ///   - query: The beginning of a username, or words in a name.
    ///   - username: A full username.
    ///   - limit: The maximum number of items.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`.
    public func findModeratedUsers(query: String? = nil, username: String? = nil, limit: Int? = nil) async throws
        -> ModeratedUsers
    {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "users"],
                query: [
                    .init("q", query?.queryText), .init("username", username?.queryText),
                    .init("limit", limit?.queryText),
                ]))
    }

    /// Get a user as moderators see them.
    ///
    /// For site moderators. With `communityId`, also for moderators of the community, and restricted to it: users
    /// who are or were members, have asked to join, are banned, or have commented there. Notes by site moderators
    /// are null for others.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - communityId: Only those of this community.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `totpSetupRequired`, `outranked`, `ownAffair`, `siteDecision`, `neverMember`, `banned`,
    ///   `communityArchived`, `userNotFound`.
    public func moderatedUser(userId: String, communityId: String? = nil) async throws -> ModeratedUserCard {
        try await client.value(
            Call(.get, ["v1", "moderation", "users", userId], query: [.init("communityId", communityId?.queryText)]))
    }

    /// Get a user’s home timeline with reasons.
    ///
    /// For site moderators.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `userNotFound`.
    public func exploreHome(userId: String, limit: Int? = nil, cursor: String? = nil) async throws -> ExploredHome {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "users", userId, "home"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `exploreHome`, read page by page as a loop asks for them.
    public func exploreHomeItems(userId: String, pageSize: Int? = nil) -> PagedSequence<ExploredItem> {
        PagedSequence {
            let page = try await self.exploreHome(userId: userId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Explain why a post is, or is not, in a user’s home timeline.
    ///
    /// For site moderators.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `userNotFound`.
    public func exploreWhy(userId: String, postId: String) async throws -> Verdict {
        try await client.value(Call(.get, ["v1", "moderation", "users", userId, "why", postId]))
    }

    /// List communities that the caller moderates, newest first.
    ///
    /// Site moderators get all communities. `q` searches by name.
    ///
    /// - Parameters:
    ///   - query: Words in the name.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listModeratedCommunities(query: String? = nil, limit: Int? = nil, cursor: String? = nil) async throws
        -> ModeratedCommunityPage
    {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "communities"],
                query: [
                    .init("q", query?.queryText), .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listModeratedCommunities`, read page by page as a loop asks for them.
    public func allModeratedCommunities(query: String? = nil, pageSize: Int? = nil) -> PagedSequence<ModeratedCommunity>
    {
        PagedSequence {
            let page = try await self.listModeratedCommunities(query: query, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get a community as its moderators see it.
    ///
    /// - Parameter communityId: The community's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `communityNotFound`.
    public func moderatedCommunity(communityId: String) async throws -> ModeratedCommunityCard {
        try await client.value(Call(.get, ["v1", "moderation", "communities", communityId]))
    }

    /// List members or banned users of a community.
    ///
    /// Newest first. `q` finds usernames that begin with it, on a single page.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - query: The beginning of a username.
    ///   - banned: List banned users instead of members.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `communityNotFound`.
    public func listModeratedMembers(
        communityId: String, query: String? = nil, banned: Bool? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> ModeratedMemberPage {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "communities", communityId, "members"],
                query: [
                    .init("q", query?.queryText), .init("banned", banned?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listModeratedMembers`, read page by page as a loop asks for them.
    public func allModeratedMembers(
        communityId: String, query: String? = nil, banned: Bool? = nil, pageSize: Int? = nil
    ) -> PagedSequence<ModeratedMemberItem> {
        PagedSequence {
            let page = try await self.listModeratedMembers(
                communityId: communityId, query: query, banned: banned, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get the dashboard of the server.
    ///
    /// Rates, windows and latencies cover the last minute, or the time since the previous call if that is longer.
    /// Latencies are in milliseconds. For site moderators.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`.
    public func dashboard() async throws -> Dashboard {
        try await client.value(Call(.get, ["v1", "moderation", "dashboard"]))
    }

    /// List rules of the site or of a community, oldest first.
    ///
    /// - Parameters:
    ///   - communityId: The community to query.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `accountSuspended`, `communityNotFound`.
    public func listRules(communityId: String? = nil, limit: Int? = nil, cursor: String? = nil) async throws -> RulePage
    {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "rules"],
                query: [
                    .init("communityId", communityId?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listRules`, read page by page as a loop asks for them.
    public func allRules(communityId: String? = nil, pageSize: Int? = nil) -> PagedSequence<Rule> {
        PagedSequence {
            let page = try await self.listRules(communityId: communityId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Create a rule.
    ///
    /// Without `communityId` a rule of the site, for its moderators; otherwise a rule of a community, for its
    /// moderators and those of the site. Posts and comments are judged when they are written, and again when they
    /// are edited. The strongest matching rule acts: `remove` (from the community, or a takedown outside
    /// communities), `hold` (in the queue, invisible to others until it is approved) or `flag` (a report by the
    /// server itself). A community's rules do not judge its moderators, and no rule judges site moderators. A held
    /// post is answered with 201 and `held: true`.
    ///
    /// `definition` depends on `kind`: `keyword` {words, wholeWords}, ignoring letter case; `pattern` {pattern}, a
    /// regular expression that is searched in time proportional to the text, ignoring letter case: literals, `.`,
    /// classes, `\d \w \s \b` and their negations, groups, `|`, `* + ? {n,m}`, `^`, `$`; `link` {domains, mode},
    /// including subdomains; `rate` {count, seconds}: more than `count` posts and comments by the author in that
    /// time; `newAccount` {maxAgeSeconds, minPosts}: a younger account, or one with fewer posts.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `accountSuspended`, `communityNotFound`, `limitReached`, `bodyTooLarge`, `invalidOrder`, `invalidValue`,
    ///   `tooLong`, `tooMany`, `idempotencyKeyReused`.
    @discardableResult
    public func createRule(_ body: NewRule, idempotencyKey: String? = nil) async throws -> Rule {
        try await client.value(
            Call(.post, ["v1", "moderation", "rules"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Try a rule on existing posts and comments.
    ///
    /// Judges each of the newest `last` posts and comments of the scope as of the time it was written. Nothing is
    /// changed.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `accountSuspended`, `communityNotFound`, `bodyTooLarge`, `invalidOrder`, `invalidValue`, `tooLong`,
    ///   `tooMany`.
    @discardableResult
    public func dryRunRule(_ body: RuleDryRunRequest) async throws -> RuleDryRun {
        try await client.value(Call(.post, ["v1", "moderation", "rules", "dry-run"], body: .json(body)))
    }

    /// Get a rule.
    ///
    /// - Parameter ruleId: The rule's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `accountSuspended`, `ruleNotFound`.
    public func rule(ruleId: String) async throws -> Rule {
        try await client.value(Call(.get, ["v1", "moderation", "rules", ruleId]))
    }

    /// Change, enable or disable a rule.
    ///
    /// - Parameter ruleId: The rule's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `accountSuspended`, `ruleNotFound`, `bodyTooLarge`, `invalidOrder`, `invalidValue`, `tooLong`, `tooMany`.
    @discardableResult
    public func changeRule(ruleId: String, _ body: RuleChange) async throws -> Rule {
        try await client.value(Call(.patch, ["v1", "moderation", "rules", ruleId], body: .json(body)))
    }

    /// Delete a rule; its past actions stay.
    ///
    /// - Parameter ruleId: The rule's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`,
    ///   `accountSuspended`, `ruleNotFound`.
    public func deleteRule(ruleId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "moderation", "rules", ruleId]))
    }

    /// List held posts and comments, oldest first.
    ///
    /// Items of the community, or, without `communityId`, of all that the caller moderates. `approvePost` and
    /// `approveComment` release an item, which then appears at its original position and notifies the users whom it
    /// mentions.
    ///
    /// - Parameters:
    ///   - communityId: The community to query.
    ///   - kind: The default is both.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `accountSuspended`, `communityNotFound`.
    public func listQueue(
        communityId: String? = nil, kind: ListQueueKind? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> QueuePage {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "queue"],
                query: [
                    .init("communityId", communityId?.queryText), .init("kind", kind?.queryText),
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listQueue`, read page by page as a loop asks for them.
    public func allQueue(communityId: String? = nil, kind: ListQueueKind? = nil, pageSize: Int? = nil) -> PagedSequence<
        QueueItem
    > {
        PagedSequence {
            let page = try await self.listQueue(communityId: communityId, kind: kind, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List classifiers of the site or of a community, oldest first.
    ///
    /// - Parameters:
    ///   - communityId: The community to query.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notPermitted`, `forbidden`, `accountSuspended`, `communityNotFound`.
    public func listClassifiers(communityId: String? = nil, limit: Int? = nil, cursor: String? = nil) async throws
        -> ClassifierPage
    {
        try await client.value(
            Call(
                .get, ["v1", "moderation", "classifiers"],
                query: [
                    .init("communityId", communityId?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `listClassifiers`, read page by page as a loop asks for them.
    public func allClassifiers(communityId: String? = nil, pageSize: Int? = nil) -> PagedSequence<Classifier> {
        PagedSequence {
            let page = try await self.listClassifiers(communityId: communityId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Create a classifier.
    ///
    /// For site moderators and the owner of the community. Each post and comment of the scope that no rule removes
    /// is sent with `POST` as JSON, {type: moderation.classify, data}, signed like webhooks. `data` has `userId`,
    /// `username`, `communityId`, and for a post `postId`, `caption`, `title`, `mediaUrl`, `thumbnailUrl`, `link`,
    /// `category` and `tags`, for a comment `commentId`, `onPostId` and `text`. A valid answer is 200 with
    /// {verdict: allow|hold|flag|remove, reason?, labels?}. After any other answer the request is repeated until
    /// `timeoutMs` have passed; then `fallback` applies. If that is `hold` or `remove`, the post is invisible until
    /// the answer arrives.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`, `forbidden`,
    ///   `accountSuspended`, `communityNotFound`, `limitReached`, `bodyTooLarge`, `invalidUrl`, `invalidValue`,
    ///   `tooLong`, `idempotencyKeyReused`.
    @discardableResult
    public func createClassifier(_ body: NewClassifier, idempotencyKey: String? = nil) async throws
        -> NewClassifierAnswer
    {
        try await client.value(
            Call(.post, ["v1", "moderation", "classifiers"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Change, enable or disable a classifier.
    ///
    /// - Parameter classifierId: The classifier's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`, `forbidden`,
    ///   `accountSuspended`, `classifierNotFound`, `bodyTooLarge`, `invalidUrl`, `invalidValue`, `tooLong`.
    @discardableResult
    public func changeClassifier(classifierId: String, _ body: ClassifierChange) async throws -> Classifier {
        try await client.value(Call(.patch, ["v1", "moderation", "classifiers", classifierId], body: .json(body)))
    }

    /// Delete a classifier; pending items get its fallback.
    ///
    /// - Parameter classifierId: The classifier's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notPermitted`, `forbidden`,
    ///   `accountSuspended`, `classifierNotFound`.
    public func deleteClassifier(classifierId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "moderation", "classifiers", classifierId]))
    }
}
