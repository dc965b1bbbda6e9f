import Authentication
import Geography

/// Where others are told that a listing is: 30 to 80 m off in a direction that only the secret knows, the same for as long as
/// it does not move (Anlaka contract 7, location privacy). Noise that is drawn anew each time would average out.
///
/// What one creator lets within some ten metres is all moved alike: an agency has many flats in a house, and offsets of their
/// own would average out over these. Others' offsets there are other ones, so nobody finds one out by listing something.
struct PositionVeil: Sendable {
    private let hash: KeyedHash

    init(secret: String) {
        hash = KeyedHash(secret: secret, purpose: "positions of listings")
    }

    /// A little within what is promised, as the place is rounded to a tenth of a metre.
    private static let distances = 30.2...79.8

    func shown(_ exact: Coordinate, of creator: Int64) -> Coordinate {
        let (row, column) = (Int((exact.latitude * 1e4).rounded()), Int((exact.longitude * 1e4).rounded()))
        let digest = hash.digest("\(creator) \(row) \(column)")
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
