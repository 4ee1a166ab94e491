import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Reads a body that may hold a picture in Base64, and calls `act` with it. Every body may have a few kilobytes.
    /// One that announces or proves to be larger needs a slot of `budget`, which it keeps until `act` returns.
    ///
    /// - Throws: `Problem` 413 `body_too_large`, 429 `rate_limited`, 503 `busy`; the errors of `act`.
    func withPictureBody(
        _ budget: SlotBudget, of holders: [BudgetHolder], _ budgets: Budgets,
        _ act: (ByteBuffer) async throws -> Response
    ) async throws -> Response {
        var slot: BudgetSlot?
        defer { slot?.release() }
        func takeSlot() throws {
            guard slot == nil else { return }
            slot = try budgets.slot(budget, for: holders)
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

    /// Reads the body of a sign-up as described for ``withPictureBody(_:of:_:_:)``, for the client's address.
    package func withSignUpBody(
        _ context: GraphRequestContext, _ budgets: Budgets, _ act: (ByteBuffer) async throws -> Response
    ) async throws -> Response {
        try await withPictureBody(.signUpPictures, of: [.address(context.addressBlock(of: self))], budgets, act)
    }

    private static func refuse(_ length: Int) throws {
        guard length > RequestLimits.pictureBodyBytes else { return }
        throw Problem(
            describing: NIOTooManyBytesError(maxBytes: RequestLimits.pictureBodyBytes),
            bodyLimit: RequestLimits.pictureBodyBytes)
    }
}
