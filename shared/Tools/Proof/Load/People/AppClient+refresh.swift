import AppClients
import Apps

extension AppClient {
    /// Keeps the tokens of an answer; an app that gets no other refresh token keeps its own.
    func keepTokens(_ answer: ClientResponse) -> ClientResponse {
        guard answer.status < 300, let body = JSON(parsing: answer.bytes), let access = body["accessToken"]?.string,
            let own = connection.tokens
        else { return answer }
        let refresh = body["refreshToken"]?.string ?? own.refreshToken
        connection.tokens = ClientTokens(accessToken: access, refreshToken: refresh)
        return answer
    }
}

extension SeatCatcherClient {
    func refresh() async throws -> ClientResponse {
        keepTokens(try await send(\.refreshTokens, body: ["refreshToken": .string(refreshToken)]))
    }
}

extension SeSACClient {
    /// - Parameter header: The app's name for the header with the refresh token.
    func refresh(header: String) async throws -> ClientResponse {
        keepTokens(try await send(\.refreshTokens, headers: [header: refreshToken]))
    }
}
