/// One of the five iOS apps of the platform. An account, a session and a token belong to exactly one app.
package enum App: String, Codable, Sendable, CaseIterable, Hashable {
    /// SeatCatcher: live subway seats.
    case seatcatcher
    /// MOUP: part-time work and pay.
    case moup
    /// Anlaka: real estate on a map, chat, payments.
    case anlaka
    /// Seoul Culture: events and reviews.
    case culture
    /// With Suhyeon: travel companions.
    case withsuhyeon
}
