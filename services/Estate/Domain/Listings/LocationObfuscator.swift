import Authentication
import Contracts
import Values

/// The public position of a listing: 30 to 80 m from the exact one, at an offset derived from a secret, and constant as
/// long as the listing does not move (Anlaka contract 7, location privacy). Random noise per request would average out.
///
/// All listings of a creator within about ten metres have the same offset: an agency has many flats in one building,
/// and different offsets would average out. Another creator gets a different offset there, so creating a listing does
/// not reveal it.
struct LocationObfuscator: Sendable {
    private let hash: KeyedHash

    init(secret: String) {
        hash = KeyedHash(secret: secret, purpose: "positions of listings")
    }

    /// Metres; slightly narrower than promised, since positions are rounded to 0.1 m.
    private static let distances = 30.2...79.8

    func shown(_ exact: Coordinate, of creator: AccountID) -> Coordinate {
        guard !Sabotage.exactPlaceShown.isBuiltIn else { return exact }
        let (row, column) = (Int((exact.latitude * 1e4).rounded()), Int((exact.longitude * 1e4).rounded()))
        let digest = hash.digest("\(creator) \(row) \(column)")
        let bearing = 360 * Self.share(digest[0..<8])
        let (least, most) = (Self.distances.lowerBound, Self.distances.upperBound)
        return exact.moved(least + (most - least) * Self.share(digest[8..<16]), bearing: bearing).rounded
    }

    /// Eight bytes as a number in 0..<1.
    private static func share(_ bytes: ArraySlice<UInt8>) -> Double {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(number >> 11) * 0x1p-53
    }
}
