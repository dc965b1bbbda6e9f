import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the chat service, an app at a time, and what other processes of ours ask. The sockets are in `Live/`.
struct Routes {
    let domain: ChatDomain
    let live: Live
    let inbox: Inbox

    init(_ domain: ChatDomain, live: Live, inbox: Inbox) {
        self.domain = domain
        self.live = live
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        anlaka(router.app(.anlaka).signedIn)
        withSuhyeon(router.app(.withsuhyeon).signedIn)
        processes(router)
    }

    /// Anlaka (contract 2.4).
    private func anlaka(_ app: RouterGroup<SignedInContext>) {
        let rooms = RoomRoutes(rooms: domain.rooms)
        app.post("v1/chats", use: rooms.open)
        app.get("v1/chats", use: rooms.list)
        app.delete("v1/chats/:roomId", use: rooms.clear)
        app.put("v1/chats/:roomId/read", use: rooms.read)

        let messages = MessageRoutes(rooms: domain.rooms, messages: domain.messages, people: domain.people)
        app.get("v1/chats/:roomId", use: messages.history)
        app.post("v1/chats/:roomId", use: messages.send)
        app.patch("v1/chats/:roomId/messages/:chatId", use: messages.edit)
        app.delete("v1/chats/:roomId/messages/:chatId", use: messages.delete)
        app.get("v1/chats/:roomId/events", use: messages.events)

        let files = FileRoutes(rooms: domain.rooms, attachments: domain.attachments)
        app.post("v1/chats/:roomId/files", use: files.upload)
        app.get("v1/data/chats/:name", use: files.show)

        let blocks = BlockRoutes(blocks: domain.blocks)
        app.get("v1/chats/blocks", use: blocks.list)
        app.put("v1/chats/blocks/:userId", use: blocks.block)
        app.delete("v1/chats/blocks/:userId", use: blocks.unblock)
    }

    /// With Suhyeon (contract 1.2, calls 21 to 24).
    private func withSuhyeon(_ app: RouterGroup<SignedInContext>) {
        // withsuhyeon
        let rooms = CompanionRoomRoutes(rooms: domain.rooms, joining: domain.joining)
        app.get("api/v1/chatrooms", use: rooms.list)
        app.patch("api/v1/chatrooms/join/:chatRoomId", use: rooms.join)
        app.patch("api/v1/chatrooms/exit/:chatRoomId", use: rooms.exit)

        let messages = CompanionMessageRoutes(rooms: domain.rooms, messages: domain.messages)
        app.get("api/v1/chatrooms/:chatRoomId", use: messages.list)
        app.post("api/v1/chatrooms/:chatRoomId/messages", use: messages.send)
        app.patch("api/v1/chatrooms/:chatRoomId/messages/:messageId", use: messages.edit)
        app.delete("api/v1/chatrooms/:chatRoomId/messages/:messageId", use: messages.delete)
        app.get("api/v1/chatrooms/:chatRoomId/events", use: messages.events)
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        // withsuhyeon
        router.get("internal/rooms", use: RoomViewRoutes(rooms: live.companionRooms).show)
    }
}
