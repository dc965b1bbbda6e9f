/// What a server says of itself in INFO.
struct ServerInfo: Decodable, Equatable {
    var cluster: String?
    /// The largest payload in bytes that the server takes and sends.
    var maxPayload: Int
    var requiresTLS: Bool
    var offersTLS: Bool

    private enum CodingKeys: String, CodingKey {
        case cluster
        case maxPayload = "max_payload"
        case requiresTLS = "tls_required"
        case offersTLS = "tls_available"
    }

    /// Payloads above this size are not received, whatever a server says.
    private static let largestPayload = 64 << 20

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        cluster = try values.decodeIfPresent(String.self, forKey: .cluster)
        let maxPayload = try values.decodeIfPresent(Int.self, forKey: .maxPayload) ?? 1 << 20
        self.maxPayload = min(max(maxPayload, 0), Self.largestPayload)
        requiresTLS = try values.decodeIfPresent(Bool.self, forKey: .requiresTLS) ?? false
        offersTLS = try values.decodeIfPresent(Bool.self, forKey: .offersTLS) ?? false
    }
}
