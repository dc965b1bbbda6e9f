import Testing

@testable import Districts

@Suite struct NeighbourhoodTests {
    @Test func neighbourhoods_coverDistrictsWithoutDuplicates() {
        let all = Neighbourhood.all
        #expect(all.count == 426)
        #expect(Set(all.map(\.district)).count == 25)
        #expect(all.allSatisfy { $0.district.hasSuffix("구") && $0.name.hasSuffix("동") })
        #expect(Set(all.map { "\($0.district) \($0.name)" }).count == all.count)
    }

    @Test func neighbourhoods_lieWithinSeoul() {
        for place in Neighbourhood.all {
            #expect((37.41...37.72).contains(place.latitude) && (126.76...127.19).contains(place.longitude), "\(place)")
        }
    }

    /// A district is at most 13 km across: a slip in a figure would put a neighbourhood outside of its own.
    @Test func neighbourhoodsOfDistrict_lieTogether() {
        for (district, places) in Dictionary(grouping: Neighbourhood.all, by: \.district) {
            let latitude = places.map(\.latitude).reduce(0, +) / Double(places.count)
            let longitude = places.map(\.longitude).reduce(0, +) / Double(places.count)
            for place in places {
                #expect(place.distance(toLatitude: latitude, longitude: longitude) < 6_500, "\(district) \(place.name)")
            }
        }
    }

    @Test func nearestToCentre_isItself() {
        for place in Neighbourhood.all {
            #expect(Neighbourhood.nearest(latitude: place.latitude, longitude: place.longitude) == place)
        }
    }

    @Test(arguments: [
        (37.5663, 126.9779, "중구"), (37.5172, 127.0473, "강남구"), (37.6200, 127.0800, "노원구"), (37.5443, 126.9501, "마포구"),
    ])
    func knownPlace_isInItsDistrict(latitude: Double, longitude: Double, district: String) {
        #expect(Neighbourhood.nearest(latitude: latitude, longitude: longitude).district == district)
    }

    @Test func distance_isInMetres() throws {
        let place = try #require(Neighbourhood.all.first)
        let north = place.distance(toLatitude: place.latitude + 0.01, longitude: place.longitude)
        let east = place.distance(toLatitude: place.latitude, longitude: place.longitude + 0.01)
        #expect(abs(north - 1111.95) < 1)
        #expect(abs(east - 881.2) < 1)
    }

    @Test(arguments: ["a\nx,y,1", "a\nx,y,1,z", "a\n,y,1,2", "a\nx,y,1,2,3"])
    func unreadableRow_throws(csv: String) {
        #expect(throws: Neighbourhood.Unreadable.self) { try Neighbourhood.read(csv: Array(csv.utf8)) }
    }
}
