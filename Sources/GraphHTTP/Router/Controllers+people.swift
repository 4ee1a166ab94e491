import Hummingbird

// The routes of accounts, sessions, people and their notifications.

extension ProfileRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/me", use: me)
        v1.patch("/me", use: changeMe)
    }
}

extension DeletionRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.delete("/me", use: delete)
    }
}

extension ExportRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/me/export", use: export)
    }
}

extension UserRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/users/by-username/{username}", use: userByName)
        v1.get("/users/{id}", use: user)
    }
}

extension SessionRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/auth/logout", use: logOut)
        v1.post("/auth/logout-everywhere", use: logOutEverywhere)
        v1.put("/me/password", use: changePassword)
        v1.get("/me/sessions", use: list)
        v1.get("/me/logins", use: logins)
        v1.delete("/me/sessions/{id}", use: end)
    }
}

extension RecoveryRoutes: Controller {
    /// The routes without a bearer token.
    func addOpenRoutes(to open: RouterGroup<GraphRequestContext>) {
        open.post("/auth/password-reset", use: requestPasswordReset)
        open.post("/auth/password-reset/confirm", use: resetPassword)
        open.post("/auth/email/confirm", use: confirmEmail)
    }

    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/auth/email/confirmation", use: requestConfirmation)
    }
}

extension AuthenticatorRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/me/totp", use: state)
        v1.post("/me/totp", use: begin)
        v1.post("/me/totp/confirm", use: confirm)
        v1.post("/me/totp/recovery-codes", use: replaceRecoveryCodes)
        v1.delete("/me/totp", use: remove)
    }
}

extension FollowRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/users/{id}/follow", use: follow)
        v1.delete("/users/{id}/follow", use: unfollow)
        v1.get("/users/{id}/followers", use: followers)
        v1.get("/users/{id}/following", use: following)
        v1.get("/users/{id}/mutuals", use: mutuals)
    }
}

extension FollowRequestRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/me/follow-requests", use: requests)
        v1.get("/me/follow-requests/sent", use: sent)
        v1.put("/me/follow-requests/{userId}", use: approve)
        v1.delete("/me/follow-requests/{userId}", use: decline)
    }
}

extension BlockRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/users/{id}/block", use: block)
        v1.delete("/users/{id}/block", use: unblock)
        v1.get("/me/blocks", use: blocks)
    }
}

extension MuteRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/users/{id}/mute", use: mute)
        v1.delete("/users/{id}/mute", use: unmute)
        v1.get("/me/mutes", use: mutes)
    }
}

extension MutedWordRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/me/muted-words", use: mute)
        v1.get("/me/muted-words", use: words)
        v1.delete("/me/muted-words/{id}", use: unmute)
    }
}

extension NotificationRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/notifications", use: notifications)
        v1.get("/notifications/unread-count", use: unreadCount)
        v1.put("/notifications/read", use: markAllRead)
        v1.put("/notifications/{id}/read", use: markRead)
    }
}

extension DeviceRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/me/devices/{token}", use: register)
        v1.get("/me/devices", use: devices)
        v1.delete("/me/devices/{token}", use: remove)
    }
}

extension PushSettingsRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/me/push-settings", use: settings)
        v1.put("/me/push-settings", use: setSettings)
        v1.get("/me/reminders", use: reminders)
        v1.put("/me/reminders", use: setReminders)
    }
}

extension ServiceTokenRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/admin/service-tokens", use: add)
        v1.get("/admin/service-tokens", use: tokens)
        v1.delete("/admin/service-tokens/{id}", use: revoke)
    }
}

extension WebhookRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/me/webhooks", use: add)
        v1.get("/me/webhooks", use: webhooks)
        v1.delete("/me/webhooks/{id}", use: remove)
        v1.get("/me/webhooks/{id}/deliveries", use: deliveries)
        v1.post("/me/webhooks/{id}/deliveries/{deliveryId}/retry", use: retry)
    }
}
