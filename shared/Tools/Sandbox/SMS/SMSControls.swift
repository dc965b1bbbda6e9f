import Hummingbird
import ServiceKit

/// `GET /_control/sms?to=`: the text messages of a phone.
struct SMSControls: Sendable {
    let phones: SMSPhones

    func add(to group: RouterGroup<SandboxContext>) {
        group.get(use: list)
    }

    private func list(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(["messages": phones.messages(to: request.query("to"))])
    }
}
