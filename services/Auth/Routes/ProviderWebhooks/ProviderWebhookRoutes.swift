import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// Webhooks of the providers; each app's URL is registered in the provider's console.
///
/// `POST /notices/{app}/apple`: Apple's server-to-server notification, `{payload}` with a signed JWT.
/// `GET` and `POST /notices/{app}/kakao`: Kakao's unlink webhook, with `app_id`, `user_id` and `referrer_type` in the
/// query or the form, authenticated by the admin key.
/// Both return 200 as soon as the webhook is on disk.
struct ProviderWebhookRoutes {
    let notices: ProviderWebhooks
    let app: App

    struct AppleRequest: Decodable {
        var payload: String
    }

    func apple(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AppleRequest.self, context)
        guard body.payload.utf8.count <= 8192, body.payload.split(separator: ".").count == 3 else {
            throw Problem(.malformed, message: "payload is not a signed token.")
        }
        try await notices.receive(ReceivedWebhook(app: app, provider: .apple, fields: ["payload": body.payload]))
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
        let notice = ReceivedWebhook(app: app, provider: .kakao, fields: fields ?? [:])
        guard notices.reader.kakao.notice(notice) != nil else {
            throw Problem(.malformed, message: "app_id, user_id or referrer_type is missing, or not known.")
        }
        try await notices.receive(notice)
        return .empty(.ok)
    }

    func add(to app: AppRoutes<some ProviderWebhookCalls>) {
        app.on(\.receiveAppleNotification, use: apple)
        app.on(\.receiveKakaoUnlink, use: kakao)
        app.on(\.receiveKakaoUnlinkByPost, use: kakao)
    }
}

extension WebhookSpool.Unavailable: ProblemConvertible {
    var problem: Problem {
        Problem(.unavailable, message: "This cannot be kept now; try again.", retryAfter: 60)
    }
}
