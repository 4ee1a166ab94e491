import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import SocialGraph

extension Request {
    /// Reads the body of a sign-up and calls `act` with it. Every body may have a few kilobytes. One that announces or
    /// proves to be larger, such as one with a picture in Base64, needs a slot, which it keeps until `act` returns.
    ///
    /// - Throws: `Problem` 413 `body_too_large`, 429 `rate_limited`, 503 `busy`; the errors of `act`.
    package func withSignUpBody(
        _ context: GraphRequestContext, _ budgets: Budgets, _ act: (ByteBuffer) async throws -> Response
    ) async throws -> Response {
        var slot: BudgetSlot?
        defer { slot?.release() }
        func takeSlot() throws {
            guard slot == nil else { return }
            slot = try budgets.slot(.signUpPictures, for: .address(context.addressBlock(of: self)))
        }
        if let length = headers[.contentLength].flatMap({ Int($0) }) {
            try Self.refuse(length)
            if length > RequestLimits.credentialBodyBytes { try takeSlot() }
        }
        var whole = ByteBuffer()
        do {
            for try await var part in self.body {
                let length = whole.readableBytes + part.readableBytes
                try Self.refuse(length)
                if length > RequestLimits.credentialBodyBytes { try takeSlot() }
                whole.writeBuffer(&part)
            }
        } catch let error where error is IOError || error is ChannelError {
            throw Request.cutOff(error)
        }
        return try await act(whole)
    }

    private static func refuse(_ length: Int) throws {
        guard length > RequestLimits.pictureBodyBytes else { return }
        throw Problem(
            describing: NIOTooManyBytesError(maxBytes: RequestLimits.pictureBodyBytes),
            bodyLimit: RequestLimits.pictureBodyBytes)
    }
}

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
