import NIOHTTP1
import Testing

@testable import Gateway

extension KeyedPhone {
    /// Registers the device's FCM token; an empty one unregisters the device.
    func say(device: String, at location: SourceLocation = #_sourceLocation) async throws {
        try await ask(
            .PUT,
            "/v1/users/deviceToken",
            #"{"deviceToken":"\#(device)"}"#,
            200,
            .object([:]),
            at: location
        )
    }

    /// Turns pushes of a kind on or off.
    func prefer(_ kind: String, _ isPushed: Bool, at location: SourceLocation = #_sourceLocation) async throws {
        let body = #"{"preferences":[{"kind":"\#(kind)","isPushed":\#(isPushed)}]}"#
        let kinds = JSONShape.list(.object(["kind": .text, "isPushed": .flag]))
        let path = "/v1/notifications/preferences"
        try await ask(.PUT, path, body, 200, .object(["preferences": kinds]), at: location)
    }

    /// The user's notification list, the latest first.
    func notices() async throws -> JSONValue {
        let answer = try await platform.send(.GET, "/v1/notifications", key: key, token: token)
        try #require(answer.status == 200, "\(answer.body)")
        return try answer.value(JSONValue.self)
    }
}
