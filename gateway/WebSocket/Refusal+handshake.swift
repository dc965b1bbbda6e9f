import Apps
import Contracts
import HTTPTypes

extension Refusal {
    /// The response to a request for a WebSocket address that is not a valid handshake by RFC 6455 §4.2.
    static func handshake(_ app: App, _ fault: UpgradeRequest.Fault) -> Refusal {
        switch fault {
        case .notAnUpgrade:
            var refusal = Refusal(app, Problem(.malformed, message: "This address speaks WebSocket only."))
            refusal.status = .upgradeRequired
            refusal.lines = "Upgrade: websocket\r\n"
            return refusal
        case .version:
            var refusal = Refusal(app, Problem(.malformed, message: "The WebSocket version spoken is 13."))
            refusal.status = .upgradeRequired
            refusal.lines = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            return refusal
        case .malformed:
            return Refusal(app, Problem(.malformed, message: "Sec-WebSocket-Key is not 16 bytes in base64."))
        }
    }
}
