import Crypto
import FoundationEssentials
import ServiceHost

/// Where the providers are, and what we are to them.
struct ProviderSettings: Sendable {
    /// `KAKAO_URL`.
    var kakaoURL = ""
    /// `KAKAO_APP_IDS`.
    var kakaoAppIDs = AppIDs("1")
    /// `KAKAO_ADMIN_KEY`: ends links of people with our app.
    var kakaoAdminKey = "madang-development-admin-key"
    /// `APPLE_URL`.
    var appleURL = ""
    /// `APPLE_AUDIENCES`: the client ids of our apps, which are their bundle ids.
    var appleAudiences = AppIDs("madang.dev")
    /// `APPLE_TEAM_ID`, `APPLE_KEY_ID` and `APPLE_PRIVATE_KEY`: what our client secret is made of. In development the key
    /// is made at the start.
    var appleTeamID = "TEAM000000"
    var appleKeyID = "KEY0000000"
    var applePrivateKey = P256.Signing.PrivateKey()
    /// `GOOGLE_URL`.
    var googleURL = ""
    /// `GOOGLE_KEYS_URL`: the published keys are on another host than the rest.
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
    /// `SMS_SENDER`: the number that messages come from.
    var smsSender = "0215771577"

    /// Every default, with the sandbox where it usually is.
    init() {
        move(to: "http://127.0.0.1:8090")
    }

    /// Finds every provider in a sandbox.
    mutating func move(to sandbox: String) {
        kakaoURL = "\(sandbox)/kakao"
        appleURL = "\(sandbox)/apple"
        googleURL = "\(sandbox)/google"
        googleKeysURL = "\(sandbox)/google/oauth2/v3/certs"
        smsURL = "\(sandbox)/sms"
    }

    init(_ settings: inout Settings) {
        self.init()
        kakaoURL = settings.outside("KAKAO_URL", sandbox: kakaoURL)
        kakaoAppIDs = settings.appIDs("KAKAO_APP_IDS", development: "1")
        kakaoAdminKey = settings.credential("KAKAO_ADMIN_KEY", development: kakaoAdminKey)
        appleURL = settings.outside("APPLE_URL", sandbox: appleURL)
        appleAudiences = settings.appIDs("APPLE_AUDIENCES", development: "madang.dev")
        appleTeamID = settings.credential("APPLE_TEAM_ID", development: appleTeamID)
        appleKeyID = settings.credential("APPLE_KEY_ID", development: appleKeyID)
        _ = settings.credential("APPLE_PRIVATE_KEY", development: "")
        applePrivateKey = settings.value("APPLE_PRIVATE_KEY", default: applePrivateKey, "a P-256 key in PEM") { text in
            try? P256.Signing.PrivateKey(pemRepresentation: text.replacing("\\n", with: "\n"))
        }
        googleURL = settings.outside("GOOGLE_URL", sandbox: googleURL)
        googleKeysURL = settings.outside("GOOGLE_KEYS_URL", sandbox: "\(googleURL)/oauth2/v3/certs")
        googleClientIDs = settings.appIDs("GOOGLE_CLIENT_IDS", development: "madang.dev")
        googleClientSecret = settings.credential("GOOGLE_CLIENT_SECRET", development: googleClientSecret)
        smsURL = settings.outside("SMS_URL", sandbox: smsURL)
        smsKey = settings.credential("SMS_KEY", development: smsKey)
        smsSecret = settings.credential("SMS_SECRET", development: smsSecret)
        smsSender = settings.credential("SMS_SENDER", development: smsSender)
    }
}
