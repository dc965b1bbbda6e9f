import FoundationEssentials
import Hummingbird
import ServiceLifecycle

/// Wraps a provider's routes: records every call, then applies the configured fault.
struct FaultMiddleware: RouterMiddleware {
    typealias Context = SandboxContext

    let provider: any Provider
    let state: ScenarioState

    /// Longer than the timeout of any client.
    private static let silence = Duration.seconds(120)

    func handle(
        _ request: Request,
        context: SandboxContext,
        next: @concurrent (Request, SandboxContext) async throws -> Response
    ) async throws -> Response {
        var request = request
        let body = try await request.collectBody(upTo: provider.bodyLimit)
        let path = provider.path(of: request)
        state.record(
            Call(
                provider: provider.name,
                method: request.method.rawValue,
                path: path,
                query: request.uri.query ?? "",
                body: body.readableBytes <= context.maxUploadSize ? String(buffer: body) : "",
                at: Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            )
        )
        switch state.takeFault(of: provider.name) {
        case nil:
            return try await next(request, context)
        case .http(let status):
            return provider.refusal(status, at: path)
        case .slow(let delay):
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: delay) }
            return try await next(request, context)
        case .timeout:
            return try await silence(path)
        case .lost:
            var context = context
            context.losesResponse = true
            _ = try? await next(request, context)
            return try await silence(path)
        }
    }

    /// A response after the timeout of any client.
    private func silence(_ path: String) async throws -> Response {
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.silence) }
        return provider.refusal(.gatewayTimeout, at: path)
    }
}
