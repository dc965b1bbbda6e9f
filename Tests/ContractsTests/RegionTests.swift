import Contracts
import TestKit
import Testing

@Suite struct RegionTests {
    @Test func regions_areEightyInTenLocations() {
        #expect(Region.all.count == 80)
        #expect(Set(Region.all.map(\.key)).count == 80)
        #expect(Set(Region.all.map(\.name)).count == 80)
        var counts: [(String, Int)] = []
        for region in Region.all {
            if counts.last?.0 == region.location {
                counts[counts.count - 1].1 += 1
            } else {
                counts.append((region.location, 1))
            }
        }
        #expect(counts.map(\.0) == ["전국", "서울", "부산", "제주", "인천", "강원", "경기", "경상", "전라", "충청"])
        #expect(counts.map(\.1) == [1, 14, 11, 9, 6, 6, 11, 8, 8, 6])
    }

    @Test func wholeLocations_areSeven() {
        let whole = Region.all.filter(\.isWhole)
        #expect(whole.map(\.location) == ["전국", "서울", "부산", "제주", "인천", "강원", "경기"])
        #expect(whole.allSatisfy { $0.key.hasSuffix("ALL") })
    }

    @Test func region_isFoundByNameAndKey() {
        for region in Region.all {
            #expect(Region(name: region.name) == region)
            #expect(Region(key: region.key) == region)
        }
        #expect(Region(name: "서울") == nil)
        #expect(Region(name: "") == nil)
        #expect(Region(key: "잠실/송파/강동") == nil)
    }
}
