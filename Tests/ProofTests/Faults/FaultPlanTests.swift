import FoundationEssentials
import Proof
import StackKit
import Testing

@Suite struct FaultPlanTests {
    @Test func equalSeeds_makeEqualPlans() throws {
        for offer in [try FaultOffer.installation, try .cluster] {
            #expect(try FaultPlan.sample(7, offer) == FaultPlan.sample(7, offer))
            #expect(try FaultPlan.sample(7, offer).faults != FaultPlan.sample(8, offer).faults)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func everyMinute_hasItsShare(seed: UInt64) throws {
        for offer in [try FaultOffer.installation, try .cluster] {
            let plan = try FaultPlan.sample(seed, offer)
            #expect(plan.faults.count >= 520)
            for minute in Int64(0)..<10 {
                let share = plan.faults.count { $0.begins.microseconds / 60_000_000 == minute }
                #expect(share >= 45, "minute \(minute)")
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func everyOfferedKind_occursInTenMinutes(seed: UInt64) throws {
        for offer in [try FaultOffer.installation, try .cluster] {
            let kinds = try FaultPlan.sample(seed, offer).counts.map(\.kind)
            #expect(kinds == offer.kinds.map(\.kind))
            #expect(kinds.count >= 12)
        }
    }

    @Test func faults_areOfTheOfferOnly_andInOrder() throws {
        let offer = try FaultOffer.installation
        let plan = try FaultPlan.sample(3, offer)
        for fault in plan.faults {
            #expect(offer.kinds.first { $0.kind == fault.kind }?.targets.contains(fault.target) == true)
        }
        #expect(plan.faults == plan.faults.sorted { $0.begins < $1.begins })
    }

    @Test func kindsThatAreLeftOut_areReplacedByOthers() throws {
        var offer = FaultOffer()
        offer.add(.stop, ["auth", "chat", "seats", "estate", "gateway"].map { FaultTarget($0) })
        offer.add(.providerFails, ["kakao", "apple", "portone"].map { FaultTarget($0) })
        offer.leaveOut(.fullDisk, because: "It has no disk.")
        #expect(try FaultPlan.sample(1, offer).faults.count >= 500)
        #expect(offer.leftOut.map(\.sentence) == ["It has no disk."])
    }

    @Test func kindWithoutTargets_isLeftOut() {
        var offer = FaultOffer()
        offer.add(.move, [])
        #expect(offer.kinds.isEmpty && offer.leftOut.map(\.kind) == [.move])
    }

    @Test(arguments: [0, 1, 20, 61]) func shortRun_hasFaultsThatEnd(seconds: Int) throws {
        let plan = try FaultPlan.make(
            seed: 5,
            length: .seconds(seconds),
            offer: .installation,
            rules: .standard()
        )
        #expect(plan.faults.isEmpty == (seconds < 2))
        #expect(plan.faults.allSatisfy { $0.ends.microseconds <= plan.length })
    }

    @Test func emptyOffer_makesAnEmptyPlan() throws {
        #expect(try FaultPlan.sample(1, FaultOffer()).faults.isEmpty)
    }

    @Test func plan_isWrittenAndReadBack() throws {
        let plan = try FaultPlan.sample(.max, .cluster)
        #expect(try FaultPlan(json: plan.json) == plan)
    }

    @Test func otherVersion_isRefusedWithASentence() throws {
        let text = String(decoding: try FaultPlan.sample(1, .installation).json, as: UTF8.self)
        let later = Data(text.replacing("\"version\" : 1", with: "\"version\" : 2").utf8)
        let error = #expect(throws: StackError.self) { try FaultPlan(json: later) }
        #expect(try "\(#require(error))".contains("version 2, and this program reads version 1"))
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"version":1}"#, #"{"version":1,"seed":1,"microseconds":0,"faults":[]}"#,
            #"{"version":1,"seed":1,"microseconds":9,"faults":[{"begins":{"microseconds":1},"lasts":1,"kind":"flood","#
                + #""target":{"name":"chat"},"strength":0}]}"#,
            #"{"version":1,"seed":1,"microseconds":9,"faults":[{"begins":{"microseconds":-1},"lasts":1,"kind":"stop","#
                + #""target":{"name":"chat"},"strength":0}]}"#,
        ]
    )
    func damagedFile_isRefused(text: String) throws {
        let error = #expect(throws: StackError.self) { try FaultPlan(json: Data(text.utf8)) }
        #expect(try "\(#require(error))" == "the file is no plan of faults, or is damaged")
    }
}
