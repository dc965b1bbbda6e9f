/// A place (Anlaka contract 1.7, Geo).
struct Geolocation: Encodable {
    var longitude: Double
    var latitude: Double

    init(_ place: Coordinate) {
        longitude = place.longitude
        latitude = place.latitude
    }
}
