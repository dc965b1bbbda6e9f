/// The status code of a Close frame (RFC 6455 §7.4).
package struct CloseCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normal = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let unacceptableData = CloseCode(rawValue: 1003)
    package static let invalidText = CloseCode(rawValue: 1007)
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let tooLarge = CloseCode(rawValue: 1009)
    package static let internalError = CloseCode(rawValue: 1011)
    package static let tryAgainLater = CloseCode(rawValue: 1013)

    /// Whether a frame may contain the code: registered codes, and the ranges for libraries and applications. The codes
    /// 1004, 1005, 1006 and 1015 are never sent.
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// Why a connection is failed (RFC 6455 §7.1.7): the content of the Close frame.
package struct WebSocketFailure: Error, Sendable, Equatable {
    package var code: CloseCode
    package var reason: String

    package init(_ code: CloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
