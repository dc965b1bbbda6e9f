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
        try await domain.membership.claim(socket, openedFor: 0)
        await domain.presences.enter(Presence(id: socket.id, account: 1, room: 7, isReading: true))
        let noRoom = RoomPosition(room: .noRoom, sequence: 0)
        let assignment = try await domain.membership.assignment(of: socket, showing: noRoom, resync: false)
        guard case .noRoom = assignment else {
            Issue.record("\(assignment)")
            return
        }
        #expect(domain.presences.room(of: socket.id) == .noRoom)
    }

    /// The claim of an older socket, whose phone may be gone, comes after that of a newer one.
    @Test func claim_ofOlderSocket_displacesNoNewerOne() async throws {
        try await ChatWorld.addProfile(1, "하루", .withsuhyeon)
        let membership = ChatDomain.withoutService.membership
        let (old, new) = (
            MemberSocket(id: UUID(), account: 1, copy: UUID()), MemberSocket(id: UUID(), account: 1, copy: UUID())
        )
        func isActive(_ socket: MemberSocket) async throws -> Bool {
            let assignment = try await membership.assignment(of: socket, showing: nil, resync: false)
            if case .superseded = assignment { return false } else { return true }
        }
        try await membership.claim(new, openedFor: 1)
        try await membership.claim(old, openedFor: 60)
        #expect(try await isActive(new))
        #expect(try await !isActive(old))
        // Without an active one it may be the only phone.
        try await membership.release(new, shown: nil, leavesRoom: false)
        try await membership.claim(old, openedFor: 61)
        #expect(try await isActive(old))
    }
}
