import FoundationEssentials
import Hummingbird
import ServiceKit

/// The fields of a body, which PortOne accepts as JSON or as a form; numbers may be written as text.
struct PortOneFields: Sendable {
    private let values: [String: Value]

    /// - Throws: `PortOneError` if the body is neither a form nor a JSON object.
    init(_ request: Request, _ context: some RequestContext) async throws {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        if request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true {
            values = try Self.form(String(buffer: body))
        } else {
            let object = try? JSONDecoder().decode([String: Value].self, from: Data(body.readableBytesView))
            guard let object else { throw PortOneError(.badRequest, "요청 본문이 JSON 객체가 아닙니다.") }
            values = object
        }
    }

    /// The fields of a form by name, including those of structures (`extra[requester]`).
    private static func form(_ text: String) throws(PortOneError) -> [String: Value] {
        var values: [String: Value] = [:]
        for field in text.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts[0].replacing("+", with: " ").percentDecoded,
                let value = parts.dropFirst().first.map({ $0.replacing("+", with: " ").percentDecoded }) ?? ""
            else { throw .bad(String(parts[0]), "올바르게 인코딩되지 않았습니다.") }
            values[name] = .text(value)
        }
        return values
    }

    /// The text of a field; nil if it is absent, `null` or empty.
    func text(_ name: String) throws(PortOneError) -> String? {
        switch values[name] {
        case nil, .null, .text(""): return nil
        case .text(let text): return text
        case .structure: throw .bad(name, "문자열 또는 숫자이어야 합니다.")
        }
    }

    func required(_ name: String) throws(PortOneError) -> String {
        guard let text = try text(name) else { throw .bad(name, "필수 파라메터가 누락되었습니다.") }
        return text
    }

    /// A sum; nil if it is absent, `null` or empty.
    func amount(_ name: String) throws(PortOneError) -> PortOneAmount? {
        guard let text = try text(name) else { return nil }
        guard let amount = PortOneAmount(text) else { throw .bad(name, "0 이상의 금액이어야 합니다.") }
        return amount
    }

    /// A sum above zero.
    func requiredAmount(_ name: String) throws(PortOneError) -> PortOneAmount {
        guard let amount = try amount(name), amount > .zero else { throw .bad(name, "0보다 큰 금액이어야 합니다.") }
        return amount
    }

    /// The merchant's id of an order, of at most 40 characters.
    func merchantUid() throws(PortOneError) -> String {
        let text = try required("merchant_uid")
        guard text.unicodeScalars.count <= 40 else { throw .bad("merchant_uid", "40자 이하이어야 합니다.") }
        return text
    }

    /// A boolean; false if absent.
    func flag(_ name: String) throws(PortOneError) -> Bool {
        switch try text(name) {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw .bad(name, "true 또는 false이어야 합니다.")
        }
    }

    private enum Value: Decodable {
        case text(String)
        case null
        /// An object or an array.
        case structure

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .text("\(flag)")
            } else if let whole = try? container.decode(Int64.self) {
                self = .text("\(whole)")
            } else if let number = try? container.decode(Double.self) {
                self = .text("\(number)")
            } else {
                self = .structure
            }
        }
    }
}
