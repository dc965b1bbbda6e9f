@testable import Payments

extension ImpUID: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        guard let id = ImpUID(rawValue: text) else { preconditionFailure("\(text) is no id of a payment") }
        self = id
    }
}
