import Contracts

/// What pushes are about: what somebody can turn off by itself.
enum PushKind {
    static let chatMessage = "CHAT_MESSAGE"
    static let announcement = "ANNOUNCEMENT"
    /// Somebody who administers the app has written.
    static let adminMessage = "ADMIN_MESSAGE"
    static let payment = "PAYMENT"
    static let newDevice = "NEW_DEVICE"
    static let comment = "COMMENT"
    static let follow = "FOLLOW"

    /// The kinds that an app knows.
    static func all(of app: App) -> [String] {
        switch app {
        case .seatcatcher: SeatsEvents.AlertKind.allCases.map(\.rawValue) + [announcement, newDevice]
        case .moup: WorkforceEvents.AlertKind.allCases.map(\.rawValue) + [announcement, adminMessage, newDevice]
        case .anlaka: [chatMessage, payment, comment, announcement, newDevice]
        case .culture: [payment, comment, follow, announcement, newDevice]
        case .withsuhyeon: [chatMessage, announcement, newDevice]
        }
    }
}
