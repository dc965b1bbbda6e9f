import AppWire
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceHost

/// What operators tell everybody in an app.
struct AnnouncementRoutes {
    let broadcasts: Broadcasts

    struct AnnouncementRequest: Decodable {
        var app: App
        var title: String
        var content: String?
    }

    struct AnnouncementResponse: Encodable {
        var id: Int64
    }

    /// `POST /internal/announcements` `{app, title, content?}` → 200 `{id}`. Under an `Idempotency-Key` it is sent once.
    func send(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AnnouncementRequest.self, context)
        let draft = AnnouncementDraft(
            app: body.app,
            text: try NoticeText(title: body.title, content: body.content),
            // Nobody's account has the number 0: operators share one list of keys.
            source: UUID(of: "announcement", by: 0, key: try request.checkedIdempotencyKey())
        )
        return try .json(AnnouncementResponse(id: await broadcasts.send(draft)))
    }
}
