import Contracts
import Logging
import NIOCore

/// The list of rooms, sent to a client outside any room when other members have written (contract 2.3): once per
/// `pause` at most, and always after the last message.
extension WithSuhyeonSession {
    private static let pause = Duration.milliseconds(300)

    /// Handles an event in a room of the account, possibly its own.
    func happened(in room: Int64, through: Int64) {
        guard reception.isReceiver || reception.isTurning else { return }
        reception.news.hear(room, through: through)
        if reception.watch?.room.id == room { reception.watch?.notice(through: through) }
        showNoticed()
        lookForNews()
    }

    /// Handles a possible loss of notifications.
    func lookAnew() {
        reception.mustLook = true
        turn()
    }

    /// A list would stop the app from showing new messages of its open room, so it is not sent while a room is joined.
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
                house.logger.warning(
                    "With Suhyeon sockets: the list of rooms could not be sent, will retry",
                    error: error
                )
                reception.news.nextAt = .now + .milliseconds(500)
            }
        }
        reception.news.isListing = false
    }

    private func list() async throws {
        guard let account = holder?.account else { return }
        let questions = reception.news.heard
        guard try await house.rooms.hasNews(reception.news.questions, for: account) else {
            // There are only the account's own messages, or edits and deletions.
            for (room, through) in questions { reception.news.see(room, through: through) }
            return
        }
        let views = try await house.rooms.list(of: account)
        let payload = try await WithSuhyeonPayload.rooms(views)
        guard isListWanted else { return }
        send(payload)
        for (room, through) in questions { reception.news.see(room, through: through) }
        for view in views { reception.news.see(view.room.id, through: view.lastSequence) }
        reception.news.nextAt = .now + Self.pause
    }
}
