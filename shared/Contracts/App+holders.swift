extension App {
    /// The services that may store data of an account of this app and erase it after the account's withdrawal.
    package var holders: [ServiceName] {
        switch self {
        case .seatcatcher: [.seats, .notifications]
        case .moup: [.workforce, .notifications]
        case .anlaka: [.estate, .community, .chat, .payments, .notifications]
        case .culture: [.community, .payments, .notifications]
        case .withsuhyeon: [.community, .chat, .notifications]
        }
    }
}
