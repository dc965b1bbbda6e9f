import FoundationEssentials

/// What became of a try to send a push.
enum PushOutcome: Sendable, Equatable {
    /// FCM has taken it.
    case sent
    /// Its receiver does not want to hear of who caused it.
    case quiet
    /// FCM will never take it as it is; why, for the log.
    case refused(String)
    /// FCM does not know the phone any more.
    case gone
    /// Not now, and why; after so many seconds, where FCM has said.
    case later(String, after: TimeInterval? = nil)
    /// It is not known whether its receiver wants to hear of who caused it.
    case undecided
    /// FCM refuses us, whatever we send: a setting is wrong.
    case misconfigured(String)

    /// Whether it says something of FCM as a whole, and then whether FCM works.
    var isWorking: Bool? {
        switch self {
        case .sent, .refused, .gone: true
        case .later, .misconfigured: false
        case .quiet, .undecided: nil
        }
    }
}

/// What became of a mailbox that was taken: what was in it was tried, or nothing was.
struct PushTry: Sendable {
    var device: Int64
    var push: Push?
    var outcome: PushOutcome

    /// A mailbox that can be given back as it is.
    static func none(on device: Int64) -> PushTry { PushTry(device: device, push: nil, outcome: .sent) }

    /// Whether what was tried needs no further try.
    var isOver: Bool {
        switch outcome {
        case .sent, .quiet, .refused, .gone: true
        case .later, .undecided, .misconfigured: false
        }
    }
}
