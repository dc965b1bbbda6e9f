import AppClients
import Apps

/// A user of an app, who asks calls of the contract; what is answered is compared with it.
package struct Person: Sendable {
    let stage: Stage
    let connection: AppConnection
    /// Whether the account belongs to the caller of the tool, so that nothing may end it.
    var isLent = false

    /// A request of a call.
    struct Ask: Sendable {
        var call: String
        /// The values of the path's variables, in their order.
        var values: [String] = []
        var query: String?
        var headers: [String: String] = [:]
        var body: RequestBody?
        /// What is checked by it.
        var check: String
    }

    /// Asks a call, and compares the answer with the contract's response.
    ///
    /// - Parameters:
    ///   - status: The success that is expected; the contract's by default.
    ///   - name: The case of the response, where it has several.
    /// - Returns: The answer's JSON; null if it was refused or has none.
    @discardableResult
    func ask(
        _ call: String,
        _ values: any CustomStringConvertible...,
        query: String? = nil,
        headers: [String: String] = [:],
        body: RequestBody? = nil,
        expecting status: Int? = nil,
        case name: String? = nil,
        as check: String = "answer"
    ) async throws -> JSON {
        let ask = Ask(
            call: call,
            values: values.map(\.description),
            query: query,
            headers: headers,
            body: body,
            check: check
        )
        guard let contracted = stage.contract[call] else { throw ConformanceError("the contract has no call \(call)") }
        guard let answer = try await answer(to: ask, contracted) else { return .null }
        var deviations: [Deviation] = []
        let expected = status.map { [$0] } ?? contracted.success
        if !expected.contains(answer.status) {
            let (texts, came) = (expected.map { "\($0)" }.joined(separator: " or "), Self.shown(answer))
            deviations.append(Deviation("status", expected: texts, came: came))
        } else if answer.status != 204 {
            deviations += ShapeCheck.deviations(answer.bytes, from: contracted.response, case: name)
            deviations += Self.mediaType(answer, contracted.response)
        } else if !answer.bytes.isEmpty {
            deviations.append(Deviation("body", expected: "nothing", came: ShapeCheck.beginning(of: answer.bytes)))
        }
        stage.results.record(call, as: check, deviations)
        return expected.contains(answer.status) ? JSON(parsing: answer.bytes) ?? .null : .null
    }

    /// Asks a call in a way that the server has to refuse.
    ///
    /// - Parameters:
    ///   - statuses: Those of which the refusal has one.
    ///   - code: The app's own code; nil for any.
    ///   - check: What is wrong with the request.
    func refused(
        _ call: String,
        _ values: any CustomStringConvertible...,
        query: String? = nil,
        headers: [String: String] = [:],
        body: RequestBody? = nil,
        with statuses: Int...,
        code: String? = nil,
        when check: String
    ) async throws {
        let ask = Ask(
            call: call,
            values: values.map(\.description),
            query: query,
            headers: headers,
            body: body,
            check: check
        )
        try await refused(ask, statuses, code: code)
    }

    func refused(_ ask: Ask, _ statuses: [Int], code: String? = nil) async throws {
        guard let contracted = stage.contract[ask.call] else {
            throw ConformanceError("the contract has no call \(ask.call)")
        }
        guard let answer = try await answer(to: ask, contracted) else { return }
        var deviations: [Deviation] = []
        if statuses.contains(answer.status) {
            deviations = RefusalShape.deviations(answer.bytes, of: stage.app, status: answer.status, code: code)
        } else {
            let expected = statuses.map { "\($0)" }.joined(separator: " or ")
            deviations = [Deviation("status", expected: expected, came: Self.shown(answer))]
        }
        stage.results.record(ask.call, as: ask.check, deviations)
    }

    private static func shown(_ answer: ClientResponse) -> String {
        "\(answer.status) \(ShapeCheck.beginning(of: answer.bytes))"
    }

    private static func mediaType(_ answer: ClientResponse, _ shape: ResponseShape) -> [Deviation] {
        let expected =
            switch shape {
            case .json, .cases: "application/json"
            case .html: "text/html"
            default: ""
            }
        let came = answer.header("Content-Type") ?? "none"
        guard !came.lowercased().hasPrefix(expected) else { return [] }
        return [Deviation("header Content-Type", expected: expected, came: came)]
    }
}
