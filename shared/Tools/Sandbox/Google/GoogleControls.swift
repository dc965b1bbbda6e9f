import Hummingbird
import ServiceKit

/// `POST /_control/google/codes`: a user signs in with Google in the app.
struct GoogleControls: Sendable {
    let accounts: GoogleAccounts

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("codes", use: makeCode)
    }

    private func makeCode(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let order = try await SignInOrder.read(request, context)
        return try .snakeJSON(["authorization_code": accounts.authorize(order.signIn, expired: order.isExpired)])
    }
}
