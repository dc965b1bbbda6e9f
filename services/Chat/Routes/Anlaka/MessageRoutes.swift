import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import Profiles
import ServiceKit

/// Messages of Anlaka (contract 2.4, calls 30 and 31). Editing, deleting and events are not in the app's contract.
struct MessageRoutes {
    let rooms: Rooms
    let messages: Messages
    let people: People

    struct SendRequest: Decodable {
        var content: String?
        /// Paths of uploads.
        var files: [String]?
        /// Identifier chosen by the client, for deduplication.
        var clientID: String?

        enum CodingKeys: String, CodingKey {
            case content, files
            case clientID = "client_id"
        }
    }

    struct EditRequest: Decodable {
        var content: String
    }

    struct EventsResponse: Encodable {
        var data: [EventBody]
        /// Number of the room's last event. There are more pages while the last number of this page is smaller.
        var lastSequence: Int64

        enum CodingKeys: String, CodingKey {
            case data
            case lastSequence = "last_sequence"
        }
    }

    /// `GET /v1/chats/{room_id}?from` (or `next`) → 200 `{data: […]}`, the messages strictly newer than `from`, oldest
    /// first; without `from` the last 500. `before={chat_id}&limit` returns older messages. A page ends early when the
    /// next message does not fit into the response: the rest follows after its last message, or before its first.
    func history(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let room = try await room(context)
        if let before = request.query("before") {
            guard let sequence = MessageID.sequence(before, in: room.publicID) else {
                throw Problem(.badParameter, message: "before must be the id of a message of the room.")
            }
            let limit = try limit(request, usual: 50)
            let older = try await messages.history(of: room, before: sequence, limit: limit, for: context.account)
            return try await list(older, in: room, keeping: .last)
        }
        let from = try request.instantQuery("from") ?? request.instantQuery("next")
        let history = try await messages.history(of: room, after: from, for: context.account)
        return try await list(history, in: room, keeping: from == nil ? .last : .first)
    }

    /// `POST /v1/chats/{room_id}` `{content, files?, client_id?}` → 200 with the message. A retry with the same
    /// `client_id` (or `Idempotency-Key`) returns the stored message.
    func send(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(SendRequest.self, context)
        let room = try await room(context)
        let draft = MessageDraft(
            room: room.id,
            sender: context.account,
            content: body.content ?? "",
            files: try Attachments.names(body.files ?? []),
            clientID: body.clientID ?? request.idempotencyKey
        )
        return try await answer(await messages.send(draft), in: room)
    }

    /// `PATCH /v1/chats/{room_id}/messages/{chat_id}` `{content}` → 200 with the message; 445 for another user's
    /// message, 403 when one of the two has blocked the other.
    func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let content = try await request.json(EditRequest.self, context).content
        let (room, id) = (try await room(context), try context.parameters.require("chatId"))
        return try await answer(await messages.edit(id, in: room, to: content, by: context.account), in: room)
    }

    /// `DELETE /v1/chats/{room_id}/messages/{chat_id}` → 200, empty; idempotent. 445 for another user's message.
    /// Deletes the message for both members.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (room, id) = (try await room(context), try context.parameters.require("chatId"))
        try await messages.delete(id, in: room, by: context.account)
        return .empty(.ok)
    }

    /// `GET /v1/chats/{room_id}/events?after&limit` → 200 `{data: […], last_sequence}`: the events after a number, in
    /// order. A page ends early when the next event does not fit into the response.
    func events(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let after = try request.intQuery("after") ?? 0
        guard after >= 0 else { throw Problem(.badParameter, message: "after must not be negative.") }
        let room = try await room(context)
        let last = try await rooms.view(room.id, for: context.account).lastSequence
        let limit = try limit(request, usual: Messages.eventLimit)
        let events = try await messages.events(in: room, after: after, limit: limit, for: context.account)
        let senders = try await people.senders(of: room)
        return try events.map { EventBody($0, in: room, by: senders($0.message.sender)) }.response(keeping: .first) {
            try .json(EventsResponse(data: $0, lastSequence: last))
        }
    }

    // MARK: Helpers

    private func room(_ context: SignedInContext) async throws -> Room {
        try await rooms.room(context.roomID("roomId"), in: .anlaka, of: context.account)
    }

    private func limit(_ request: Request, usual: Int) throws -> Int {
        guard let limit = try request.intQuery("limit") else { return usual }
        guard (1...Int64(Messages.eventLimit)).contains(limit) else {
            throw Problem(.badParameter, message: "limit must be from 1 to \(Messages.eventLimit).")
        }
        return Int(limit)
    }

    private func list(_ messages: [Message], in room: Room, keeping end: ListEnd) async throws -> Response {
        let senders = try await people.senders(of: room)
        return try messages.map { ChatBody($0, in: room, by: senders($0.sender)) }.response(keeping: end) {
            try .json(DataBody(data: $0))
        }
    }

    private func answer(_ message: Message, in room: Room) async throws -> Response {
        try .json(ChatBody(message, in: room, by: await people.senders(of: room)(message.sender)))
    }
}

extension Request {
    /// An instant of a query parameter, with any number of fractional digits; nil when it is absent.
    ///
    /// - Throws: `Problem` (`badParameter`) when it is not an instant.
    fileprivate func instantQuery(_ name: String) throws -> Date? {
        guard let text = query(name), !text.isEmpty else { return nil }
        guard let instant = SeSACInstant(text) else {
            throw Problem(.badParameter, message: "\(name) must be an instant, as 2025-10-11T08:30:00.123Z.")
        }
        return instant.date
    }
}
