import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Announcements and notifications by MOUP's administrators (contract 1.4, calls 64 and 65). Other callers get 403 with
/// an empty body.
struct AdminRoutes {
    let administration: Administration

    struct AnnouncementRequest: Decodable {
        var title: String
        var content: String?
    }

    struct NotificationRequest: Decodable {
        var receiverId: AccountID
        var title: String
        var content: String?
    }

    /// `POST /admin/alarms/announcements` `{title, content?}` → 204. Idempotent with an `Idempotency-Key`.
    func announce(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await answer(context) { administrator in
            let body = try await request.json(AnnouncementRequest.self, context)
            try await administration.announce(
                NotificationText(title: body.title, content: body.content),
                key: request.checkedIdempotencyKey(),
                by: administrator
            )
        }
    }

    /// `POST /admin/alarms/notification` `{receiverId, title, content?}` → 204. Idempotent with an `Idempotency-Key`.
    func write(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await answer(context) { administrator in
            let body = try await request.json(NotificationRequest.self, context)
            try await administration.write(
                NotificationText(title: body.title, content: body.content),
                to: body.receiverId,
                key: request.checkedIdempotencyKey(),
                by: administrator
            )
        }
    }

    private func answer(
        _ context: SignedInContext,
        _ work: (Administrator) async throws -> Void
    ) async throws -> Response {
        do {
            try await work(administration.administrator(context.account))
            return .empty(.noContent)
        } catch NotificationsError.notAdmin {
            return .empty(.forbidden)
        }
    }
}

extension Request {
    /// The `Idempotency-Key`, if any.
    ///
    /// - Throws: `NotificationsError.rule` when it has more than 200 bytes.
    func checkedIdempotencyKey() throws -> String? {
        guard let key = idempotencyKey else { return nil }
        guard key.utf8.count <= 200 else {
            throw NotificationsError.rule("Idempotency-Key must have at most 200 characters.")
        }
        return key
    }
}
