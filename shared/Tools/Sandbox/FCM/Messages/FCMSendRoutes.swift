import Hummingbird

/// `POST /v1/projects/{project}/messages:send`.
struct FCMSendRoutes: Sendable {
    let tokens: FCMAccessTokens
    let answers: FCMTokenAnswers
    let messages: FCMMessages
    let latency: FCMLatency

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("v1/projects/:project/messages:send", use: send)
    }

    /// The id in the response to a validation.
    private static let validationID = "fake_message_id"

    /// The message is processed immediately; the response is sent after the configured latency.
    private func send(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let project = context.parameters.get("project") ?? ""
        let body = Array(try await request.body.collect(upTo: context.maxUploadSize).readableBytesView)
        let outcome = Result<FCMMessage?, FCMError> { () throws(FCMError) in
            try tokens.check(request.credentials("Bearer"), project: project)
            return try take(body, of: project)
        }
        try await latency.pass()
        let message = try outcome.get()
        message?.setAnswered(await context.reachesCaller())
        let name = "projects/\(project)/messages/\(message?.id ?? Self.validationID)"
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"name":"\#(name)"}"#))
        )
    }

    /// - Returns: The accepted message; nil for a validation.
    private func take(_ body: [UInt8], of project: String) throws(FCMError) -> FCMMessage? {
        let content = try FCMContent(parsing: body)
        if let token = content.target.token { try answers.check(token) }
        guard !content.isValidationOnly else { return nil }
        let message = FCMMessage(content, project: project, body: body)
        messages.add(message)
        return message
    }
}
