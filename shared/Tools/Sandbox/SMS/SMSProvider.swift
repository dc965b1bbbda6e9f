import Hummingbird
import ServiceKit

/// Text messages by Solapi (`https://api.solapi.com`, formerly CoolSMS): one message per call.
///
/// Source: With Suhyeon contract 7.1; Solapi's documentation of its API v4. Errors are `{errorCode, errorMessage}`.
struct SMSProvider: Provider {
    let name = "sms"
    private let key: SMSKey
    private let phones = SMSPhones()

    /// - Parameter key: The only accepted key.
    init(key: SMSKey) {
        self.key = key
    }

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        SMSRoutes(key: key, phones: phones).add(to: group)
    }

    /// `GET /_control/sms?to=&limit=`: the text messages of a phone, or of all.
    func addControls(to group: RouterGroup<SandboxContext>) {
        group.get { request, _ in
            let messages = phones.messages(to: request.query("to"))
            return try Response.snakeJSON(["messages": Array(messages.prefix(request.limit()))])
        }
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        SMSError(status, status == .notFound ? "NotFound" : "InternalError", status.reasonPhrase).response
    }
}

/// An error in Solapi's format.
struct SMSError: ProviderError {
    var status: HTTPResponse.Status
    var code: String
    var message: String

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    var response: Response {
        (try? .snakeJSON(["errorCode": code, "errorMessage": message], status: status)) ?? .empty(status)
    }
}
