import Authentication

/// Where others are told that a listing is: 30 to 80 m off in a direction that only the secret knows, the same for ever
/// (Anlaka contract 7, location privacy). Noise that is drawn anew each time would average out.
struct PositionVeil: Sendable {
    private let hash: KeyedHash

    init(secret: String) {
        hash = KeyedHash(secret: secret, purpose: "positions of listings")
    }

    /// A little within what is promised, as the place is rounded to a tenth of a metre.
    private static let distances = 30.2...79.8

    func shown(_ exact: Coordinate, of publicID: String) -> Coordinate {
        let digest = hash.digest(publicID)
        let bearing = 360 * Self.share(digest[0..<8])
        let (least, most) = (Self.distances.lowerBound, Self.distances.upperBound)
        return exact.moved(least + (most - least) * Self.share(digest[8..<16]), bearing: bearing).rounded
    }

    /// Eight bytes as a number from 0 to below 1.
    private static func share(_ bytes: ArraySlice<UInt8>) -> Double {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(number >> 11) * 0x1p-53
    }
}
