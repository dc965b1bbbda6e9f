import HTTPTypes
import Values

/// The content and target of a message, as sent to `messages:send`.
struct FCMContent: Sendable {
    /// Whether the message is only validated, not delivered.
    var isValidationOnly: Bool
    var target: FCMTarget
    var notification: Notification
    var data: [String: String]
    var apns: FCMAPNS

    struct Notification: Sendable, Equatable {
        var title: String?
        var body: String?
        var image: String?
    }

    /// The maximum total size of `notification`, `data` and `apns.payload` in bytes, each as compact JSON: their share
    /// of Apple's limit for a notification. FCM's own additions are not counted.
    static let sizeLimit = 4096

    /// - Parameter bytes: The body of the call.
    /// - Throws: `FCMError`, 400 with the invalid field.
    init(parsing bytes: [UInt8]) throws(FCMError) {
        let body = try FCMFields(Self.tree(bytes), knowing: ["message", "validate_only"])
        isValidationOnly = try body.flag("validate_only")
        guard let message = try body.fields("message", knowing: Self.fields) else {
            throw .invalid("message", "Message is not set.")
        }
        for platform in ["android", "webpush", "fcm_options"] { _ = try message.object(platform) }
        target = try FCMTarget(message)
        let shown = try message.fields("notification", knowing: ["title", "body", "image"])
        notification = Notification(
            title: try shown?.text("title"),
            body: try shown?.text("body"),
            image: try shown?.text("image")
        )
        data = try message.texts("data")
        for key in data.keys where !Self.isFree(key) {
            throw .invalid("message.data", "Invalid data payload key: \(key)")
        }
        apns = try FCMAPNS(message)
        let parts = [try message.object("notification"), try message.object("data"), apns.payload]
        let size = parts.reduce(0) { $0 + ($1?.text.utf8.count ?? 0) }
        guard size <= Self.sizeLimit else {
            throw .invalid("message", "Message is too big: \(size) bytes, where \(Self.sizeLimit) are allowed.")
        }
    }

    private static let fields: Set = [
        "name", "data", "notification", "android", "webpush", "apns", "fcm_options", "token", "topic", "condition",
    ]

    private static func tree(_ bytes: [UInt8]) throws(FCMError) -> JSONTree {
        do {
            return try JSONTree(parsing: bytes, refusesRepeatedNames: true)
        } catch {
            switch error {
            case .malformed:
                throw FCMError(status: .badRequest, message: "Invalid JSON payload received. Unexpected token.")
            case .repeated(let name):
                throw .unreadable(name, "Invalid JSON payload received. Repeated name \"\(name)\".")
            }
        }
    }

    /// Whether apps may use a key of `data`; some are reserved by FCM.
    private static func isFree(_ key: String) -> Bool {
        !key.isEmpty && key != "from" && !key.hasPrefix("gcm") && !key.hasPrefix("google")
    }
}
