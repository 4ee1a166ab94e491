extension GraphStore {
    /// Judges and carries out an order in one transaction: all of it, or nothing. A dry run is the same transaction,
    /// undone. `actor` nil: graphd itself, which may do everything. `rule` names the rule that made it do so.
    /// Throws ``ModerationError`` and ``GraphError``.
    package func moderate(
        _ order: ModerationOrder, by actor: UserID?, isDryRun: Bool = false
    ) async throws -> ModerationOutcome {
        throw GraphError.storage(detail: "not yet")
    }

    /// Takes back what is left of a batch, in one transaction; the caller must be allowed each of its actions. What an
    /// undo did is undone by undoing its own batch. Throws ``ModerationError/batchNotFound``,
    /// ``ModerationError/notPermitted(_:)``, ``ModerationError/outranked``.
    package func undo(
        _ batch: BatchID, by actor: UserID, reason: String = "", isDryRun: Bool = false
    ) async throws -> ModerationOutcome {
        throw GraphError.storage(detail: "not yet")
    }

    /// Ends at most `limit` effects whose time is over at `now` (milliseconds since 1970), each with an entry in the
    /// modlog. Returns when the next one ends; nil: none will.
    package func endExpired(at now: Int64, limit: Int = 100) async throws -> Int64? {
        throw GraphError.storage(detail: "not yet")
    }

    /// Sets a site role from the machine itself, without a moderator: how the first admin is made.
    package func appoint(_ role: SiteRole?, _ user: UserID, reason: String) async throws -> ModerationOutcome {
        throw GraphError.storage(detail: "not yet")
    }

    /// What `user` may do.
    package func authority(of user: UserID) async throws -> ModerationAuthority {
        throw GraphError.storage(detail: "not yet")
    }
}
