/// An act that is repeated with the same key takes effect once.
///
/// Assumes that the effects of each key were counted in the tables at the end and have not been removed by other acts, and
/// that a key stands for one act: the same body by the same person.
///
/// Checks that a key with an acknowledged attempt has one effect, one with only refused attempts none, any other at most
/// one; and that all acknowledged attempts had the same answer.
package enum RepeatsTakeEffectOnce {
    package static let promise = "An act that is repeated with the same key takes effect once."

    /// - Parameter effects: By key; a key that is not in it has none.
    package static func check(_ acts: [KeyedAct], effects: [String: Int]) -> Finding {
        let byKey = Dictionary(grouping: acts, by: \.key).sorted { $0.key < $1.key }
        let violations = byKey.flatMap { key, acts -> [Violation] in
            let ordered = acts.sorted { $0.attempt.begun < $1.attempt.begun }
            guard let first = ordered.first else { return [] }
            let story = ordered.map { $0.attempt.step($0.what + ($0.answer.map { ", answered \($0)" } ?? "")) }
            let who = "\(first.attempt.phone) \(first.what)"
            let count = effects[key] ?? 0
            var found: [Violation] = []
            let isDone = acts.contains(where: \.attempt.outcome.isDone)
            if count > 1 {
                let sentence = "\(who) \(acts.count) times with one key, and it happened \(count) times."
                found.append(Violation(sentence, story: story))
            } else if isDone, count == 0 {
                found.append(Violation("\(who), which was acknowledged and has not happened.", story: story))
            } else if count == 1, acts.allSatisfy(\.attempt.outcome.isRefused) {
                found.append(Violation("\(who), which was refused and has happened.", story: story))
            }
            let answers = Set(acts.filter(\.attempt.outcome.isDone).compactMap(\.answer))
            if answers.count > 1 {
                let list = answers.sorted().joined(separator: ", ")
                found.append(Violation("\(who) with one key, and was answered \(list).", story: story))
            }
            return found
        }
        return Finding(promise, checked: byKey.count, violations: violations)
    }
}
