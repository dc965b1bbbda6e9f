import AppClients

/// People of MOUP.
enum MOUPPeople {
    /// Signs a person up.
    ///
    /// - Parameter name: Of the phone, and at Google; of each person another one.
    static func join(
        _ name: String,
        _ nickname: String,
        as role: String = "ROLE_WORKER",
        in city: City
    ) async throws -> MOUPClient {
        let client = MOUPClient(city.gateway(of: name))
        let answer = try await client.signIn(code: city.sandbox.googleCode(name))
        // A person whose sign-up was not completed before is known.
        if answer.status != 200 { _ = try answer.expect(201) }
        _ = try await client.register(nickname, as: role).expect()
        try await client.profile()
        return client
    }
}
