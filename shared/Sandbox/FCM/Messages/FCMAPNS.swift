/// What a message has for Apple's phones alone: `message.apns`.
///
/// Source: Anlaka contract 6.2; Apple, "Sending notification requests to APNs" and "Generating a remote notification".
struct FCMAPNS: Sendable {
    /// By their names in small letters.
    private(set) var headers: [String: String] = [:]
    /// The notification as Apple's service gets it: `aps`, and what the app adds.
    private(set) var payload: JSONTree?

    /// Bytes that `apns-collapse-id` may have.
    private static let collapseLimit = 64

    /// - Parameter message: the fields of `message`.
    /// - Throws: `FCMError` with the field that is wrong.
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

    /// What names one push at each try of it.
    var id: String? { headers["apns-id"] }

    /// What names the notifications of which a phone shows the newest only.
    var collapseID: String? { headers["apns-collapse-id"] }

    /// What Apple itself reads of the payload.
    var aps: JSONTree? { payload?["aps"] }

    private func checkAPS() throws(FCMError) {
        guard let aps else { return }
        guard case .object = aps else { throw .invalid("message.apns.payload.aps", "aps must be an object.") }
        switch aps["alert"] {
        case nil, .null, .text, .object: return
        default: throw .invalid("message.apns.payload.aps.alert", "alert must be a string or an object.")
        }
    }
}
