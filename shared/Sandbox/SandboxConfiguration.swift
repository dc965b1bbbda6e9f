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
    }
}
