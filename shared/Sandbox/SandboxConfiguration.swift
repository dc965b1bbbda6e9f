import Logging
import ServiceHost

/// Where the sandbox listens, and whether it may run at all.
struct SandboxConfiguration: Sendable {
    /// `MADANG_ENV`.
    var environment: DeploymentEnvironment = .development
    /// `HOST`.
    var host = "127.0.0.1"
    /// `PORT`; 0 lets the system choose.
    var port = 8090
    /// `LOG_LEVEL`.
    var logLevel: Logger.Level = .info

    /// `SMS_KEY` and `SMS_SECRET`: the key that may send text messages; what the services use in development.
    var smsKey = "madang-development-sms-key"
    var smsSecret = "madang-development-sms-secret"

    /// `KAKAO_REST_KEY`: the key that may search for places; what the services use in development.
    var kakaoRESTKey = "madang-development-rest-key"

    /// `PORTONE_KEY` and `PORTONE_SECRET`: `imp_key` and `imp_secret` of the shop; what the services use in development.
    var portOneKey = "madang-development-portone-key"
    var portOneSecret = "madang-development-portone-secret"
    /// `PORTONE_WEBHOOK_URL`: where PortOne's webhooks go; nowhere when it is empty.
    var portOneWebhookURL = "http://127.0.0.1:8080/notices/portone"
    /// `PORTONE_WEBHOOK_PAUSE`, in seconds: how long PortOne waits before it brings a webhook again that was not taken.
    var portOneWebhookPause = Duration.seconds(60)

    /// Every default, for tests.
    init() {}

    init(_ settings: inout Settings) {
        environment = settings.environment
        host = settings.string("HOST", default: host)
        port = settings.int("PORT", default: port, in: 0...65_535)
        logLevel = settings.logLevel()
        smsKey = settings.string("SMS_KEY", default: smsKey)
        smsSecret = settings.string("SMS_SECRET", default: smsSecret)
        kakaoRESTKey = settings.string("KAKAO_REST_KEY", default: kakaoRESTKey)
        portOneKey = settings.string("PORTONE_KEY", default: portOneKey)
        portOneSecret = settings.string("PORTONE_SECRET", default: portOneSecret)
        portOneWebhookURL = settings.value(
            "PORTONE_WEBHOOK_URL",
            default: portOneWebhookURL,
            "an http(s) address, or empty"
        ) { url in
            url.isEmpty || ["http://", "https://"].contains(where: url.hasPrefix) ? url : nil
        }
        portOneWebhookPause = settings.seconds("PORTONE_WEBHOOK_PAUSE", default: 60)
    }
}
