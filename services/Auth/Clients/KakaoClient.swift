import AsyncHTTPClient
import Contracts
import Crypto
import FoundationEssentials
import ServiceKit

/// Kakao's user API (SeatCatcher contract 7, Anlaka contract 6.3).
struct KakaoClient: Sendable {
    private let connection: ProviderConnection
    private let appIDs: AppIDs
    private let adminKey: String

    init(_ settings: ProviderSettings, http: HTTPClient) {
        connection = ProviderConnection(provider: "Kakao", baseURL: settings.kakaoURL, http: http)
        appIDs = settings.kakaoAppIDs
        adminKey = settings.kakaoAdminKey
    }

    /// The data to be fetched about a user.
    enum Detail: Sendable {
        case subject
        /// Also the verified address and the name, as far as the user shares them.
        case profile
    }

    /// The owner of an access token. A token issued to another app is rejected.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func identity(accessToken: String, app: App, _ detail: Detail = .subject) async throws -> SocialIdentity {
        guard !accessToken.isEmpty, accessToken.utf8.count <= 4096,
            accessToken.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw AccountError.socialTokenRefused }
        let info = try await ask("/v1/user/access_token_info", accessToken, TokenInfo.self)
        guard let appID = info.appID, appIDs[app].contains(String(appID)) else {
            throw AccountError.socialTokenRefused
        }
        var identity = SocialIdentity(provider: .kakao, subject: String(info.id))
        if case .profile = detail {
            let person = try await ask("/v2/user/me", accessToken, Person.self)
            identity.email = person.account?.verifiedEmail
            identity.name = person.account?.profile?.nickname
        }
        return identity
    }

    /// Ends the link between a user and the app. A link that does not exist counts as ended.
    ///
    /// - Throws: `ProviderUnavailable`.
    func unlink(subject: String) async throws {
        let form = ["target_id_type": "user_id", "target_id": subject]
        let answer = try await connection.post("/v1/user/unlink", form: form, authorization: "KakaoAK \(adminKey)")
        if answer.status == 200 || answer.value(Refusal.self)?.code == Refusal.notLinked { return }
        throw connection.refusesUs(answer, "/v1/user/unlink")
    }

    /// Whether the header of a webhook contains the admin key, which only Kakao and this service know.
    func isKakao(authorization: String?) -> Bool {
        let shown = SHA256.hash(data: Array((authorization ?? "").utf8))
        return shown == SHA256.hash(data: Array("KakaoAK \(adminKey)".utf8))
    }

    /// Decodes an unlink webhook; nil for one of another app. Kakao sends no webhook id, so a repeated delivery is
    /// handled again, and only ends the sessions once more.
    func notice(_ received: ReceivedWebhook) -> ProviderWebhook? {
        let fields = received.fields
        guard let appID = fields["app_id"], appIDs[received.app].contains(appID),
            let user = fields["user_id"], Int64(user) != nil, let cause = fields["referrer_type"], !cause.isEmpty
        else { return nil }
        return ProviderWebhook(
            id: received.id,
            app: received.app,
            provider: .kakao,
            subject: user,
            kind: cause.hasSuffix("ACCOUNT_DELETE") ? .deleted : .unlinked
        )
    }

    private func ask<Value: Decodable>(_ path: String, _ token: String, _ type: Value.Type) async throws -> Value {
        let answer = try await connection.get(path, authorization: "Bearer \(token)")
        guard answer.status == 200 else { throw AccountError.socialTokenRefused }
        guard let value = answer.value(Value.self) else { throw connection.unavailable }
        return value
    }

    private struct TokenInfo: Decodable {
        var id: Int64
        var appID: Int64?

        enum CodingKeys: String, CodingKey {
            case id
            case appID = "app_id"
        }
    }

    private struct Person: Decodable {
        var account: KakaoAccount?

        enum CodingKeys: String, CodingKey {
            case account = "kakao_account"
        }
    }

    private struct KakaoAccount: Decodable {
        var profile: Nickname?
        var email: String?
        var isValid: Bool?
        var isVerified: Bool?

        struct Nickname: Decodable {
            var nickname: String?
        }

        enum CodingKeys: String, CodingKey {
            case profile, email
            case isValid = "is_email_valid"
            case isVerified = "is_email_verified"
        }

        var verifiedEmail: EmailAddress? {
            guard isValid == true, isVerified == true else { return nil }
            return email.flatMap { try? EmailAddress(parsing: $0) }
        }
    }

    private struct Refusal: Decodable {
        var code: Int

        /// The user has no link with the app.
        static let notLinked = -101
    }
}
