/// What can fail in a system, and what cannot.
package struct FaultOffer: Sendable, Equatable {
    /// In the order of `FaultKind`; each with at least one target.
    package private(set) var kinds: [Kind]
    /// Why other kinds are left out, a sentence each.
    package private(set) var leftOut: [LeftOut]

    package struct Kind: Sendable, Equatable {
        package var kind: FaultKind
        package var targets: [FaultTarget]
    }

    package struct LeftOut: Sendable, Equatable {
        package var kind: FaultKind
        package var sentence: String
    }

    package init() {
        (kinds, leftOut) = ([], [])
    }

    package mutating func add(_ kind: FaultKind, _ targets: [FaultTarget]) {
        guard !targets.isEmpty else { return leaveOut(kind, because: "There is nothing that it could hit.") }
        kinds.append(Kind(kind: kind, targets: targets))
        kinds.sort { Self.position(of: $0.kind) < Self.position(of: $1.kind) }
    }

    package mutating func leaveOut(_ kind: FaultKind, because sentence: String) {
        leftOut.append(LeftOut(kind: kind, sentence: sentence))
    }

    private static func position(of kind: FaultKind) -> Int { FaultKind.allCases.firstIndex(of: kind) ?? 0 }
}
