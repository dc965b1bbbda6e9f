/// A place with one value, which the last write has set.
package struct RegisterModel: SequentialModel {
    package enum Call: Hashable, Sendable {
        case write(String?)
        case read(String?)
    }

    package let initial: String?

    package init(_ initial: String?) { self.initial = initial }

    package func states(after call: Call, in state: String?) -> [String?] {
        switch call {
        case .write(let value): [value]
        case .read(let value): value == state ? [state] : []
        }
    }

    package func isReading(_ call: Call) -> Bool {
        if case .read = call { true } else { false }
    }

    package func fingerprint(of state: String?) -> Fingerprint {
        var fingerprint = Fingerprint()
        if let state {
            for (place, byte) in state.utf8.enumerated() { fingerprint.toggle(Int(byte), at: place) }
            fingerprint.toggle(state.utf8.count, at: -2)
        }
        return fingerprint
    }
}
