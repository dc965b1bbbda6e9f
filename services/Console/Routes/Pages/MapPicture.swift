import Contracts

/// Listings on a plane: a circle with its count for each cluster, a dot for each listing outside any.
struct MapPicture {
    let map: OperatorsAPI.Map
    let area: MapArea
    let language: Language
    var isSmall = false

    /// The width in the units of the picture, and its heights.
    private static let (width, heights) = (600.0, 150.0...900.0)
    /// The radii of circles.
    private static let (least, most) = (9.0, 28.0)

    private var height: Double {
        let natural = Self.width * area.height * area.stretch / area.width
        return min(max(natural, Self.heights.lowerBound), Self.heights.upperBound)
    }

    var svg: HTML {
        let largest = map.clusters.map(\.count).max() ?? 1
        let title = language("\(map.listings) listings", "매물 \(map.listings)개")
        return """
            <svg class="map\(isSmall ? " small" : "")" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="group" \
            aria-label="\(title)"><rect class="ground" width="\(Int(Self.width))" height="\(Int(height))"/>\
            \(map.singles.map(dot))\(map.clusters.map { circle($0, largest) })</svg>
            """
    }

    private func dot(_ single: OperatorsAPI.SingleListing) -> HTML {
        let (x, y) = position(single.latitude, single.longitude)
        return "<circle class=\"single\" cx=\"\(x)\" cy=\"\(y)\" r=\"3\"><title>\("\(single.id)")</title></circle>"
    }

    private func circle(_ cluster: OperatorsAPI.Cluster, _ largest: Int) -> HTML {
        let (x, y) = position(cluster.latitude, cluster.longitude)
        let share = (Double(cluster.count) / Double(max(largest, 1))).squareRoot()
        let radius = Int((Self.least + (Self.most - Self.least) * share).rounded())
        return """
            <a href="\(Layout.root)/live/map?bbox=\(MapArea(around: cluster).text)">\
            <title>\(language("\(cluster.count) listings", "매물 \(cluster.count)개"))</title>\
            <circle cx="\(x)" cy="\(y)" r="\(radius)"/><text x="\(x)" y="\(y + 4)">\(cluster.count)</text></a>
            """
    }

    private func position(_ latitude: Double, _ longitude: Double) -> (x: Int, y: Int) {
        let x = (longitude - area.west) / area.width * Self.width
        let y = (area.north - latitude) / area.height * height
        return (Int(x.rounded()), Int(y.rounded()))
    }
}
