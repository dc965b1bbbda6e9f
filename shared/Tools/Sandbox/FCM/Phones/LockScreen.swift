import FoundationEssentials

/// The lock screen of one phone with the rules of iOS: newest first, and only the newest of notifications with the same
/// collapse id.
struct LockScreen: Sendable {
    let token: String
    private(set) var cards: [Card] = []
    /// The number of messages without a notification.
    private(set) var silent = 0
    /// The last badge numbers of the projects' apps; 0 for none.
    private(set) var badges: [String: Int] = [:]

    /// A displayed notification.
    struct Card: Sendable {
        var project: String
        var alert: FCMAlert
        var collapseID: String?
        var at: Date
        /// The number of older notifications that it replaces.
        var replaced = 0
    }

    /// The maximum number of displayed cards.
    private static let limit = 12

    /// The key of cards that replace each other.
    private struct Slot: Hashable {
        var project: String
        var collapseID: String
    }

    /// - Parameter messages: The messages to its token, newest first.
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
