extension App {
    /// The services that may hold something of an account of this app, and let go of it when its owner leaves.
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
