import Contracts
import HTTPTypes
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct CreditTests {
    private var world: SeatsWorld { .current }

    private func unlock(
        _ account: AccountID = 1,
        isAddition: String = "0",
        body: String = #"{"amount":10,"targetUserId":1}"#
    ) async throws -> String {
        try await world.client(account).send(.patch, "/credit?isAddition=\(isAddition)", json: body).summary
    }

    @Test func seatInformation_isChargedOncePerJourney() async throws {
        #expect(try await unlock() == "400 INSUFFICIENT_CREDIT")
        try await world.pay(1, 100)
        #expect(try await unlock() == "200")
        #expect(try await unlock(isAddition: "false") == "200")
        #expect(try await world.credit(1) == 80)
        _ = try await world.start(1)
        #expect(try await unlock() == "200")
        #expect(try await unlock() == "200")
        #expect(try await world.credit(1) == 70)
        try await world.checkLedger()
    }

    @Test func invalidCreditChange_isRefused() async throws {
        try await world.pay(1, 100)
        try await world.pay(2, 100)
        #expect(try await unlock(2) == "403 INVALID_CREDIT_MODIFICATION")
        #expect(try await unlock(isAddition: "1") == "403 INVALID_CREDIT_MODIFICATION")
        #expect(try await unlock(isAddition: "TRUE") == "403 INVALID_CREDIT_MODIFICATION")
        #expect(try await unlock(body: #"{"amount":10,"targetUserId":99}"#) == "404 USER_NOT_FOUND")
        #expect(try await unlock(body: #"{"amount":0,"targetUserId":1}"#) == "400 VALIDATION_ERROR")
        #expect(try await unlock(body: #"{"amount":-10,"targetUserId":1}"#) == "400 VALIDATION_ERROR")
        #expect(try await unlock(body: #"{"amount":11,"targetUserId":1}"#) == "400 INVALID_CREDIT_MODIFICATION")
        let huge = #"{"amount":92233720368547758070,"targetUserId":1}"#
        #expect(try await unlock(body: huge).hasPrefix("400"))
        #expect(try await unlock(isAddition: "maybe") == "400 BAD_REQUEST")
        #expect(try await world.credit(1) == 100)
        #expect(try await world.credit(2) == 100)
    }
}
