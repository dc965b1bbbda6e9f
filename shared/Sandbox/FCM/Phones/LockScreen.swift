import FoundationEssentials

/// What the lock screen of one phone shows, as Apple's do: the newest first, and of what has one collapse id the newest only.
struct LockScreen: Sendable {
    let token: String
    private(set) var cards: [Card] = []
    /// Messages of which the phone shows nothing.
    private(set) var silent = 0
    /// The numbers on the icons of projects' apps, as they were told last; 0 for none.
    private(set) var badges: [String: Int] = [:]

    /// A notification on it.
    struct Card: Sendable {
        var project: String
        var alert: FCMAlert
        var collapseID: String?
        var at: Date
        /// How many older ones it stands for.
        var replaced = 0
    }

    /// Cards that are shown at most.
    private static let limit = 12

    /// What names the cards that replace each other.
    private struct Slot: Hashable {
        var project: String
        var collapseID: String
    }

    /// - Parameter messages: those to its token, newest first.
    init(_ token: String, _ messages: [FCMMessage]) {
        self.token = token
        var places: [Slot: Int] = [:]
        for message in messages {
            guard let content = try? message.content else { continue }
            let alert = FCMAlert(content)
            if badges[message.project] == nil { badges[message.project] = alert.badge }
            guard !alert.isSilent else {
                silent += 1
                continue
            }
            let slot = content.apns.collapseID.map { Slot(project: message.project, collapseID: $0) }
            if let slot, let place = places[slot] {
                cards[place].replaced += 1
            } else if cards.count < Self.limit {
                if let slot { places[slot] = cards.count }
                let id = content.apns.collapseID
                cards.append(Card(project: message.project, alert: alert, collapseID: id, at: message.at))
            }
        }
    }
}
