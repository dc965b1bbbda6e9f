import Apps
import Values

/// A new post (Anlaka contract 2.6, call 40).
struct PostRequest: Decodable {
    var category: String
    var title: String
    var content: String
    var longitude: Double
    var latitude: Double
    var files: [String]

    /// - Parameter requestKey: Idempotency key of the request, if any.
    /// - Throws: `Problem` (400) when the position is invalid.
    func draft(requestKey: String?) throws -> PostDraft {
        PostDraft(
            category: category,
            title: title,
            content: content,
            files: files,
            place: try Coordinate(onGlobe: latitude, longitude),
            requestKey: requestKey
        )
    }
}

/// A change of a post (Anlaka contract 2.6, call 44). The app sends all fields; absent ones do not change.
struct PostChange: Decodable {
    var category: String?
    var title: String?
    var content: String?
    var longitude: Double?
    var latitude: Double?
    var files: [String]?

    /// - Throws: `Problem` (400) when the position is invalid or incomplete.
    func draft() throws -> PostDraft {
        PostDraft(category: category, title: title, content: content, files: files, place: try place)
    }

    private var place: Coordinate? {
        get throws {
            switch (latitude, longitude) {
            case (nil, nil): return nil
            case (let latitude?, let longitude?): return try Coordinate(onGlobe: latitude, longitude)
            default: throw Problem(.malformed, message: "longitude and latitude must be sent together.")
            }
        }
    }
}

extension Coordinate {
    /// - Throws: `Problem` (400) when the position is not on the globe.
    fileprivate init(onGlobe latitude: Double, _ longitude: Double) throws {
        guard let place = Coordinate(checking: latitude, longitude) else {
            throw Problem(.malformed, message: "longitude must be from -180 to 180, and latitude from -90 to 90.")
        }
        self = place
    }
}
