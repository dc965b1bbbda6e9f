import AppClients

/// A text map of clusters with the number of listings of each pin at its position.
struct MapSketch {
    let south: Double
    let west: Double
    let north: Double
    let east: Double
    /// The width in characters.
    var width = 72
    /// The height in lines; characters are twice as high as wide.
    var height = 26

    /// The number and position of a pin.
    struct Pin {
        var count: Int
        var latitude: Double
        var longitude: Double
    }

    /// The pins of `GET /v1/estates/clusters`.
    static func pins(_ map: JSON) throws -> [Pin] {
        try ((map["clusters"]?.elements ?? []) + (map["estates"]?.elements ?? [])).map { pin in
            guard let place = pin["geolocation"], let latitude = place["latitude"]?.double,
                let longitude = place["longitude"]?.double
            else { throw ClientError("a pin has no place") }
            return Pin(count: Int(pin["count"]?.integer ?? 1), latitude: latitude, longitude: longitude)
        }
    }

    /// The lines of the map from the north; of overlapping pins the larger is shown.
    func lines(_ pins: [Pin]) -> [String] {
        var rows = Array(repeating: Array(repeating: Character(" "), count: width), count: height)
        for pin in pins.sorted(by: { $0.count > $1.count }) {
            let row = Int((north - pin.latitude) / (north - south) * Double(height))
            let column = Int((pin.longitude - west) / (east - west) * Double(width))
            let text = Array(pin.count == 1 ? "·" : String(pin.count))
            let place = column..<column + text.count
            guard rows.indices.contains(row), place.lowerBound >= 0, place.upperBound <= width else { continue }
            let around = max(0, place.lowerBound - 1)..<min(width, place.upperBound + 1)
            guard rows[row][around].allSatisfy({ $0 == " " }) else { continue }
            rows[row].replaceSubrange(place, with: text)
        }
        return rows.map { String($0) }
    }
}
