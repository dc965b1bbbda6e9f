import Subway

extension Timetable {
    /// The lines of the station data, each from end to end: line 2 as circular trains and shuttles on its branches,
    /// line 5 to both its ends, line 6 through its loop and back.
    init(_ stations: [Station], map: LineMap) {
        let builder = Builder(map: map)
        services =
            builder.bothWays(.line1, 1, 10, headway: 240, firstNumber: 100)
            + builder.circle()
            + builder.bothWays(.line2, 21, 58, headway: 720, firstNumber: 1000)
            + builder.bothWays(.line2, 44, 62, headway: 720, firstNumber: 5760)
            + builder.bothWays(.line3, 63, 96, headway: 300, firstNumber: 3000)
            + builder.bothWays(.line4, 97, 122, headway: 240, firstNumber: 4000)
            + builder.bothWays(.line5, 123, 171, headway: 480, firstNumber: 5000)
            + builder.bothWays(.line5, 123, 178, headway: 480, firstNumber: 5400)
            + builder.loop()
            + builder.bothWays(.line7, 219, 260, headway: 300, firstNumber: 7000)
            + builder.bothWays(.line8, 261, 278, headway: 360, firstNumber: 8000)
    }
}

private struct Builder {
    let map: LineMap

    /// Trains from one end to the other and back.
    func bothWays(
        _ line: Line,
        _ first: StationID,
        _ last: StationID,
        headway: Int,
        firstNumber: Int
    ) -> [Timetable.Service] {
        [(first, last), (last, first)].compactMap { ends in
            guard let route = map.route(from: ends.0, to: ends.1) else { return nil }
            return Timetable.Service(
                course: Course(line: line, hops: route.hops),
                headway: headway,
                firstNumber: firstNumber,
                // The number of departures per day.
                numbers: 86_400 / headway,
                destinations: [(0, map.name(ends.1))]
            )
        }
    }

    /// Fifteen trains in each direction of line 2. Their announced destination is 성수, where the circle's depot is, but
    /// they continue.
    func circle() -> [Timetable.Service] {
        Direction.allCases.compactMap { direction in
            guard let once = map.hops(from: 21, to: 21, going: direction) else { return nil }
            return Timetable.Service(
                // Two rounds, so that every stop is preceded by all others.
                course: Course(line: .line2, hops: once + once),
                headway: once.reduce(0) { $0 + $1.seconds } / 15,
                firstNumber: 2000,
                numbers: 15,
                announced: once.count..<2 * once.count,
                destinations: [(0, map.name(21))]
            )
        }
    }

    /// Trains of line 6 from 신내 around the loop and back.
    func loop() -> [Timetable.Service] {
        guard let there = map.route(from: 218, to: 179)?.hops,
            let around = map.hops(from: 179, to: 179, going: .up),
            let back = map.route(from: 179, to: 218)?.hops
        else { return [] }
        return [
            Timetable.Service(
                course: Course(line: .line6, hops: there + around + back),
                headway: 360,
                firstNumber: 6000,
                numbers: 240,
                destinations: [(0, map.name(179)), (there.count + 1, map.name(218))]
            )
        ]
    }
}

extension LineMap {
    /// A stop's name at the arrivals service.
    func name(_ id: StationID) -> String {
        station(id)?.arrivalsName ?? ""
    }
}
