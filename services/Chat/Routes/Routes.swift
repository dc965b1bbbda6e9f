import Apps
import Contracts
import Events
import Hummingbird
import ServiceKit

/// The routes of the chat service, per app, and the internal routes for other services. The sockets are in `Live/`.
struct Routes {
    let domain: ChatDomain
    let live: Live
    let inbox: Inbox

    init(_ domain: ChatDomain, live: Live, inbox: Inbox) {
        self.domain = domain
        self.live = live
        self.inbox = inbox
    }

    func add(to router: ServiceRouter) {
        anlaka(router.app(Anlaka.self))
        withSuhyeon(router.app(WithSuhyeon.self))
        processes(router)
    }

    /// Anlaka (contract 2.4).
    private func anlaka(_ app: AppRoutes<Anlaka>) {
        let rooms = RoomRoutes(rooms: domain.rooms)
        app.on(\.openChatRoom, use: rooms.open)
        app.on(\.listChatRooms, use: rooms.list)
        app.on(\.clearChatRoom, use: rooms.clear)
        app.on(\.markChatRoomRead, use: rooms.read)

        let messages = MessageRoutes(rooms: domain.rooms, messages: domain.messages, people: domain.people)
        app.on(\.listMessages, use: messages.history)
        app.on(\.sendMessage, use: messages.send)
        app.on(\.editMessage, use: messages.edit)
        app.on(\.deleteMessage, use: messages.delete)
        app.on(\.listChatRoomEvents, use: messages.events)

        let files = FileRoutes(rooms: domain.rooms, attachments: domain.attachments)
        app.on(\.uploadChatFiles, use: files.upload)
        app.on(\.getChatFile, use: files.show)

        let blocks = BlockRoutes(blocks: domain.blocks)
        app.on(\.listBlockedUsers, use: blocks.list)
        app.on(\.blockUser, use: blocks.block)
        app.on(\.unblockUser, use: blocks.unblock)
    }

    /// With Suhyeon (contract 1.2, calls 21 to 24).
    private func withSuhyeon(_ app: AppRoutes<WithSuhyeon>) {
        // withsuhyeon
        let rooms = WithSuhyeonRoomRoutes(rooms: domain.rooms, membership: domain.membership)
        app.on(\.listChatRooms, use: rooms.list)
        app.on(\.joinChatRoom, use: rooms.join)
        app.on(\.exitChatRoom, use: rooms.exit)

        let messages = WithSuhyeonMessageRoutes(rooms: domain.rooms, messages: domain.messages)
        app.on(\.listMessages, use: messages.list)
        app.on(\.sendMessage, use: messages.send)
        app.on(\.editMessage, use: messages.edit)
        app.on(\.deleteMessage, use: messages.delete)
        app.on(\.listChatRoomEvents, use: messages.events)
    }

    /// Internal routes for other services and the console.
    private func processes(_ router: ServiceRouter) {
        inbox.add(to: router)
        // withsuhyeon
        let rooms = RoomViewRoutes(rooms: live.companionRooms)
        router.on(.get, "internal/rooms", from: .community, use: rooms.show)
        let operators = OperatorRoutes(rooms: domain.lookup)
        router.on(.get, "internal/operators/rooms", from: .console, use: operators.list)
        router.on(.get, "internal/operators/rooms/:room", from: .console, use: operators.show)
    }
}
