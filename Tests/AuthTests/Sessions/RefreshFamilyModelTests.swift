import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Auth

/// Clients lose answers, send concurrent requests, change networks, pause for hours and refresh themselves or by the
/// gateway, and thieves with another address and `User-Agent` copy tokens and do the same. No session without a theft is
/// ended. An old token of one party always ends the session when the other party has used its successor, however late.
@Suite struct RefreshFamilyModelTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomClientsAndThieves_haveNoFalseLogoutOrMissedTheft(seed: UInt64) {
        var random = SplitMix(state: seed)
        var steps = 0
        var thefts = 0
        var lives = 0
        while steps < 100_000 {
            var server = RefreshServer(random: SplitMix(state: random.next()))
            server.play()
            #expect(server.mistakes == [])
            steps += server.steps
            if server.endedByReuse { thefts += 1 } else { lives += 1 }
        }
        // Both outcomes must occur for the test to be meaningful.
        #expect(thefts > 20)
        #expect(lives > 20)
    }
}

/// One session: its family on the server, its owner's client, and possibly a thief.
private struct RefreshServer {
    private enum Party { case owner, thief }

    /// A delayed second request of the owner: its generation, origin and time of arrival.
    private struct Straggler {
        var generation: Int
        var origin: Origin
        var isSilent: Bool
        var arrival: Date
    }

    private var random: SplitMix
    private var now = Date(timeIntervalSince1970: 1_800_000_000)
    private var family: RefreshFamily
    private var ownersOrigin = Origin(address: "203.0.113.7", userAgent: "App/1")
    private let thiefsOrigin = Origin(address: "192.0.2.66", userAgent: "curl")
    /// The newest generation that each party has received; nil while there is no thief.
    private var held: [Party: Int] = [.owner: 0]
    /// The newest generation whose access token each has used.
    private var used: [Party: Int] = [:]
    /// The newest generation that each has obtained by a refresh, and not by copying the other's token.
    private var refreshed: [Party: Int] = [:]
    private var stragglers: [Straggler] = []
    /// The expiry of the owner's access token; the owner does not refresh earlier.
    private var expiry: Date
    private let hasThief: Bool

    private(set) var steps = 0
    private(set) var endedByReuse = false
    private(set) var mistakes: [String] = []

    init(random: SplitMix) {
        self.random = random
        hasThief = self.random.next() % 2 == 0
        family = RefreshFamily(expiresAt: now + 2 * 86_400)
        expiry = now + 900
    }

    mutating func play() {
        while family.endReason == nil, now < family.expiresAt {
            steps += 1
            now += [0.05, 3, 100, 1200, 30_000][draw(40) == 0 ? 4 : draw(4)]
            arrive()
            switch draw(16) {
            case 0 where hasThief && held[.thief] == nil && draw(4) == 0: held[.thief] = held[.owner]
            case 1: ownersOrigin.address = "198.51.100.\(draw(200))"
            case 2, 3: steal()
            case 4...9 where now >= expiry: refreshOwner()
            default: use(.owner)
            }
        }
    }

    private mutating func draw(_ count: UInt64) -> Int { Int(random.next() % count) }

    // MARK: Steps

    /// The owner refreshes with its newest token; a second request may follow the first, and answers may get lost.
    private mutating func refreshOwner() {
        guard let presented = held[.owner] else { return }
        let isSilent = draw(2) == 0
        if draw(3) == 0 {
            stragglers.append(
                Straggler(
                    generation: presented,
                    origin: ownersOrigin,
                    isSilent: isSilent,
                    arrival: now + Double(draw(20))
                )
            )
        }
        let answer = present(presented, by: .owner, from: ownersOrigin, isSilent: isSilent)
        guard let answer, draw(4) != 0 else { return }
        take(answer)
    }

    private mutating func arrive() {
        for late in stragglers where late.arrival <= now {
            // Older requests have timed out.
            guard now.timeIntervalSince(late.arrival) < 20 else { continue }
            if let answer = present(late.generation, by: .owner, from: late.origin, isSilent: late.isSilent) {
                take(answer)
            }
        }
        stragglers.removeAll { $0.arrival <= now }
    }

    private mutating func take(_ generation: Int) {
        guard generation > held[.owner, default: 0] else { return }
        held[.owner] = generation
        expiry = now + 900
    }

    private mutating func steal() {
        guard let generation = held[.thief] else { return }
        if draw(2) == 0 { return use(.thief) }
        if let answer = present(generation, by: .thief, from: thiefsOrigin, isSilent: draw(2) == 0) {
            held[.thief] = answer
        }
    }

    private mutating func use(_ party: Party) {
        guard let generation = held[party], family.endReason == nil else { return }
        family.usedGeneration = max(family.usedGeneration, generation)
        used[party] = max(used[party, default: 0], generation)
    }

    /// Presents a refresh token as the service does, and compares the verdict with the expected one.
    private mutating func present(
        _ generation: Int,
        by party: Party,
        from origin: Origin,
        isSilent: Bool
    ) -> Int? {
        let other: Party = party == .owner ? .thief : .owner
        // Within the grace period a holder gets the successor again, although a thief may have copied and used it: an access
        // token does not tell who uses it.
        let isGrace =
            family.holders.contains(origin)
            && family.rotatedAt.map { now.timeIntervalSince($0) < RefreshFamily.grace } ?? false
        let isTheft =
            used[other, default: 0] > generation && (!isGrace || refreshed[other, default: 0] > generation)
        let verdict = family.verdict(presented: generation, from: origin, now: now)
        if isTheft, verdict == .rotate || verdict == .repeatAnswer {
            mistakes.append("step \(steps): missed a theft by \(other), \(verdict) for \(generation): \(family)")
        }
        if held[.thief] == nil, verdict == .reused {
            mistakes.append("step \(steps): signed out without a theft, \(family)")
        }
        switch verdict {
        case .rotate:
            family.rotate(to: origin, at: now, isForwarded: isSilent)
            if isSilent { used[party] = family.generation }
            refreshed[party] = family.generation
            return family.generation
        case .repeatAnswer:
            family.repeatAnswer(to: origin, isForwarded: isSilent)
            if isSilent { used[party] = family.generation }
            refreshed[party] = family.generation
            if let rotatedAt = family.rotatedAt, now.timeIntervalSince(rotatedAt) > RefreshFamily.grace {
                family.rotatedAt = now
            }
            return family.generation
        case .reused:
            family.endReason = .reused
            endedByReuse = true
            return nil
        case .ended, .expired: return nil
        }
    }
}
