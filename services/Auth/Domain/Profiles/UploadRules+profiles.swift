import Contracts
import Files

extension UploadRules {
    /// The rules for profile pictures of an app; nil for apps without uploaded pictures.
    ///
    /// - Parameter publicURL: the gateway's URL for clients.
    init?(profilesOf app: App, publicURL: String) {
        switch app {
        // Anlaka contract 2.1, call 9.
        case .anlaka: self.init(limit: 1 << 20, types: .stills, prefix: "/data/profiles/")
        // Culture contract 1 and 6: without a leading slash.
        case .culture: self.init(limit: 1 << 20, types: .stills, prefix: "uploads/profiles/")
        // MOUP contract 1.4, call 9: a URL that the client fetches without an authorization header.
        case .moup:
            self.init(limit: 10 << 20, types: .pictures, prefix: "\(publicURL)/files/users/profile-images/")
        case .seatcatcher, .withsuhyeon: return nil
        }
    }
}
