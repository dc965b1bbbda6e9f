import FoundationEssentials
import Synchronization

/// A message that FCM has taken for delivery.
final class FCMMessage: Sendable {
    /// The last part of its name, `projects/PROJECT/messages/ID`.
    let id: String
    let project: String
    let target: FCMTarget
    /// `apns-id`.
    let apnsID: String?
    let at: Date
    /// The call's body as it came, which takes less room than what it says.
    private let body: [UInt8]
    private let answered = Atomic(false)

    /// - Parameter body: what `content` was read from.
    init(_ content: FCMContent, project: String, body: [UInt8], at time: Date = .now) {
        id = "0:\(UInt64(time.timeIntervalSince1970 * 1e6))%\(String(UInt64.random(in: .min ... .max), radix: 16))"
        self.project = project
        target = content.target
        apnsID = content.apns.id
        self.body = body
        at = time
    }

    /// What it says; read again each time.
    var content: FCMContent {
        get throws(FCMError) { try FCMContent(parsing: body) }
    }

    /// Whether the sender could read the answer: the other end of the connection was open when it was about to be written. False
    /// before that, and for good when the sender had gone by then, or was not to get an answer.
    var isAnswered: Bool { answered.load(ordering: .acquiring) }

    func setAnswered(_ isAnswered: Bool) {
        answered.store(isAnswered, ordering: .releasing)
    }
}
