import Database
import GraphAPI
import GraphServices
import Hummingbird
import Sessions
import SocialGraph

/// The caller's own account.
struct ProfileRoutes: Sendable {
    let graph: GraphStore
    let accounts: AccountService
    let publicURL: @Sendable (String) -> String

    /// `GET /v1/me`
    @Sendable func me(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await ownAccount(context.requireCaller())
    }

    /// `PATCH /v1/me` {username?, displayName?, bio?, profilePicUrl?, profilePicData?, email?, currentPassword?,
    /// isBusiness?, isPrivate?, selectedAlgorithms?, preferences?, homeTopics?, homeCommunities?,
    /// autoAcceptCollaborations?} → the account as in `GET /v1/me`. Another email address needs `currentPassword`.
    @Sendable func changeMe(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireVerifiedCaller()
        let holders: [BudgetHolder] = [.user(caller.user.rawValue), .address(context.addressBlock(of: request))]
        return try await request.withPictureBody(.profilePictures, of: holders, accounts.budgets) { bytes in
            var body = try StrictObject(bytes)
            var (change, picture) = try Self.change(&body)
            let password = try body.optionalAnyString("currentPassword")
            try body.end()
            try await accounts.confirmEmail(
                in: &change, password: password, of: caller, from: LoginOrigin(request, context))
            try await accounts.changeProfile(of: caller.user, change, picture: picture)
            return try await ownAccount(caller.user)
        }
    }

    /// Reads the change, and the picture to be stored first.
    private static func change(_ body: inout StrictObject) throws -> (ProfileChange, picture: [UInt8]?) {
        var change = ProfileChange()
        change.username = try body.optionalUsername("username")
        change.displayName = try body.optionalWording("displayName", maxLength: SocialGraphLimits.displayNameLength)
        change.bio = try body.optionalWording("bio", maxLength: SocialGraphLimits.bioLength)
        change.email = try body.optionalEmail("email")
        change.isBusiness = try body.optionalBool("isBusiness")
        change.isPrivate = try body.optionalBool("isPrivate")
        change.algorithms = try body.optionalStrings(
            "selectedAlgorithms", maxCount: SocialGraphLimits.filterTags, maxLength: SocialGraphLimits.tagLength)
        change.preferences = try body.optionalAttributes(
            "preferences", vocabulary: AttributeVocabulary.preferences)
        change.topicsInHome = try body.optionalBool("homeTopics")
        change.communitiesInHome = try body.optionalBool("homeCommunities")
        change.autoAcceptance = try body.optionalChoice("autoAcceptCollaborations", of: AutoAcceptance.allCases)
        if body.isNull("profilePicUrl") { change.picture = ProfileChange.Picture.none }
        if let url = try body.optionalURL("profilePicUrl") { change.picture = .at(url: url) }
        let picture = try body.optionalBytes("profilePicData")
        guard picture == nil || change.picture == nil else {
            throw Problem(
                .invalidValue, "Give \"profilePicUrl\" or \"profilePicData\", not both.", field: "profilePicData")
        }
        return (change, picture)
    }

    private func ownAccount(_ user: UserID) async throws -> Response {
        guard let account = try await graph.accounts.account(user) else { throw GraphError.accountNotFound }
        let preferences = try await graph.accounts.preferences(of: user)
        let isConfirmed = try await graph.accountTokens.isEmailConfirmed(of: user)
        return .json(reservingCapacity: 1_024) {
            $0.ownAccount(account, preferences, isEmailConfirmed: isConfirmed, publicURL)
        }
    }
}
