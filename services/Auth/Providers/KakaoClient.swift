import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// Kakao's user API (SeatCatcher contract 7, Anlaka contract 6.3).
struct KakaoClient: Sendable {
    let baseURL: String
    /// The app ids whose tokens are accepted: a token that was issued to another app proves nothing here.
    let appIDs: Set<Int64>
    let http: HTTPClient

    /// Who an access token belongs to.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func identity(accessToken: String) async throws -> SocialIdentity {
        guard !accessToken.isEmpty, accessToken.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw AccountError.socialTokenRefused
        }
        let info = try await tokenInfo(accessToken)
        guard let appID = info.appID, appIDs.contains(appID) else { throw AccountError.socialTokenRefused }
        return SocialIdentity(provider: .kakao, subject: String(info.id))
    }

    private func tokenInfo(_ accessToken: String) async throws -> TokenInfo {
        var request = HTTPClientRequest(url: "\(baseURL)/v1/user/access_token_info")
        request.headers.add(name: "authorization", value: "Bearer \(accessToken)")
        do {
            let response = try await http.execute(request, timeout: .seconds(5))
            let body = try await response.body.collect(upTo: 64 * 1024)
            switch response.status.code {
            case 200: return try JSONDecoder().decode(TokenInfo.self, from: Data(body.readableBytesView))
            case 400, 401, 403: throw AccountError.socialTokenRefused
            default: throw ProviderUnavailable(provider: "Kakao")
            }
        } catch let error as AccountError {
            throw error
        } catch {
            throw ProviderUnavailable(provider: "Kakao")
        }
    }

    private struct TokenInfo: Decodable {
        var id: Int64
        var appID: Int64?

        enum CodingKeys: String, CodingKey {
            case id
            case appID = "app_id"
        }
    }
}
