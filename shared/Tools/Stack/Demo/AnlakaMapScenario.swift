import StackKit

/// The map, as a part of the real-estate app's scenario.
extension Phone {
    /// Shows the map of Seoul, zooms in to a neighbourhood, and opens the nearest listing.
    func playMap() async throws {
        let sketch = MapSketch(south: 37.42, west: 126.76, north: 37.70, east: 127.19)
        let box = "\(sketch.west),\(sketch.south),\(sketch.east),\(sketch.north)"
        let map = try await send(
            "The person looks at Seoul. The server groups the pins.",
            .get,
            "/v1/estates/clusters?zoom=12&bbox=\(box)"
        )
        let pins = try Self.pins(map)
        for line in sketch.lines(pins) { tell("    │\(line)│") }
        tell("    \(pins.reduce(0) { $0 + $1.count }) listings in \(pins.count) pins")

        let near = try await send(
            "The app's own map asks for what is around: here within 500 m of a place in Nowon.",
            .get,
            "/v1/estates/geolocation?longitude=127.045432300312&latitude=37.6522582058481&maxDistance=500"
        )
        guard let estates = near["data"]?.elements, let first = estates.first else {
            throw StackError("there is nothing on the map")
        }
        let id = try first.text("estate_id")
        let detail = try await send("It opens the nearest.", .get, "/v1/estates/\(id)")
        guard first["geolocation"] == detail["geolocation"] else {
            throw StackError("the detail tells another place than the map")
        }
        tell("    Both show the same place, 30 to 80 m off: where it is, the creator knows, and who reserves it.")
        try await send("The person likes it.", .post, "/v1/estates/\(id)/like", body: ["like_status": true])
        let liked = try await send("It is on their list.", .get, "/v1/estates/likes/me?limit=5")
        guard try liked["data"]?[0]?.text("estate_id") == id else { throw StackError("the list of likes lacks it") }
        try await send("The home screen shows what others like.", .get, "/v1/estates/hot-estates")
        try await send("They search for a place.", .get, "/v1/places/search?query=상계동")
    }

    private static func pins(_ map: JSON) throws -> [MapSketch.Pin] {
        let clusters = (map["clusters"]?.elements ?? []).map { ($0, $0["count"]?.integer ?? 1) }
        let lone = (map["estates"]?.elements ?? []).map { ($0, Int64(1)) }
        return try (clusters + lone).map { pin, count in
            guard let place = pin["geolocation"], let latitude = place["latitude"]?.double,
                let longitude = place["longitude"]?.double
            else { throw StackError("a pin has no place") }
            return MapSketch.Pin(count: Int(count), latitude: latitude, longitude: longitude)
        }
    }
}
