import AppClients
import Apps
import Testing

/// MOUP's account calls as its client makes them, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct MOUPJourneyTests {
    /// Signs in as a new client of the same user.
    private func login(
        _ platform: Platform,
        _ provider: MOUPClient.Provider = .google
    ) async throws -> (client: MOUPClient, answer: ClientResponse) {
        let client = MOUPClient(platform.gateway)
        let code =
            switch provider {
            case .google: try await platform.sandboxClient.googleCode("7", name: "김하루")
            case .apple: try await platform.sandboxClient.appleToken("7").code
            }
        return (client, try await client.signIn(provider, code: code, device: "f"))
    }

    @Test(arguments: [MOUPClient.Provider.google, .apple])
    func member_signsUpWithdrawsAndReturns(provider: MOUPClient.Provider) async throws {
        try await Platform.test { platform in
            let (client, first) = try await login(platform, provider)
            #expect(first.status == 201)
            #expect(first.header("location")?.hasPrefix("http://") == true)
            #expect((try first.json(201)["role"] ?? .null) == .null)

            let open = try await MOUPClient(platform.gateway).register("하루", as: "ROLE_WORKER")
            #expect(open.status == 401)
            #expect(open.body.isEmpty)
            let registered = try await client.register("하루", as: "ROLE_WORKER")
            #expect(registered.status == 200)
            #expect(registered.body.contains("ROLE_WORKER"))
            #expect(try await client.register("하루", as: "ROLE_WORKER").status == 409)

            let (again, second) = try await login(platform, provider)
            #expect(second.status == 200)
            #expect(try second.json()["role"] == "ROLE_WORKER")
            #expect(try await again.refresh().status == 200)
            let me = try await again.send(\.getProfile)
            #expect(me.status == 200)
            #expect(me.body.contains("하루"))

            #expect(try await again.send(\.withdraw).status == 200)
            let late = try await refusal { try await again.send(\.getProfile) }
            #expect(late.status == 409)
            #expect(late.body.contains("DELETE_409"))
            let (returned, back) = try await login(platform, provider)
            #expect(back.status == 200)
            #expect(try await returned.send(\.getProfile).status == 200)
        }
    }

    @Test func signOut_revokesTokens() async throws {
        try await Platform.test { platform in
            let client = try await login(platform).client
            #expect(try await client.send(\.signOut).status == 200)
            let refresh: RequestBody = ["refreshToken": "\(client.refreshToken)"]
            let refreshed = try await MOUPClient(platform.gateway).send(\.refreshTokens, body: refresh)
            #expect(refreshed.status == 400)
            #expect(refreshed.body.contains("AUTH_400"))
            let late = try await refusal { try await client.send(\.getProfile) }
            #expect(late.status == 401)
            #expect(late.body.isEmpty)
        }
    }

    @Test func authenticationErrors_returnMOUPsCodes() async throws {
        try await Platform.test { platform in
            try await platform.fault("google", count: 1)
            let down = try await login(platform).answer
            #expect(down.status == 503)
            #expect(down.body.contains("errorCode"))
            let refused: RequestBody = ["provider": "LOGIN_APPLE", "authCode": "x"]
            let answer = try await MOUPClient(platform.gateway).send(\.signIn, body: refused)
            #expect(answer.status == 401)
            #expect(answer.body.contains("AUTH_401"))
            let client = try await login(platform).client
            let promoted = try await client.register("하루", as: "ROLE_ADMIN")
            #expect(promoted.status == 400)
            #expect(promoted.body.contains("ARGUMENT_400"))
            let purge = try await client.send(\.deleteAccountsImmediately)
            #expect(purge.status == 403)
            #expect(purge.body.isEmpty)
        }
    }
}
