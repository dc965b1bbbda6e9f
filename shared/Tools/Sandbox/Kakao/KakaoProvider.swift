import Hummingbird
import ServiceKit

/// Kakao Login (`https://kapi.kakao.com`): the user of a token, and unlinking. Also Kakao's search for places
/// (`https://dapi.kakao.com`), limited to Seoul (`KakaoRegions`).
///
/// Source: SeatCatcher contract 7, Anlaka contract 6.3; Kakao's documentation of its local API. Errors are
/// `{msg, code}` for the login, `{errorType, message}` for the search.
struct KakaoProvider: Provider {
    let name = "kakao"
    /// The API key for the search.
    let restKey: String
    private let users = KakaoUsers()
    private let regions = KakaoRegions()

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        KakaoRoutes(users: users).add(to: group)
        KakaoLocalRoutes(regions: regions, key: restKey).add(to: group)
    }

    func addControls(to group: RouterGroup<SandboxContext>) {
        KakaoControls(users: users).add(to: group)
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        if path.hasPrefix("/v2/local/") { return KakaoLocalError.outOfOrder(status).response }
        return KakaoError(status, status == .notFound ? -404 : -1, status.reasonPhrase).response
    }
}

/// An error in the format of Kakao Login.
struct KakaoError: ProviderError {
    var status: HTTPResponse.Status
    var code: Int
    var msg: String

    init(_ status: HTTPResponse.Status, _ code: Int, _ msg: String) {
        (self.status, self.code, self.msg) = (status, code, msg)
    }

    /// A missing token, an unknown one, or one whose user has unlinked the app.
    static let unknownToken = KakaoError(.unauthorized, -401, "this access token does not exist")
    static let expiredToken = KakaoError(.unauthorized, -401, "this access token is already expired")
    static let notLinked = KakaoError(.badRequest, -101, "given account is not connected to any Kakao account")
    static let badParameter = KakaoError(.badRequest, -2, "target_id_type must be user_id and target_id a number")

    var response: Response {
        (try? .snakeJSON(Body(msg: msg, code: code), status: status)) ?? .empty(status)
    }

    private struct Body: Encodable {
        var msg: String
        var code: Int
    }
}
