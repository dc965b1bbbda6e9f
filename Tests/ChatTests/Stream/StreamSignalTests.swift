import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Sockets
import TestKit
import Testing

@testable import Chat

/// Events that are not stored: reading, typing and presence; and the end of a connection.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct StreamSignalTests {
    private var world: ChatWorld { .current }

    @Test(.liveChat(.anlaka)) func readTypingAndPresence_areSentToOtherParticipant() async throws {
        let room = try await world.room(of: 1, 2)
        let (kim, lee) = (try await StreamSubscriber.connect(world, 1), try await StreamSubscriber.connect(world, 2))
        var subscriber = try await kim.listen(room)
        let user = #""user_id":"\#(ChatWorld.publicID(2))""#
        // The state at the time of the subscription.
        #expect(try await subscriber.next("read")?.contains(#""sequence":0"#) == true)
        #expect(try await subscriber.next("presence")?.contains(#""is_present":false"#) == true)
        _ = try await lee.listen(room)
        #expect(try await subscriber.next("presence")?.contains(#""is_present":true"#) == true)
        try await kim.write("글", as: "a", in: room)
        try await lee.client.send("/app/rooms.\(room)/typing", "")
        #expect(try await subscriber.next("typing") == "{\(user)}")
        try await lee.client.send("/app/rooms.\(room)/read", "1")
        let read = try await subscriber.next("read")
        #expect(read?.contains(user) == true && read?.contains(#""sequence":1"#) == true)
        try await lee.client.disconnect()
        #expect(try await subscriber.next("presence")?.contains(#""is_present":false"#) == true)
        let again = try await StreamSubscriber.connect(world, 1)
        var later = try await again.listen(room)
        #expect(try await later.next("read")?.contains(#""sequence":1"#) == true)
    }

    @Test(.liveChat(.anlaka)) func presence_oneOfTwoConnectionsClosed_remains() async throws {
        let room = try await world.room(of: 1, 2)
        var subscriber = try await StreamSubscriber.connect(world, 1).listen(room)
        #expect(try await subscriber.kinds(before: "presence") == ["read"])
        let (one, other) = (try await StreamSubscriber.connect(world, 2), try await StreamSubscriber.connect(world, 2))
        for phone in [one, other] {
            _ = try await phone.listen(room)
            #expect(try await subscriber.next("presence")?.contains("true") == true)
        }
        try await one.client.disconnect()
        while try await world.presences(of: 2) > 1 { try await Task.sleep(for: .milliseconds(10)) }
        try await other.client.send("/app/rooms.\(room)/typing", "")
        #expect(try await subscriber.kinds(before: "typing") == [])
        try await other.client.disconnect()
        #expect(try await subscriber.next("presence")?.contains("false") == true)
    }

    @Test(.liveChat(.anlaka)) func typing_isSentOncePerSecond_andNotToBlocked() async throws {
        let client = StreamClient(app: .anlaka, account: 1, session: nil)
        let now = ContinuousClock.now
        #expect(client.allowsTyping(in: "a", at: now))
        #expect(client.allowsTyping(in: "b", at: now))
        #expect(!client.allowsTyping(in: "a", at: now + .milliseconds(999)))
        #expect(client.allowsTyping(in: "a", at: now + .seconds(1)))

        let room = try await world.room(of: 1, 2)
        let (kim, lee) = (try await StreamSubscriber.connect(world, 1), try await StreamSubscriber.connect(world, 2))
        var subscriber = try await kim.listen(room)
        try await kim.write("글", as: "a", in: room)
        #expect(try await subscriber.events(1).count == 1)
        let path = "/v1/chats/blocks/\(ChatWorld.publicID(2))"
        #expect(try await world.client(1).send(.put, path).status == .ok)
        try await lee.client.send("/app/rooms.\(room)/typing", "")
        try await lee.client.send("/app/rooms.\(room)/read", "1")
        #expect(try await subscriber.kinds(before: "read") == [])
        #expect(try await world.client(1).send(.delete, path).status == .ok)
        try await StreamSubscriber.connect(world, 2).client.send("/app/rooms.\(room)/typing", "")
        #expect(try await subscriber.kinds(before: "typing") == [])
    }

    @Test(.liveChat(.withsuhyeon)) func companionRoom_eventsHaveDirectionOfReader() async throws {
        let (own, peer) = try await world.companionRoom(of: 1, about: 7, by: 2)
        let (kim, lee) = (try await StreamSubscriber.connect(world, 1), try await StreamSubscriber.connect(world, 2))
        var (mine, theirs) = (try await kim.listen(own), try await lee.listen(peer))
        try await kim.write("같이 가요", as: "a", in: own)
        let (sent, received) = (try await mine.events(1), try await theirs.events(1))
        #expect(sent[0].message.direction == "SEND")
        #expect(received[0].message.direction == "RECEIVE")
        try await lee.client.send("/app/rooms.\(peer)/typing", "")
        #expect(try await mine.next("typing") == #"{"type":"RECEIVE"}"#)
        // The other participant's room id is refused.
        await #expect(throws: STOMPClientError.self) { try await kim.listen(peer) }
    }

    @Test(.liveChat(.withsuhyeon)) func deletedRoom_sendsGoneToSubscribers() async throws {
        let (own, _) = try await world.companionRoom(of: 1, about: 7, by: 2)
        let kim = try await StreamSubscriber.connect(world, 1)
        var subscriber = try await kim.listen(own)
        let deleted = CommunityEvents.CompanionPostDeleted(post: 7)
        #expect(try await world.deliver(deleted, from: .community) == 204)
        #expect(try await subscriber.next("gone") == "{}")
        let error = await #expect(throws: STOMPClientError.self) { try await kim.write("글", as: "a", in: own) }
        #expect(error?.message == "There is no such room.")
    }

    @Test(.liveChat(.anlaka)) func endedSessionAndWithdrawnAccount_areDisconnected() async throws {
        let room = try await world.room(of: 1, 2)
        let first = try await StreamSubscriber.connect(world, 1, session: "one")
        let second = try await StreamSubscriber.connect(world, 1, session: "two")
        var (subscriber, others) = (try await first.listen(room), try await second.listen(room))
        let revoked = AuthEvents.SessionRevoked(account: 1, session: "one", app: .anlaka)
        #expect(try await world.deliver(revoked, from: .auth) == 204)
        let error = await #expect(throws: STOMPClientError.self) { try await subscriber.events(1) }
        #expect(error?.message == "Your session has ended.")
        try await second.write("글", as: "a", in: room)
        #expect(try await others.events(1).count == 1)
        let gone = AuthEvents.AccountWithdrawn(account: 1, app: .anlaka)
        #expect(try await world.deliver(gone, from: .auth) == 204)
        let farewell = await #expect(throws: STOMPClientError.self) { try await others.events(1) }
        #expect(farewell?.message == "This account is gone.")
        await #expect(throws: STOMPClientError.self) { try await StreamSubscriber.connect(world, 1) }
    }

    @Test(.liveChat(.anlaka)) func slowReader_isDisconnected() async throws {
        let room = try await world.room(of: 1, 2)
        let slow = try await SlowStreamSubscriber.listen(world, 2, to: room, after: nil)
        let kim = try await StreamSubscriber.connect(world, 1)
        var subscriber = try await kim.listen(room)
        let text = String(repeating: "가", count: 5000)
        var number = 0
        // What the operating system and the limit of unsent bytes hold is a few hundred messages at most. The end of a slow
        // connection may be noticed later than they are written.
        while number < 450, try await world.presences(of: 2) > 0 {
            number += 1
            try await kim.write(text, as: "\(number)", in: room)
            #expect(try await subscriber.events(1).map(\.sequence) == [Int64(number)])
        }
        while try await world.presences(of: 2) > 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(number > 64, "a reader within the limit of unsent bytes stays connected")
        await slow.close()
    }
}
