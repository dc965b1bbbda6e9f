import FoundationEssentials

/// The outcome of an attempt to send a push.
enum PushOutcome: Sendable, Equatable {
    /// FCM has accepted it.
    case sent
    /// Dropped: the recipient has blocked the sender.
    case quiet
    /// FCM rejects it permanently, with the reason for the log.
    case refused(String)
    /// FCM no longer knows the device.
    case gone
    /// A temporary failure with its reason, and the seconds requested by FCM, if any.
    case later(String, after: TimeInterval? = nil)
    /// FCM cannot reach the platform of this device, with the reason: Apple rejects the project's APNs certificate. It
    /// says nothing about devices of another platform.
    case platformRejected(String)
    /// It is not known whether the recipient has blocked the sender.
    case undecided
    /// FCM rejects the service's credentials or project, with the reason.
    case misconfigured(String)

    /// Whether FCM works; nil when the outcome says nothing about it.
    var isWorking: Bool? {
        switch self {
        case .sent, .refused, .gone: true
        case .later, .misconfigured: false
        case .quiet, .undecided, .platformRejected: nil
        }
    }
}

/// The result for a mailbox that was taken, with or without a push.
struct PushTry: Sendable {
    var device: DeviceID
    var push: Push?
    var outcome: PushOutcome

    /// A mailbox from which nothing was sent.
    static func none(on device: DeviceID) -> PushTry { PushTry(device: device, push: nil, outcome: .sent) }

    /// Whether the push needs no further attempt.
    var isOver: Bool {
        switch outcome {
        case .sent, .quiet, .refused, .gone: true
        case .later, .undecided, .misconfigured, .platformRejected: false
        }
    }
}
