import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles
import TestKit
import Testing

@testable import Chat

@Suite(.database(Migrations.all)) struct RoomMembershipTests {
    /// The account leaves a room after its socket's presence was recorded, and before the entry is complete.
    @Test func assignment_afterInterruptedEntry_recordsThatNoRoomIsShown() async throws {
        try await ChatWorld.addProfile(1, "하루", .withsuhyeon)
        let domain = ChatDomain.withoutService
        let socket = MemberSocket(id: UUID(), account: 1, copy: UUID())
        try await domain.membership.claim(socket)
        await domain.presences.enter(Presence(id: socket.id, account: 1, room: 7, isReading: true))
        let noRoom = RoomPosition(room: .noRoom, sequence: 0)
        let assignment = try await domain.membership.assignment(of: socket, showing: noRoom, resync: false)
        guard case .noRoom = assignment else {
            Issue.record("\(assignment)")
            return
        }
        #expect(domain.presences.room(of: socket.id) == .noRoom)
    }
}
