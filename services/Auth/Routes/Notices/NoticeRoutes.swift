import AppWire
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceHost

/// Where providers tell us of people without being asked; each app's address is set in the provider's console.
///
/// `POST /notices/{app}/apple`: Apple's server-to-server notification, `{payload}` with a signed JWT. `GET` and
/// `POST /notices/{app}/kakao`: Kakao's notice of an ended link, `app_id`, `user_id` and `referrer_type` in the query or
/// the form, with our admin key as proof. Both are answered 200 as soon as they are on disk.
struct NoticeRoutes {
    let notices: ProviderNotices
    let app: App

    struct AppleRequest: Decodable {
        var payload: String
    }

    func apple(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AppleRequest.self, context)
        guard body.payload.utf8.count <= 8192, body.payload.split(separator: ".").count == 3 else {
            throw Problem(.malformed, message: "payload is not a signed token.")
        }
        try await notices.receive(ReceivedNotice(app: app, provider: .apple, fields: ["payload": body.payload]))
        return .empty(.ok)
    }

    func kakao(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard notices.reader.kakao.isKakao(authorization: request.headers[.authorization]) else {
            throw Problem(.unauthenticated, message: "Authorization must be: KakaoAK <admin key>")
        }
        var text = request.uri.query ?? ""
        if request.method == .post {
            text = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
        }
        let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: text)
        let notice = ReceivedNotice(app: app, provider: .kakao, fields: fields ?? [:])
        guard notices.reader.kakao.notice(notice) != nil else {
            throw Problem(.malformed, message: "app_id, user_id or referrer_type is missing, or not known.")
        }
        try await notices.receive(notice)
        return .empty(.ok)
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        let group = router.group("notices/\(RouterPath(app.rawValue))")
        group.post("apple", use: apple)
        group.get("kakao", use: kakao)
        group.post("kakao", use: kakao)
    }
}

extension NoticeSpool.Unavailable: ProblemConvertible {
    var problem: Problem {
        Problem(.unavailable, message: "This cannot be kept now; try again.", retryAfter: 60)
    }
}
