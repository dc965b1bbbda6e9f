import Crypto
import FoundationEssentials
import ServiceKit

/// URLs and credentials of the providers.
struct ProviderSettings: Sendable {
    /// `KAKAO_URL`.
    var kakaoURL = ""
    /// `KAKAO_APP_IDS`.
    var kakaoAppIDs = AppIDs("1")
    /// `KAKAO_ADMIN_KEY`: required to unlink users.
    var kakaoAdminKey = "madang-development-admin-key"
    /// `APPLE_URL`.
    var appleURL = ""
    /// `APPLE_AUDIENCES`: the client ids of our apps, which are their bundle ids.
    var appleAudiences = AppIDs("madang.dev")
    /// `APPLE_TEAM_ID`, `APPLE_KEY_ID` and `APPLE_PRIVATE_KEY`: the inputs of the client secret. In development the key
    /// is generated at startup.
    var appleTeamID = "TEAM000000"
    var appleKeyID = "KEY0000000"
    var applePrivateKey = P256.Signing.PrivateKey()
    /// `GOOGLE_URL`.
    var googleURL = ""
    /// `GOOGLE_KEYS_URL`: Google publishes its keys on a separate host.
    var googleKeysURL = ""
    /// `GOOGLE_CLIENT_IDS`.
    var googleClientIDs = AppIDs("madang.dev")
    /// `GOOGLE_CLIENT_SECRET`.
    var googleClientSecret = "madang-development-google-secret"
    /// `SMS_URL`.
    var smsURL = ""
    /// `SMS_KEY` and `SMS_SECRET`.
    var smsKey = "madang-development-sms-key"
    var smsSecret = "madang-development-sms-secret"
    /// `SMS_SENDER`: the sender's phone number.
    var smsSender = "0215771577"

    /// Defaults, for tests.
    init() {
        move(to: HostConfiguration.noServer)
    }

    /// Points every provider to a sandbox.
    mutating func move(to sandbox: String) {
        kakaoURL = "\(sandbox)/kakao"
        appleURL = "\(sandbox)/apple"
        googleURL = "\(sandbox)/google"
        googleKeysURL = "\(sandbox)/google/oauth2/v3/certs"
        smsURL = "\(sandbox)/sms"
    }

    init(_ settings: inout Settings) {
        self.init()
        move(to: "http://127.0.0.1:8090")
        kakaoURL = settings.outside("KAKAO_URL", sandbox: kakaoURL, "Kakao's API")
        kakaoAppIDs = settings.appIDs("KAKAO_APP_IDS", development: "1", "app ids at Kakao, for all apps or as app=id")
        kakaoAdminKey = settings.credential(
            "KAKAO_ADMIN_KEY",
            development: kakaoAdminKey,
            "admin key, which ends links of users"
        )
        appleURL = settings.outside("APPLE_URL", sandbox: appleURL, "Sign in with Apple")
        appleAudiences = settings.appIDs(
            "APPLE_AUDIENCES",
            development: "madang.dev",
            "bundle ids of the apps, for all or as app=id"
        )
        appleTeamID = settings.credential("APPLE_TEAM_ID", development: appleTeamID, "team id for the client secret")
        appleKeyID = settings.credential("APPLE_KEY_ID", development: appleKeyID, "key id for the client secret")
        _ = settings.credential(
            "APPLE_PRIVATE_KEY",
            development: "",
            "the .p8 key in one line, line ends written as \\n"
        )
        applePrivateKey = settings.value(
            "APPLE_PRIVATE_KEY",
            default: applePrivateKey,
            "a P-256 key in PEM",
            "the .p8 key in one line, line ends written as \\n"
        ) { text in
            try? P256.Signing.PrivateKey(pemRepresentation: text.replacing("\\n", with: "\n"))
        }
        googleURL = settings.outside("GOOGLE_URL", sandbox: googleURL, "Google's token endpoint")
        googleKeysURL = settings.outside(
            "GOOGLE_KEYS_URL",
            sandbox: "\(googleURL)/oauth2/v3/certs",
            "Google's published keys"
        )
        googleClientIDs = settings.appIDs(
            "GOOGLE_CLIENT_IDS",
            development: "madang.dev",
            "OAuth client ids, for all apps or as app=id"
        )
        googleClientSecret = settings.credential(
            "GOOGLE_CLIENT_SECRET",
            development: googleClientSecret,
            "OAuth client secret"
        )
        smsURL = settings.outside("SMS_URL", sandbox: smsURL, "Solapi's API")
        smsKey = settings.credential("SMS_KEY", development: smsKey, "Solapi's API key")
        smsSecret = settings.credential("SMS_SECRET", development: smsSecret, "Solapi's API secret")
        smsSender = settings.credential("SMS_SENDER", development: smsSender, "number that text messages come from")
    }
}
