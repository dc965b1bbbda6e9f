import Contracts

/// Kinds of pushes, which users can mute one by one.
enum PushKind {
    static let chatMessage = "CHAT_MESSAGE"
    static let announcement = "ANNOUNCEMENT"
    /// A message of an administrator.
    static let adminMessage = "ADMIN_MESSAGE"
    static let payment = "PAYMENT"
    static let newDevice = "NEW_DEVICE"
    static let comment = "COMMENT"
    static let follow = "FOLLOW"

    /// The kinds of an app.
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
