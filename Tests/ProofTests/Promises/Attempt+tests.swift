import Contracts
import Proof

extension Attempt {
    /// An attempt of "phone 1", whose user is account 1; times in seconds.
    init(_ phone: Int64, _ begun: Double, _ ended: Double?, _ outcome: Outcome = .done) {
        self.init(
            phone: "phone \(phone)",
            account: AccountID(rawValue: phone),
            begun: .seconds(begun),
            ended: ended.map { .seconds($0) },
            outcome: outcome,
            trace: "trace \(phone) \(begun)"
        )
    }
}

extension Outcome {
    static var lost: Outcome { .unknown("no answer") }
}

extension Finding {
    var sentences: [String] { violations.map(\.sentence) }

    /// The stories of all violations, without the answers.
    var stories: [[String]] {
        violations.map { $0.story.map { "\($0.phone) \($0.what.split(separator: ":").first ?? "")" } }
    }
}
