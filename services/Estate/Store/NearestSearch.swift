import Contracts
import Glibc
import Postgres
import Values

/// The SQL of a search for the listings nearest to a place: the columns `ListingEntry.columns`, in no particular order, and some
/// listings that are slightly beyond the radius.
struct NearestSearch: Sendable {
    var centre: Coordinate
    /// Metres.
    var radius: Double
    var filter: ListingFilter
    /// Maximum number of listings.
    var limit: Int
    /// The viewer.
    var account: AccountID

    /// The longest radius, in metres, within which it is cheaper to read all listings than to read the nearest one by one.
    private static let nearby = 1000.0
    /// How many listings are looked at for each one that may be found, if there is a filter.
    private static let candidatesPerResult = 10
    /// Maximum number of tiles.
    private static let tileLimit = 64

    private static let columns: SQL = """
        l.id, l.public_id, l.creator_id, l.latitude, l.longitude, l.shown_latitude, l.shown_longitude, l.like_count
        """

    /// Slightly extended, since PostGIS uses another radius of the Earth, and a plane is not a globe.
    private var reach: Double { radius * 1.001 + 0.01 }
    private var box: MapBox { MapBox(around: centre, reach: reach) }
    /// Whether the listings may lie on both sides of the date line, or around a pole.
    private var isAtDateLine: Bool { box.west == -180 || box.east == 180 }

    /// Whether `byCells` is the cheaper way.
    var isNearby: Bool { radius <= Self.nearby && !isAtDateLine }

    /// Whether what `bySpot` has found is all that there is to find.
    func isComplete(_ count: Int) -> Bool { count == limit || filter == ListingFilter() }

    /// By the spatial index, which finds the nearest first and reads the table for each. It ends early if the filter leaves out
    /// nearly all.
    var bySpot: SQL {
        let point: SQL = "ST_SetSRID(ST_MakePoint(\(centre.longitude), \(centre.latitude)), 4326)::geography"
        let candidates = filter == ListingFilter() ? limit : limit * Self.candidatesPerResult
        return """
            SELECT \(ListingEntry.columns(for: account, text: "l.text")) FROM (
                SELECT \(Self.columns), l.category, l.area, l.monthly_rent, l.deposit,
                    coalesce(l.entry, listing_entry(l)) AS text
                FROM listings l WHERE ST_DWithin(l.spot, \(point), \(reach), false)
                ORDER BY l.spot <-> \(point) LIMIT \(candidates)
            ) l
            WHERE \(MapStore.matches(filter)) LIMIT \(limit)
            """
    }

    /// By the tiles around the place, from an index that has all columns of a list: all listings there are read.
    var byCells: SQL {
        let tiles = isAtDateLine ? [MapTile.world] : MapTile.covering(box, limit: Self.tileLimit)
        let ranges = MapTile.cells(of: tiles)
        let furthest = sin(min(reach / Coordinate.radius, .pi) / 2)
        let condition: SQL = "l.cell >= tile.first AND l.cell < tile.past AND \(MapStore.matches(filter))"
        // OFFSET 0 keeps the planner from reading the whole table once for all tiles.
        return """
            SELECT \(ListingEntry.columns(for: account, text: "l.text")) FROM (
                SELECT found.* FROM unnest(\(ranges.map(\.lowerBound)), \(ranges.map(\.upperBound))) tile (first, past)
                CROSS JOIN LATERAL (
                    SELECT \(Self.columns), l.entry AS text FROM listings l
                    WHERE \(condition) AND octet_length(l.entry) <= 2000
                    UNION ALL
                    SELECT \(Self.columns), coalesce(l.entry, listing_entry(l)) FROM listings l
                    WHERE \(condition) AND (octet_length(l.entry) <= 2000) IS NOT TRUE
                    OFFSET 0
                ) found
                CROSS JOIN LATERAL (
                    SELECT radians(found.shown_latitude - \(centre.latitude)) / 2 AS height,
                        radians(found.shown_longitude - \(centre.longitude)) / 2 AS width
                ) half
                CROSS JOIN LATERAL (SELECT \(share) AS share) distance
                WHERE share <= \(furthest * furthest)
                ORDER BY share LIMIT \(limit)
            ) l
            """
    }

    /// The share of the haversine formula (`Coordinate.distance`), which grows with the distance. Nearby it is that of a plane,
    /// whose error within a kilometre is a ten-thousandth, without trigonometric functions for each listing.
    private var share: SQL {
        let shrinking = cos(centre.latitude * .pi / 180)
        guard !isNearby else { return "height * height + \(shrinking * shrinking) * width * width" }
        return "sin(height) ^ 2 + \(shrinking) * cos(radians(found.shown_latitude)) * sin(width) ^ 2"
    }
}
