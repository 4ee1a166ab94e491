import GraphServices
import Hummingbird
import SocialGraph

extension SignUp {
    /// Reads the fields from `body`, which may have others.
    package init(_ body: inout StrictObject) throws {
        self.init(
            email: try body.email("email"), password: try body.anyString("password"),
            username: try body.username("username"),
            displayName: try body.optionalText("displayName", maxLength: SocialGraphLimits.displayNameLength) ?? "",
            picture: try body.optionalBytes("profilePicData"))
    }
}

extension AccountClient {
    package init(_ request: Request, _ context: GraphRequestContext) {
        let address = context.addressBlock(of: request)
        self.init(
            address: address, origin: LoginOrigin(request, context),
            caller: context.workCaller(of: request, as: .address(address)), logger: context.namedLogger)
    }
}
