import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Messages of With Suhyeon (contract 1.2, call 22). Sending by REST, editing, deleting and events are not in the app's
/// contract. Room IDs and errors are those of `WithSuhyeonRoomRoutes`.
struct WithSuhyeonMessageRoutes {
    let rooms: Rooms
    let messages: Messages

    struct ListResponse: Encodable {
        var chatMessages: [WithSuhyeonMessageBody]
    }

    struct TextRequest: Decodable {
        var content: String
    }

    struct EventsResponse: Encodable {
        var events: [WithSuhyeonEventBody]
        /// Number of the room's last event. There are more pages while the last number of this page is smaller.
        var lastSequence: Int64
    }

    /// Maximum length of a list: the app does not page.
    private static let listLimit = 1000

    /// `GET /api/v1/chatrooms/{chatRoomId}` → 200 with the newest 1,000 messages, or as many of them as fit
    /// into a response, oldest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let view = try await view(context)
        let history = try await messages.history(
            of: view.room,
            after: nil,
            limit: Self.listLimit,
            for: context.account
        )
        return try history.map { WithSuhyeonMessageBody($0, in: view) }.response(keeping: .last) {
            try .withSuhyeon(ListResponse(chatMessages: $0))
        }
    }

    /// `POST /api/v1/chatrooms/{chatRoomId}/messages` `{content}` → 200 with the message. A retry with the same
    /// `Idempotency-Key` returns the stored message.
    func send(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let content = try await request.json(TextRequest.self, context).content
        let view = try await view(context)
        let draft = MessageDraft(
            room: view.room.id,
            sender: context.account,
            content: content,
            clientID: request.idempotencyKey,
            limit: nil
        )
        return try .withSuhyeon(WithSuhyeonMessageBody(await messages.send(draft), in: view))
    }

    /// `PATCH /api/v1/chatrooms/{chatRoomId}/messages/{messageId}` `{content}` → 200 with the message; 403 for another
    /// user's message, 410 when it does not exist.
    func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let content = try await request.json(TextRequest.self, context).content
        let (view, id) = (try await view(context), try context.parameters.require("messageId"))
        let message = try await messages.edit(id, in: view.room, to: content, by: context.account)
        return try .withSuhyeon(WithSuhyeonMessageBody(message, in: view))
    }

    /// `DELETE /api/v1/chatrooms/{chatRoomId}/messages/{messageId}` → 200; idempotent. 403 for another user's message.
    /// Deletes the message for both members.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (view, id) = (try await view(context), try context.parameters.require("messageId"))
        try await messages.delete(id, in: view.room, by: context.account)
        return try .withSuhyeon()
    }

    /// `GET /api/v1/chatrooms/{chatRoomId}/events?after&limit` → 200 with the events after a number, in order. A page
    /// ends early when the next event does not fit into the response.
    func events(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let after = try request.intQuery("after") ?? 0
        guard after >= 0 else { throw Problem(.badParameter, message: "after must not be negative.") }
        let limit = try request.intQuery("limit") ?? Int64(Messages.eventLimit)
        guard (1...Int64(Messages.eventLimit)).contains(limit) else {
            throw Problem(.badParameter, message: "limit must be from 1 to \(Messages.eventLimit).")
        }
        let view = try await view(context)
        let events = try await messages.events(in: view.room, after: after, limit: Int(limit), for: context.account)
        return try events.map { WithSuhyeonEventBody($0, in: view) }.response(keeping: .first) {
            try .withSuhyeon(EventsResponse(events: $0, lastSequence: view.lastSequence))
        }
    }

    private func view(_ context: SignedInContext) async throws -> RoomView {
        let room = try await rooms.room(ofCopy: context.roomID("chatRoomId"), of: context.account)
        return try await rooms.view(room.id, for: context.account)
    }
}
