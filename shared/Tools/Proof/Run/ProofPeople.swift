import AppClients
import Apps
import Values

/// The people of a run, in groups whose phones have to do with each other.
struct ProofPeople: Sendable {
    /// What a phone does until the end of a run.
    private typealias Play = @Sendable (_ end: Moment, _ random: SplitMix) async -> Void

    /// People who sign up together.
    private struct Group: Sendable {
        var number: Int
        var make: @Sendable (Int) async throws -> ProofPeople

        /// Signs them up. What has begun and failed, on a machine that is busy, is left as it is, and others sign up.
        func join() async throws -> ProofPeople {
            for attempt in 0..<3 {
                do {
                    return try await make(number + attempt * 10_000)
                } catch  where !Task.isCancelled {
                    try await Task.sleep(for: .seconds(1))
                }
            }
            return try await make(number + 30_000)
        }
    }

    private var plays: [Play] = []
    private var endings: [@Sendable () async -> Void] = []

    static let anlakaPost: RequestBody = [
        "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.045, "latitude": 37.652, "files": [],
    ]

    static let culturePost: RequestBody = [
        "category": "전시", "title": "봄 전시", "content": "저녁에", "price": 0, "longitude": 126.98, "latitude": 37.57,
        "files": [],
    ]

    var count: Int { plays.count }

    /// Signs people of all apps up, several groups at a time.
    ///
    /// - Parameter report: Is called with the number of phones that are signed in.
    static func signUp(_ phones: Int, in city: City, report: @escaping @Sendable (Int) -> Void) async throws
        -> ProofPeople
    {
        var groups: [Group] = []
        func add(_ group: String, by size: Int, _ make: @escaping @Sendable (Int) async throws -> ProofPeople) {
            let share = city.habits.share(of: group)
            for number in 0..<(phones * share + 99 * size) / (100 * size) {
                groups.append(Group(number: number, make: make))
            }
        }
        add("passengers", by: 10) { number in
            let car = try await Passengers.board(number, count: 10, seats: 6, in: city)
            return .init(car.phones.count, play: car.play, finish: car.finish)
        }
        add("neighbours", by: 3) { number in
            let pair = try await Neighbours.meet(number, in: city)
            var people = ProofPeople(pair.phones.count, play: pair.play, finish: pair.finish)
            people.plays.append { end, random in await pair.follow(until: end, random) }
            return people
        }
        add("buyers", by: 4) { number in
            let buyers = try await Buyers.meet(number, count: 4, in: city)
            return .init(buyers.phones.count, play: buyers.play, finish: {})
        }
        add("anlaka", by: 6) { number in
            let readers = try await Readers.meet(
                number,
                count: 6,
                of: Anlaka.self,
                AppKey.anlaka,
                post: anlakaPost,
                renewal: { Renewal.of($0, $1) },
                in: city
            )
            return .init(readers.phones.count, play: readers.play, finish: readers.finish)
        }
        add("culture", by: 6) { number in
            let readers = try await Readers.meet(
                number,
                count: 6,
                of: Culture.self,
                AppKey.culture,
                post: culturePost,
                renewal: { Renewal.of($0, $1) },
                in: city
            )
            return .init(readers.phones.count, play: readers.play, finish: readers.finish)
        }
        add("workers", by: 4) { number in
            let workers = try await Workers.meet(number, count: 4, in: city)
            return .init(workers.phones.count, play: workers.play, finish: workers.finish)
        }
        add("guests", by: 1) { number in
            let guest = try await SignOuts.join(number, in: city)
            return .init(guest.phones.count, play: guest.play, finish: {})
        }
        add("leavers", by: 1) { number in
            let leaver = try await Leavers.join(number, in: city)
            return .init(leaver.phones.count, play: leaver.play, finish: {})
        }
        add("households", by: 4) { number in
            let household = try await Households.join(number, count: 4, in: city)
            return .init(household.phones.count, play: household.play, finish: {})
        }
        add("clocks", by: 4) { number in
            let clocks = try await TimeClocks.meet(number, count: 4, in: city)
            return .init(clocks.phones.count, play: clocks.play, finish: clocks.finish)
        }
        return try await all(groups, report: report)
    }

    private init() {}

    private init(
        _ count: Int,
        play: @escaping @Sendable (Int, Moment, SplitMix) async -> Void,
        finish: @escaping @Sendable () async -> Void
    ) {
        plays = (0..<count).map { number in { end, random in await play(number, end, random) } }
        endings = [finish]
    }

    private static func all(
        _ groups: [Group],
        report: @Sendable (Int) -> Void
    ) async throws -> ProofPeople {
        var (people, waiting) = (ProofPeople(), groups[...])
        try await withThrowingTaskGroup(of: ProofPeople.self) { tasks in
            for _ in 0..<4 { if let next = waiting.popFirst() { tasks.addTask { try await next.join() } } }
            for try await group in tasks {
                people.plays += group.plays
                people.endings += group.endings
                report(people.count)
                if let next = waiting.popFirst() { tasks.addTask { try await next.join() } }
            }
        }
        return people
    }

    /// Lets all phones play until the end.
    func play(until end: Moment, seed: UInt64) async {
        await withDiscardingTaskGroup { tasks in
            for (number, play) in plays.enumerated() {
                tasks.addTask { await play(end, SplitMix(state: seed ^ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)) }
            }
        }
    }

    /// Lets all read what there is at the end.
    func finish() async {
        await withDiscardingTaskGroup { tasks in
            for ending in endings { tasks.addTask { await ending() } }
        }
    }
}
