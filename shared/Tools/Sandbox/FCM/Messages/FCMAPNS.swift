import Values

/// The part of a message for Apple's devices: `message.apns`.
///
/// Source: Anlaka contract 6.2; Apple, "Sending notification requests to APNs" and "Generating a remote notification".
struct FCMAPNS: Sendable {
    /// The headers by name in lower case.
    private(set) var headers: [String: String] = [:]
    /// The payload for APNs: `aps` and the app's own members.
    private(set) var payload: JSONTree?

    /// The maximum size of `apns-collapse-id`, in bytes.
    private static let collapseLimit = 64

    /// - Parameter message: The fields of `message`.
    /// - Throws: `FCMError` with the invalid field.
    init(_ message: FCMFields) throws(FCMError) {
        let names: Set = ["headers", "payload", "fcm_options", "live_activity_token"]
        guard let apns = try message.fields("apns", knowing: names) else { return }
        for (name, value) in try apns.texts("headers") { headers[name.lowercased()] = value }
        payload = try apns.object("payload")
        if let priority = headers["apns-priority"], priority != "5", priority != "10" {
            throw .invalid("message.apns.headers.apns-priority", "apns-priority must be 5 or 10.")
        }
        if let id = collapseID, id.utf8.count > Self.collapseLimit {
            let rule = "apns-collapse-id must have at most \(Self.collapseLimit) bytes."
            throw .invalid("message.apns.headers.apns-collapse-id", rule)
        }
        try checkAPS()
    }

    /// The id of a push, the same in each attempt.
    var id: String? { headers["apns-id"] }

    /// The id of notifications of which a device shows only the newest.
    var collapseID: String? { headers["apns-collapse-id"] }

    /// The part of the payload that APNs evaluates.
    var aps: JSONTree? { payload?["aps"] }

    private func checkAPS() throws(FCMError) {
        guard let aps else { return }
        guard case .object = aps else { throw .invalid("message.apns.payload.aps", "aps must be an object.") }
        switch aps["alert"] {
        case nil, .null, .string, .object: return
        default: throw .invalid("message.apns.payload.aps.alert", "alert must be a string or an object.")
        }
    }
}
