import Files
import Hummingbird
import Logging
import ServiceKit

/// Builds the sandbox: every provider below its prefix, with recorded calls and configured faults, and the controls.
///
/// - Throws: `SandboxError` in production.
func buildSandbox(_ configuration: SandboxConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    guard configuration.environment != .production else {
        throw SandboxError(
            "it emulates external systems for development, and refuses to run with MADANG_ENV=production"
        )
    }
    let portOneWebhooks = PortOneWebhooks(
        url: configuration.portOneWebhookURL,
        pause: configuration.portOneWebhookPause
    )
    let providers: [any Provider] = [
        KakaoProvider(restKey: configuration.kakaoRESTKey), try AppleProvider(), try GoogleProvider(),
        SMSProvider(key: SMSKey(id: configuration.smsKey, secret: configuration.smsSecret)), try SeoulProvider(),
        FCMProvider(), S3Provider(key: .development),
        PortOneProvider(
            key: configuration.portOneKey,
            secret: configuration.portOneSecret,
            webhooks: portOneWebhooks
        ),
    ]
    let state = ScenarioState(names: providers.map(\.name))

    let router = Router(context: SandboxContext.self)
    router.get("healthz") { _, _ in Response.text("ok") }
    router.get("readyz") { _, _ in Response.text("ready") }
    let control = router.group("_control")
    ControlRoutes(state: state).add(to: control)
    for provider in providers {
        provider.addControls(to: control.group(RouterPath(provider.controls)))
        let group = router.group(RouterPath(provider.name)).add(
            middleware: FaultMiddleware(provider: provider, state: state)
        )
        provider.addRoutes(to: group)
        for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
            group.on("**", method: method) { request, _ in try provider.respondToUnknownPath(request) }
        }
    }
    return Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname(configuration.host, port: configuration.port)),
        services: providers.flatMap(\.services),
        logger: logger
    )
}

/// Why the sandbox does not start.
struct SandboxError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
