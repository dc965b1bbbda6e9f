import Subway

/// A named place: an office, a shop, a station.
struct KakaoPlace: Sendable {
    var id: String
    var name: String
    var category: String
    var groupCode: String
    var groupName: String
    var phone: String
    var address: KakaoAddress

    /// Several places in each neighbourhood, and the subway stations with its name.
    static func all(in quarters: [KakaoRegions.Quarter]) -> [KakaoPlace] {
        let stations = (try? StationData.stations()) ?? []
        let linesByName = Dictionary(grouping: stations, by: \.name).mapValues { Set($0.map(\.line.number)).sorted() }
        var places: [KakaoPlace] = []
        for quarter in quarters {
            let stem = String(quarter.name.dropLast())
            var kinds = [
                Kind("\(quarter.name)주민센터", "사회,공공기관 > 행정기관 > 주민센터", "PO3", "공공기관"),
                Kind("\(stem)우체국", "사회,공공기관 > 행정기관 > 우체국", "PO3", "공공기관"),
                Kind("\(stem)공인중개사사무소", "부동산 > 부동산서비스 > 부동산중개업", "AG2", "중개업소"),
                Kind("카페 \(stem)", "음식점 > 카페", "CE7", "카페"),
            ]
            for line in linesByName[stem] ?? [] {
                kinds.append(Kind("\(stem)역 \(line)호선", "교통,수송 > 지하철,전철 > 수도권\(line)호선", "SW8", "지하철역"))
            }
            for (index, kind) in kinds.enumerated() {
                let number = LotNumber(main: (places.count &* 37) % 800 + 1, sub: index)
                places.append(
                    KakaoPlace(
                        id: String(10_000_000 + places.count),
                        name: kind.name,
                        category: kind.category,
                        groupCode: kind.code,
                        groupName: kind.group,
                        phone: "02-\(2000 + places.count % 7000)-\(1000 + places.count % 9000)",
                        address: KakaoAddress(quarter, number: number, asRoad: false)
                    )
                )
            }
        }
        return places
    }

    private struct Kind {
        var name: String
        var category: String
        var code: String
        var group: String

        init(_ name: String, _ category: String, _ code: String, _ group: String) {
            (self.name, self.category, self.code, self.group) = (name, category, code, group)
        }
    }

    /// Whether the place's name or address contains every word of a text.
    func matches(_ words: [Substring]) -> Bool {
        let name = name.filter { $0 != " " }.lowercased()
        return !words.isEmpty
            && words.allSatisfy { name.contains($0.lowercased()) || address.lotName.contains($0) }
            && words.contains { name.contains($0.lowercased()) }
    }
}
