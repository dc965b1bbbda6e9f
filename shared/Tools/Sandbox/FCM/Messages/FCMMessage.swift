import FoundationEssentials
import Synchronization

/// A message that FCM has accepted for delivery.
final class FCMMessage: Sendable {
    /// The last part of its name, `projects/PROJECT/messages/ID`.
    let id: String
    let project: String
    let target: FCMTarget
    /// `apns-id`.
    let apnsID: String?
    let at: Date
    /// The call's body as received, which takes less memory than the parsed content.
    private let body: [UInt8]
    private let answered = Atomic(false)

    /// - Parameter body: The body that `content` was parsed from.
    init(_ content: FCMContent, project: String, body: [UInt8], at time: Date = .now) {
        id = "0:\(UInt64(time.timeIntervalSince1970 * 1e6))%\(String(UInt64.random(in: .min ... .max), radix: 16))"
        self.project = project
        target = content.target
        apnsID = content.apns.id
        self.body = body
        at = time
    }

    /// The content; parsed on each access.
    var content: FCMContent {
        get throws(FCMError) { try FCMContent(parsing: body) }
    }

    /// Whether the sender could read the response: the connection was open just before the response was written. False
    /// until then, and permanently if the sender had disconnected or the response was suppressed.
    var isAnswered: Bool { answered.load(ordering: .acquiring) }

    func setAnswered(_ isAnswered: Bool) {
        answered.store(isAnswered, ordering: .releasing)
    }
}
