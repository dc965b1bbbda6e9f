import Apps
import Hummingbird
import ServiceKit

/// The controls for Google's console and for time, below `/_control/fcm`.
struct FCMControls: Sendable {
    let tokens: FCMAccessTokens
    let latency: FCMLatency

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("service-accounts/:project", use: serviceAccount)
        group.post("tokens", use: giveToken)
        group.post("tokens/expire", use: expireTokens)
        group.post("latency", use: setLatency)
    }

    private func serviceAccount(_ request: Request, _ context: SandboxContext) throws -> Response {
        let project = try Self.checked(context.parameters.get("project") ?? "")
        let address = FCMTokenRoutes.address(asReachedBy: request)
        return try .snakeJSON(
            FCMServiceAccount(project: project, tokenURI: address, key: .key(of: FCMProvider.prefix))
        )
    }

    private struct TokenRequest: Decodable {
        var project: String
    }

    private func giveToken(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let project = try Self.checked(await request.json(TokenRequest.self, context).project)
        return try .snakeJSON(["access_token": tokens.give(project: project)])
    }

    private static func checked(_ project: String) throws -> String {
        guard FCMServiceAccount.isProject(project) else {
            throw Problem(
                .invalid,
                message: "project must be at most 30 small letters, digits and hyphens, a letter first."
            )
        }
        return project
    }

    private func expireTokens(_ request: Request, _ context: SandboxContext) -> Response {
        tokens.expire()
        return .empty(.noContent)
    }

    private struct LatencyRequest: Decodable {
        var ms: Int
    }

    private func setLatency(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let milliseconds = try await request.json(LatencyRequest.self, context).ms
        try Problem.check(milliseconds, "ms", in: 0...600_000)
        latency.set(milliseconds: milliseconds)
        return .empty(.noContent)
    }
}
