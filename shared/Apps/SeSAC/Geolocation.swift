package import Values

/// A place in Anlaka's format (contract 1.7, Geo).
package struct Geolocation: Encodable, Sendable {
    package var longitude: Double
    package var latitude: Double

    package init(_ place: Coordinate) {
        longitude = place.longitude
        latitude = place.latitude
    }
}
