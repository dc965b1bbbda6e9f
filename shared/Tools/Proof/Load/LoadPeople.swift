import ServiceKit

/// People of all apps who have signed up, in an order in which every beginning has them in the same shares.
struct LoadPeople: Sendable {
    typealias Meet = @Sendable (_ number: Int, _ city: City) async throws -> [any LoadPerson]

    /// A kind of people.
    private struct Kind: Sendable {
        /// Of a hundred people.
        var share: Int
        /// How many sign up together.
        var size: Int
        var meet: Meet
    }

    private static let kinds = [
        Kind(share: 30, size: 10) { try await LoadPassenger.board($0, in: $1) },
        Kind(share: 34, size: 6) { try await LoadNeighbour.meet($0, in: $1) },
        Kind(share: 16, size: 6) { try await LoadReader.meet($0, in: $1) },
        Kind(share: 12, size: 5) { try await LoadWorker.meet($0, in: $1) },
        Kind(share: 8, size: 4) { try await LoadTraveller.meet($0, in: $1) },
    ]

    /// - Parameter report: Is called with the number of people who have signed up.
    static func signUp(
        _ count: Int,
        in city: City,
        report: @escaping @Sendable (Int) -> Void
    ) async throws -> [any LoadPerson] {
        let groups = kinds.indices.flatMap { kind in
            let number = (count * kinds[kind].share + 100 * kinds[kind].size - 1) / (100 * kinds[kind].size)
            return (0..<max(1, number)).map { (kind: kind, number: $0) }
        }
        var (waiting, people) = (groups[...], Array(repeating: [[any LoadPerson]](), count: kinds.count))
        var signedUp = 0
        try await withThrowingTaskGroup(of: (Int, [any LoadPerson]).self) { tasks in
            func start() {
                guard let next = waiting.popFirst() else { return }
                tasks.addTask { (next.kind, try await join(next.number, kinds[next.kind].meet, city)) }
            }
            for _ in 0..<4 { start() }
            for try await (kind, group) in tasks {
                people[kind].append(group)
                signedUp += group.count
                report(min(signedUp, count))
                start()
            }
        }
        return Array(mixed(people.map { $0.flatMap(\.self) }, shares: kinds.map(\.share)).prefix(count))
    }

    /// Signs a group up. What has begun and failed, on a machine that is busy, is left as it is, and others sign up.
    private static func join(_ number: Int, _ meet: Meet, _ city: City) async throws -> [any LoadPerson] {
        for attempt in 0..<3 {
            do {
                return try await meet(number + attempt * 10_000, city)
            } catch  where !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
            }
        }
        return try await meet(number + 30_000, city)
    }

    /// All elements, two of a kind at a time, so that every beginning has the kinds in their shares.
    static func mixed<Element>(_ kinds: [[Element]], shares: [Int]) -> [Element] {
        var (rest, taken) = (kinds.map { $0[...] }, Array(repeating: 0, count: kinds.count))
        var all: [Element] = []
        while true {
            // The kind that is furthest behind.
            let next = kinds.indices.filter { !rest[$0].isEmpty }
                .min { (taken[$0] + 1) * shares[$1] < (taken[$1] + 1) * shares[$0] }
            guard let next else { return all }
            all += rest[next].prefix(2)
            rest[next] = rest[next].dropFirst(2)
            taken[next] += 2
        }
    }
}
