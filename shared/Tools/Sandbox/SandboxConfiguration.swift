import Logging
import ServiceKit

/// The configuration of the sandbox.
struct SandboxConfiguration: Sendable {
    /// `MADANG_ENV`.
    var environment: DeploymentEnvironment = .development
    /// `HOST`.
    var host = "127.0.0.1"
    /// `PORT`; 0 lets the system choose.
    var port = 8090
    /// `LOG_LEVEL`.
    var logLevel: Logger.Level = .info

    /// `SMS_KEY` and `SMS_SECRET`: the API key for text messages; the default is that of the services in development.
    var smsKey = "madang-development-sms-key"
    var smsSecret = "madang-development-sms-secret"

    /// `KAKAO_REST_KEY`: the API key for the search of places; the default is that of the services in development.
    var kakaoRESTKey = "madang-development-rest-key"

    /// `PORTONE_KEY` and `PORTONE_SECRET`: `imp_key` and `imp_secret` of the merchant; the defaults are those of the
    /// services in development.
    var portOneKey = "madang-development-portone-key"
    var portOneSecret = "madang-development-portone-secret"
    /// `PORTONE_WEBHOOK_URL`: the target of PortOne's webhooks; empty for none.
    var portOneWebhookURL = "http://127.0.0.1:8080/notices/portone"
    /// `PORTONE_WEBHOOK_PAUSE`, in seconds: the pause before a failed webhook is sent again.
    var portOneWebhookPause = Duration.seconds(60)

    /// Creates a configuration with every default, for tests.
    init() {}

    init(_ settings: inout Settings) {
        environment = settings.environment
        host = settings.string("HOST", default: host, "address to listen on")
        port = settings.int("PORT", default: port, in: 0...65_535, "port to listen on; 0 lets the system choose")
        logLevel = settings.logLevel()
        smsKey = settings.string("SMS_KEY", default: smsKey, "Solapi's API key")
        smsSecret = settings.string("SMS_SECRET", default: smsSecret, "Solapi's API secret")
        kakaoRESTKey = settings.string("KAKAO_REST_KEY", default: kakaoRESTKey, "REST key for the search for places")
        portOneKey = settings.string("PORTONE_KEY", default: portOneKey, "PortOne's REST API key (imp_key)")
        portOneSecret = settings.string(
            "PORTONE_SECRET",
            default: portOneSecret,
            "PortOne's REST API secret (imp_secret)"
        )
        portOneWebhookURL = settings.value(
            "PORTONE_WEBHOOK_URL",
            default: portOneWebhookURL,
            "an http(s) address, or empty",
            "where webhooks are sent; empty for nowhere"
        ) { url in
            url.isEmpty || ["http://", "https://"].contains(where: url.hasPrefix) ? url : nil
        }
        portOneWebhookPause = settings.seconds(
            "PORTONE_WEBHOOK_PAUSE",
            default: 60,
            "seconds before a webhook is sent again that was not taken"
        )
    }
}
