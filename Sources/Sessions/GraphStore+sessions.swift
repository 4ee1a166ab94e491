import SocialGraph

extension GraphStore {
    package var accountTokens: AccountTokenStore { AccountTokenStore(database: database) }
    package var mailQueue: MailQueueStore { MailQueueStore(database: database) }
    package var serviceTokens: ServiceTokenStore { ServiceTokenStore(database: database) }
    package var sessions: SessionStore { SessionStore(database: database) }
    package var totp: TOTPStore { TOTPStore(database: database) }
}
