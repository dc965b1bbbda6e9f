/// A place as Anlaka writes it (contract 1.7, Geo).
package struct Geolocation: Encodable, Sendable {
    package var longitude: Double
    package var latitude: Double

    package init(_ place: Coordinate) {
        longitude = place.longitude
        latitude = place.latitude
    }
}
