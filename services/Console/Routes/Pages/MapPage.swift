import Contracts
import Values

/// The clusters of an area of the map, as the app shows them.
struct MapPage {
    let map: OperatorsAPI.Map
    let area: MapArea
    let language: Language

    /// The maximum number of clusters in the table.
    private static let longest = 50

    var html: HTML {
        """
        <p class="facts"><span>\(language("\(map.listings) listings", "매물 \(map.listings)개"))</span>\
        <span>\(language("\(map.clusters.count) clusters", "클러스터 \(map.clusters.count)개"))</span>\
        <span>\(language("zoom \(area.zoom)", "확대 \(area.zoom)"))</span></p>
        <nav class="facts" aria-label="\(language("Other areas", "다른 지역"))">\(areas.map(link))</nav>
        \(MapPicture(map: map, area: area, language: language).svg)
        \(table)
        """
    }

    private var areas: [(name: String, area: MapArea)] {
        let wider: [(name: String, area: MapArea)] =
            area.isLargest ? [] : [(language("wider", "축소"), area.scaled(by: 2))]
        return wider + [
            (language("closer", "확대"), area.scaled(by: 0.5)),
            (language("north", "북쪽"), area.moved(rows: 1, columns: 0)),
            (language("south", "남쪽"), area.moved(rows: -1, columns: 0)),
            (language("west", "서쪽"), area.moved(rows: 0, columns: -1)),
            (language("east", "동쪽"), area.moved(rows: 0, columns: 1)), (language("Seoul", "서울"), .seoul),
        ]
    }

    private func link(_ name: String, _ area: MapArea) -> HTML {
        "<a href=\"\(Layout.root)/live/map?bbox=\(area.text)\">\(name)</a>"
    }

    private var table: HTML {
        guard !map.clusters.isEmpty else {
            return "<p class=\"none\">\(language("There are no clusters here.", "여기에는 클러스터가 없습니다."))</p>"
        }
        let rows = map.clusters.prefix(Self.longest).map { cluster -> HTML in
            """
            <tr><td>\(cluster.count)</td><td>\(link(place(cluster), MapArea(around: cluster)))</td>\
            <td>\("\(cluster.id)")</td></tr>

            """
        }
        return """
            <table><caption>\(language("The largest clusters", "가장 큰 클러스터"))</caption>
            <thead><tr><th scope="col">\(language("Listings", "매물"))</th><th scope="col">\(language("Where", "위치"))</th>\
            <th scope="col">\(language("First listing", "첫 매물"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func place(_ cluster: OperatorsAPI.Cluster) -> String {
        let places = [cluster.latitude, cluster.longitude].map { ($0 * 10_000).rounded() / 10_000 }
        return places.map { "\($0)" }.joined(separator: ", ")
    }
}
