import SocialGraph

extension GraphStore {
    package var devices: DeviceStore { DeviceStore(database: database) }
    package var pushDeliveries: PushDeliveryStore { PushDeliveryStore(database: database) }
    package var pushEvents: PushEventStore { PushEventStore(database: database) }
    package var pushSettings: PushSettingStore { PushSettingStore(database: database) }
    package var webhooks: WebhookStore { WebhookStore(database: database) }
}
