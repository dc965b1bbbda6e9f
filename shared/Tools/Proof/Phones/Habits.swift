package import FoundationEssentials
import Values

/// How people use their phones: a data file, so that it can be changed without a build.
package struct Habits: Sendable, Codable {
    /// The version of the file's form.
    package var version: Int
    /// Seconds between two acts of a phone, from and to.
    package var pause: [Double]
    /// The share of acts whose answer the phone loses, in a tunnel or a lift.
    package var lostAnswers: Double
    /// Milliseconds until the connection is lost then, from and to.
    package var lostAfter: [Double]
    /// The share of acts that are tapped twice.
    package var doubleTaps: Double
    /// The share of pauses that take minutes, with the app in the background and its socket closed.
    package var background: Double
    /// Seconds of such a pause, from and to.
    package var backgroundFor: [Double]
    /// The share of phones whose clock is wrong; none without it.
    package var wrongClocks: Double?
    /// Seconds by which such a clock is ahead or behind, from and to.
    package var wrongBy: [Double]?
    /// Seconds between two instants at which the sessions of all households end; 6 without it.
    package var endsEvery: Double?
    /// Of how many of these ends one is from the person's other device; 4 without it.
    package var otherDeviceEvery: Int?
    /// By kind of phone, how often it does what, relative to its other acts.
    package var acts: [String: [String: Double]]
    /// Of a hundred phones, how many are of a group, by its name; those that are not named are none. The usual ones without it.
    package var shares: [String: Int]?

    package static let version = 1

    /// - Throws: `ProofError` for another version or a file of another form.
    package init(json: some DataProtocol) throws {
        do {
            self = try JSONDecoder().decode(Habits.self, from: Data(json))
        } catch {
            throw ProofError("the habits are not of the form that is expected: \(error)")
        }
        guard version == Self.version else {
            throw ProofError("the habits are of version \(version), and this program reads version \(Self.version)")
        }
    }
}

extension Habits {
    /// A time between two acts.
    func pause(_ random: inout SplitMix) -> Duration {
        let isLong = Double.random(in: 0..<1, using: &random) < background
        return .seconds(Self.value(isLong ? backgroundFor : pause, &random))
    }

    /// When the phone loses the answer of its next act; nil mostly.
    func cut(_ random: inout SplitMix) -> Duration? {
        guard Double.random(in: 0..<1, using: &random) < lostAnswers else { return nil }
        return .milliseconds(Self.value(lostAfter, &random))
    }

    func isTappedTwice(_ random: inout SplitMix) -> Bool { Double.random(in: 0..<1, using: &random) < doubleTaps }

    /// Seconds by which a phone's clock is ahead; below 0 it is behind.
    func clockError(_ random: inout SplitMix) -> Int64 {
        guard Double.random(in: 0..<1, using: &random) < wrongClocks ?? 0, let wrongBy else { return 0 }
        let seconds = Int64(Self.value(wrongBy, &random))
        return Bool.random(using: &random) ? seconds : -seconds
    }

    /// What a phone does next.
    ///
    /// - Parameter kind: A key of `acts`.
    func act(of kind: String, _ random: inout SplitMix) -> String {
        let weights = (acts[kind] ?? [:]).sorted { $0.key < $1.key }
        var rest = Double.random(in: 0..<1, using: &random) * weights.reduce(0) { $0 + $1.value }
        for (act, weight) in weights {
            rest -= weight
            if rest < 0 { return act }
        }
        return weights.last?.key ?? ""
    }

    /// Of a hundred phones, how many are of a group.
    func share(of group: String) -> Int { (shares ?? Self.usualShares)[group] ?? 0 }

    private static let usualShares = [
        "passengers": 28, "neighbours": 30, "buyers": 8, "anlaka": 10, "culture": 10, "workers": 8, "guests": 2,
        "leavers": 2, "households": 1, "clocks": 1,
    ]

    /// The names of the groups.
    static var groups: Set<String> { Set(usualShares.keys) }

    private static func value(_ range: [Double], _ random: inout SplitMix) -> Double {
        guard range.count == 2, range[0] < range[1] else { return range.first ?? 0 }
        return Double.random(in: range[0]..<range[1], using: &random)
    }
}

extension Habits {
    /// The usual habits, of `Resources/habits.json`.
    package static func usual() throws -> Habits { try Habits(json: PackageResources.habits_json) }

    /// Those of people who are active for a load, of `Resources/people.json`: as the usual ones, with other acts, and without
    /// answers that get lost.
    package static func ofLoad() throws -> Habits { try Habits(json: PackageResources.people_json) }
}
