import Hummingbird
import ServiceKit

/// Firebase Cloud Messaging, HTTP v1 (`https://fcm.googleapis.com`), and the issuer of its access tokens
/// (`https://oauth2.googleapis.com`).
///
/// Source: Anlaka contract 6.2, SeatCatcher contract 7, MOUP contract 7; Firebase's reference of FCM HTTP v1.
struct FCMProvider: Provider {
    /// Its name, and the first part of its paths.
    static let prefix = "fcm"
    let name = FCMProvider.prefix
    /// Directly below `/_control`, because its controls have two prefixes: one for Google's console, one for phones.
    let controls = ""

    private let tokens = FCMAccessTokens()
    private let answers = FCMTokenAnswers()
    private let messages = FCMMessages()
    private let latency = FCMLatency()

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        FCMTokenRoutes(tokens: tokens).add(to: group)
        FCMSendRoutes(tokens: tokens, answers: answers, messages: messages, latency: latency).add(to: group)
    }

    func addControls(to group: RouterGroup<SandboxContext>) {
        FCMControls(tokens: tokens, latency: latency).add(to: group.group("fcm"))
        PushControls(messages: messages, answers: answers).add(to: group.group("push"))
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        if path.hasPrefix("/oauth2/") { return GoogleError(status, "internal_failure", status.reasonPhrase).response }
        let codes: [HTTPResponse.Status: FCMError.Code] = [
            .tooManyRequests: .quotaExceeded, .internalServerError: .internal, .serviceUnavailable: .unavailable,
        ]
        let error = codes[status].map { FCMError($0) } ?? FCMError(status: status, message: status.reasonPhrase)
        return (try? error.response()) ?? .empty(status)
    }
}
