import Hummingbird

/// `POST /users/getToken`.
struct PortOneTokenRoutes: Sendable {
    let tokens: PortOneTokens

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("users/getToken", use: token)
    }

    private func token(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let fields = try await PortOneFields(request, context)
        return try .portOne(
            tokens.token(key: fields.required("imp_key"), secret: fields.required("imp_secret"))
        )
    }
}
