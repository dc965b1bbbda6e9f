import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// Announcements by operators.
struct AnnouncementRoutes {
    let broadcasts: Broadcasts

    struct AnnouncementRequest: Decodable {
        var app: App
        var title: String
        var content: String?
    }

    struct AnnouncementResponse: Encodable {
        var id: AnnouncementID
    }

    /// `POST /internal/announcements` `{app, title, content?}` → 200 `{id}`. Idempotent with an `Idempotency-Key`.
    func send(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AnnouncementRequest.self, context)
        let draft = AnnouncementDraft(
            app: body.app,
            text: try NotificationText(title: body.title, content: body.content),
            // Operators share one set of keys.
            source: UUID(of: "announcement", by: .system, key: try request.checkedIdempotencyKey())
        )
        return try .json(AnnouncementResponse(id: await broadcasts.send(draft)))
    }
}
