import Contracts
import Postgres
import ServiceDatabase

/// A device with a push token.
struct DeviceID: RowIdentifier {
    let rawValue: Int64
}

/// A push to one device.
struct PushID: RowIdentifier {
    let rawValue: Int64
}

/// An announcement to all users of an app.
struct AnnouncementID: RowIdentifier {
    let rawValue: Int64
}

/// An entry of a list: of the in-app notifications, or of the announcements.
struct NotificationID: RowIdentifier {
    let rawValue: Int64
}
