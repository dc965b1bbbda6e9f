import Contracts
import Logging
import NIOCore

/// The list of rooms, sent to who is in none of them when others have written (contract 2.3): a few times a second at most, and
/// always once after the last message.
extension CompanionSession {
    private static let pause = Duration.milliseconds(300)

    /// Something has happened in a room of theirs, perhaps by themselves.
    func happened(in room: Int64, through: Int64) {
        guard reception.isReceiver || reception.isTurning else { return }
        reception.news.hear(room, through: through)
        if reception.watch?.room.id == room { reception.watch?.notice(through: through) }
        showNoticed()
        lookForNews()
    }

    /// Things may have happened unheard.
    func lookAnew() {
        reception.mustLook = true
        turn()
    }

    /// A list would end the live receipt of a room that is open on the phone, so it waits until there is none.
    private var isListWanted: Bool {
        !isClosed && reception.isReceiver && !reception.isTurning && reception.watch == nil
            && !reception.news.heard.isEmpty
    }

    func lookForNews() {
        guard isListWanted, !reception.news.isListing else { return }
        reception.news.isListing = true
        Task { await tellNews() }
    }

    private func tellNews() async {
        while isListWanted {
            do {
                try await Task.sleep(until: reception.news.nextAt, clock: .continuous)
                try await list()
            } catch {
                house.logger.warning("a list of rooms could not be sent", error: error)
                reception.news.nextAt = .now + .milliseconds(500)
            }
        }
        reception.news.isListing = false
    }

    private func list() async throws {
        guard let account = holder?.account else { return }
        let questions = reception.news.heard
        guard try await house.rooms.hasNews(reception.news.questions, for: account) else {
            // They have written themselves, or something was changed.
            for (room, through) in questions { reception.news.see(room, through: through) }
            return
        }
        let views = try await house.rooms.list(of: account)
        let payload = try await CompanionPayload.rooms(views)
        guard isListWanted else { return }
        send(payload)
        for (room, through) in questions { reception.news.see(room, through: through) }
        for view in views { reception.news.see(view.room.id, through: view.lastSequence) }
        reception.news.nextAt = .now + Self.pause
    }
}
