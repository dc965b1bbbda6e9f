import FoundationEssentials
import Testing

@testable import Proof

struct LoadWindowTests {
    private let thresholds: Thresholds

    init() throws { thresholds = try .standard() }

    private func acts(_ count: Int, late: Int = 0, errors: Int = 0, of kind: ActKind = .sendMessage) -> LoadWindow.Acts
    {
        let limit = thresholds[kind].p99
        var acts = LoadWindow.Acts()
        acts.latencies = Latencies((0..<count).map { $0 < late ? limit * 2 : limit / 10 })
        (acts.late, acts.errors) = (late, errors)
        return acts
    }

    private func window(_ acts: [ActKind: LoadWindow.Acts]) -> LoadWindow {
        LoadWindow(begun: .seconds(0), ended: .seconds(5), people: 100, acts: acts)
    }

    @Test func fewLateActs_areChance_andManyAreNot() {
        #expect(window([.sendMessage: acts(20, late: 1)]).breaches(of: thresholds).isEmpty)
        #expect(window([.sendMessage: acts(1000, late: 10)]).breaches(of: thresholds).isEmpty)
        let breaches = window([.sendMessage: acts(1000, late: 30)]).breaches(of: thresholds)
        #expect(breaches.map(\.kind) == [.sendMessage])
        #expect(breaches[0].sentence.hasPrefix("p99 of \"send a message\" was "), "\(breaches)")
        #expect(breaches[0].sentence.hasSuffix(" ms instead of 400 ms"))
    }

    @Test func actsThatWait_areLate() {
        var waiting = acts(10)
        waiting.waiting = 10
        let breaches = window([.sendMessage: waiting]).breaches(of: thresholds)
        #expect(breaches.map(\.sentence) == ["10 of \"send a message\" took longer than 400 ms"])
        var silent = LoadWindow.Acts()
        silent.waiting = 5
        #expect(!window([.readPost: silent]).breaches(of: thresholds).isEmpty)
    }

    @Test func failures_countForAllKindsTogether() {
        #expect(window([.pay: acts(50, errors: 1), .like: acts(50)]).breaches(of: thresholds).isEmpty)
        let breaches = window([.pay: acts(50, errors: 2), .like: acts(50, errors: 3)]).breaches(of: thresholds)
        #expect(breaches == [Breach(kind: nil, sentence: "5.00 % of the acts failed instead of 0.100 %")])
    }

    @Test func emptyWindow_isGood() {
        #expect(window([:]).breaches(of: thresholds).isEmpty)
        #expect(window([:]).use(of: thresholds) == 0)
    }

    @Test func use_isThatOfTheSlowestKind_ofWhichThereAreMany() {
        let use = window([.sendMessage: acts(100), .pay: acts(5, late: 5, of: .pay)]).use(of: thresholds)
        #expect(abs(use - 0.1) < 0.003)
    }
}

struct ThresholdsTests {
    @Test func otherFile_isRefusedWithASentence() throws {
        func sentence(_ json: String) -> String? {
            do {
                _ = try Thresholds(json: Data(json.utf8))
                return nil
            } catch { return "\(error)" }
        }
        #expect(sentence("[]")?.contains("not of the form") == true)
        #expect(sentence(#"{"version":2,"errors":0.1,"acts":{}}"#)?.contains("of version 2") == true)
        #expect(sentence(#"{"version":1,"errors":0.1,"acts":{}}"#)?.contains("have no openMap") == true)
    }
}

struct LatenciesTests {
    @Test func quantiles_areWithinTwoPercent() throws {
        let latencies = Latencies((1...1000).map(Double.init))
        for (share, value) in [(0.5, 500.0), (0.99, 990), (1, 1000), (0, 1)] {
            let found = try #require(latencies.quantile(share))
            #expect(abs(found - value) <= value * 0.02, "\(share): \(found)")
        }
        #expect(Latencies().quantile(0.5) == nil)
    }

    @Test func sums_areThoseOfAllActs() {
        var sum = Latencies([1, 10])
        sum.add(Latencies([0, 100]))
        #expect(sum == Latencies([0, 1, 10, 100]) && sum.count == 4)
    }
}

struct ChanceTests {
    @Test func tail_isThatOfTheBinomialDistribution() {
        #expect(abs(Chance.atLeast(1, of: 10, 0.1) - 0.651_321_6) < 1e-6)
        #expect(abs(Chance.atLeast(2, of: 10, 0.5) - 0.989_257_8) < 1e-6)
        #expect(Chance.atLeast(0, of: 10, 0.1) == 1 && Chance.atLeast(1, of: 10, 0) == 0)
        #expect(!Chance.exceeds(1, of: 20, share: 0.01) && Chance.exceeds(20, of: 20, share: 0.01))
        #expect(!Chance.exceeds(0, of: 0, share: 0.01))
    }
}
