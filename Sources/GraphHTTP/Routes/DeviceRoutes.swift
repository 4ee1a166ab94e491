import Foundation
import GraphAPI
import GraphServices
import Hummingbird
import Push
import SocialGraph

/// The devices that receive the caller's notifications.
struct DeviceRoutes: Sendable {
    let graph: GraphStore

    /// `PUT /v1/me/devices/{token}` {platform, app?} → 204; `token`: FCM's registration token, which belongs to the
    /// caller from now on
    @Sendable func register(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (caller, token) = (try context.requireCaller(), try context.deviceToken())
        var body = try StrictObject(await request.bodyBytes())
        let platform = try body.choice("platform", of: Device.Platform.allCases)
        let app = try body.optionalString("app", maxLength: RequestLimits.appNameLength)
        try body.end()
        try await graph.devices.registerDevice(token, platform: platform, app: app, of: caller)
        return .noContent
    }

    /// `GET /v1/me/devices` → {items: [{token, platform, app, createdAt}]}, all of them, the latest first
    @Sendable func devices(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let devices = try await graph.devices.devices(of: context.requireCaller())
        return .json { json in json.items(devices) { $0.device($1) } }
    }

    /// `DELETE /v1/me/devices/{token}` → 204, also if it was not registered
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.devices.removeDevice(context.deviceToken(), of: context.requireCaller())
        return .noContent
    }
}

extension GraphRequestContext {
    /// Returns the registration token named by `{token}`. Only FCM knows its allowed characters.
    fileprivate func deviceToken() throws -> String {
        let token = parameters.get("token")?.removingPercentEncoding ?? ""
        guard PushLimits.deviceTokenLength.contains(token.utf8.count),
            token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            let length = PushLimits.deviceTokenLength
            throw Problem(
                .invalidValue,
                "A token must be \(length.lowerBound) to \(length.upperBound) visible ASCII characters.", field: "token"
            )
        }
        return token
    }
}
