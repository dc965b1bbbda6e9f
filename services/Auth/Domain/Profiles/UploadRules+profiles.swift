import Contracts
import Files
import Uploads

extension UploadRules {
    /// What pictures an app takes for profiles; nil for apps whose profiles have no pictures of one's own.
    ///
    /// - Parameter publicURL: where phones reach the gateway.
    init?(profilesOf app: App, publicURL: String) {
        switch app {
        // Anlaka contract 2.1, call 9.
        case .anlaka: self.init(limit: 1 << 20, types: .stills, prefix: "/data/profiles/")
        // Culture contract 1 and 6: without a leading slash.
        case .culture: self.init(limit: 1 << 20, types: .stills, prefix: "uploads/profiles/")
        // MOUP contract 1.4, call 9: a URL that is fetched without a header.
        case .moup:
            self.init(limit: 10 << 20, types: .pictures, prefix: "\(publicURL)/files/users/profile-images/")
        case .seatcatcher, .withsuhyeon: return nil
        }
    }
}
