import Authentication
import Contracts
import FoundationEssentials
import HummingbirdTesting
import Postgres
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Chat

/// With Suhyeon's sockets that move between copies of the service.
@Suite(.database(Migrations.all), .timeLimit(.minutes(6)), .companions) struct CompanionMoveTests {
    private typealias Phone = MovingPhone<CompanionWorld>

    private var world: CompanionWorld { .current }

    /// A phone that is the account's active one.
    private func open(_ account: AccountID) async throws -> Phone {
        let world = world
        let before = try await world.receiver(of: account)
        let phone = try await Phone(
            "/chat?userId=\(account.rawValue + 1000)",
            as: InternalIdentity(caller: .gateway, app: .withsuhyeon)
        ) {
            try await RunningCopy.start { try await world.withSecondCopy($0) }
        }
        try await eventually {
            let now = try await world.receiver(of: account)
            return now != nil && now != before
        }
        return phone
    }

    /// The numbers of the messages to account 9 that it had not read when they were written, so that a push was sent.
    private func unseen() async throws -> [Int64] {
        try await world.database.all(
            "SELECT body FROM outbox WHERE name = \(ChatEvents.MessageSent.name) ORDER BY id"
        ) { try $0.decode(PostgresJSON<ChatEvents.MessageSent>.self).value }
        .filter { $0.recipient == 9 && (!$0.isSeen || $0.isRead != true) }.map(\.sequence)
    }

    // MARK: A joined room

    @Test func movingPhoneInRoom_receivesEachMessageOnce_andHasReadIt() async throws {
        let (world, room) = (world, try await world.ask(1))
        var author = try await open(9)
        let socket = try await world.receiver(of: 9)
        try await world.join(room.peer, 9)
        for round in 0..<5 {
            async let written: Void = {
                for number in 1...40 { try await world.write("\(round * 40 + number)", room.own, 1) }
            }()
            try await author.move()
            try await written
        }
        for number in 1...200 { #expect(try await author.frame().content == "\(number)") }
        try await world.write("끝", room.own, 1)
        #expect(try await author.frame().content == "끝")
        // The first is the one of `ask`.
        let unseen = try await unseen()
        #expect(unseen == [1])
        #expect(try await world.rooms(9).first?.unReadCount == 0)
        #expect(try await world.receiver(of: 9) == socket)
        try await author.end()
        try await world.untilGone(9)
    }

    @Test func messageWrittenDuringTheMove_arrivesOnce_andIsRead() async throws {
        let (world, room) = (world, try await world.ask(1))
        var author = try await open(9)
        try await world.join(room.peer, 9)
        try await world.write("하나", room.own, 1)
        try await author.move { try await world.write("둘", room.own, 1) }
        try await world.write("셋", room.own, 1)
        for text in ["하나", "둘", "셋"] { #expect(try await author.frame().content == text) }
        let unseen = try await unseen()
        #expect(unseen == [1])
        try await author.end()
    }

    @Test func messageOfPhone_isWrittenBeforeTheMove() async throws {
        let (world, room) = (world, try await world.ask(1))
        var phone = try await open(1)
        for number in 1...30 { try await phone.send(Self.message("\(number)", in: room)) }
        try await phone.move()
        let written = try await world.messages(room.own, 1).map(\.content)
        #expect(written == ["안녕하세요"] + (1...30).map(String.init))
        try await phone.end()
    }

    private static func message(_ text: String, in room: CompanionRoom) -> String {
        """
        {"type":"MESSAGE","ownerChatRoomId":"\(room.own)","peerChatRoomId":"\(room.peer)","senderId":1,\
        "receiverId":9,"postId":70,"content":"\(text)"}
        """
    }

    // MARK: The list of rooms

    @Test func list_isNotRepeatedWithoutNews() async throws {
        let (world, room) = (world, try await world.ask(1))
        var author = try await open(9)
        try await world.write("하나", room.own, 1)
        #expect(try await author.frame().chatRooms?.first?.lastChatMessage == "하나")
        try await author.move()
        try await world.write("둘", room.own, 1)
        #expect(try await author.frame().chatRooms?.first?.lastChatMessage == "둘")
        try await author.end()
    }

    @Test func list_withNewsDuringTheMove_isSent() async throws {
        let (world, room) = (world, try await world.ask(1))
        var author = try await open(9)
        try await author.move { try await world.write("하나", room.own, 1) }
        #expect(try await author.frame().chatRooms?.first?.lastChatMessage == "하나")
        try await author.end()
    }

    // MARK: Several devices

    @Test func supersededPhone_staysSuperseded_andIsPromotedLater() async throws {
        let (world, room) = (world, try await world.ask(1))
        var older = try await open(9)
        var newer = try await world.openReceiving(9)
        let active = try await world.receiver(of: 9)
        try await older.move()
        try await world.join(room.peer, 9)
        try await world.write("하나", room.own, 1)
        #expect(try await newer.next().content == "하나")
        #expect(try await world.receiver(of: 9) == active)
        try await world.untilShown(9, through: 2)
        await newer.socket.close(.internalError)
        try await world.write("둘", room.own, 1)
        #expect(try await older.frame().content == "둘")
        try await older.end()
    }

    @Test func phoneThatConnectsDuringTheMove_staysTheActiveOne() async throws {
        let (world, room) = (world, try await world.ask(1))
        var older = try await open(9)
        try await world.join(room.peer, 9)
        var newer: CompanionClient?
        try await older.move { newer = try await world.openReceiving(9) }
        let active = try await world.receiver(of: 9)
        try await world.write("하나", room.own, 1)
        #expect(try await newer?.next().content == "하나")
        #expect(try await world.receiver(of: 9) == active)
        try await older.end()
    }

    // MARK: Ends

    @Test func sessionEndedDuringTheMove_closesSocket() async throws {
        let world = world
        var phone = try await open(9)
        let ended = await #expect(throws: MovableSocket.Ended.self) {
            try await phone.move { world.stubs.state.withLock { $0.tickets[1009] = nil } }
        }
        let close = try #require(ended?.frames.first)
        #expect(close.opcode == 0x8 && close.payload.prefix(2) == [0x03, 0xf0])
        try await phone.end()
    }

    /// Upon 1013 the gateway tries another copy.
    @Test func authAwayDuringTheMove_refusesSocketForTheMoment() async throws {
        let world = world
        var phone = try await open(9)
        let ended = await #expect(throws: MovableSocket.Ended.self) {
            try await phone.move { world.stubs.state.withLock { $0.isAuthAway = true } }
        }
        let close = try #require(ended?.frames.first)
        #expect(close.opcode == 0x8 && close.payload.prefix(2) == [0x03, 0xf5])
        try await phone.end()
        // The account stays claimed until the heartbeat of the old copy has expired.
        #expect(try await world.receiver(of: 9) != nil)
        try await world.database.execute(
            """
            UPDATE copies SET seen_at = now() - interval '1 minute'
            WHERE id = (SELECT copy_id FROM joined WHERE account_id = 9)
            """
        )
        try await world.untilGone(9)
    }
}

extension MovingPhone<CompanionWorld> {
    fileprivate mutating func frame() async throws -> CompanionFrameBody {
        let next = try await next()
        let text = try #require(next)
        return try JSONDecoder().decode(CompanionFrameBody.self, from: Data(text.utf8))
    }
}
