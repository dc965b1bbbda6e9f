import FoundationEssentials
import Testing

@testable import Notifications

/// The rate of late pushes.
@Suite
struct BacklogAllowanceTests {
    @Test
    func available_followsRate_andBoundsBurst() {
        var allowance = BacklogAllowance(rate: 1000)
        let start = Date(timeIntervalSince1970: 0)
        var went = 0
        for step in 0...2000 {
            let count = allowance.available(at: start + Double(step) / 1000)
            #expect(count <= 100)
            allowance.spend(count)
            went += count
        }
        #expect((1990...2010).contains(went))
        let countThen = allowance.available(at: start + 3600)
        #expect(countThen == 100)
    }

    @Test
    func slowRate_allowsFirstAtOnce_andReturnsWait() {
        var allowance = BacklogAllowance(rate: 0.5)
        let start = Date(timeIntervalSince1970: 0)
        let count = allowance.available(at: start)
        #expect(count == 1)
        allowance.spend(1)
        let countThen = allowance.available(at: start)
        #expect(countThen == 0)
        #expect(allowance.wait == 2)
        let countLater = allowance.available(at: start + 2)
        #expect(countLater == 1)
    }

    @Test
    func clockSetBack_keepsAllowance() {
        var allowance = BacklogAllowance(rate: 10)
        let start = Date(timeIntervalSince1970: 100)
        _ = allowance.available(at: start)
        let count = allowance.available(at: start - 50)
        #expect(count == 1)
    }
}
