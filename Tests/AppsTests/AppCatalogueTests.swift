import Contracts
import Testing

@testable import Apps

@Suite struct AppCatalogueTests {
    @Test func catalogues_coverEveryApp() {
        #expect(AppCatalogues.all.map { $0.app } == App.allCases)
    }

    @Test(arguments: App.allCases)
    func operations_haveDistinctAddresses(_ app: App) throws {
        let catalogue = try #require(AppCatalogues.all.first { $0.app == app })
        var names: [String: String] = [:]
        for (name, operation) in catalogue.operations {
            let address = "\(operation.method.rawValue) \(operation.path)"
            #expect(operation.path.hasPrefix("/") && !operation.path.hasSuffix("/"), "\(app).\(name): \(address)")
            #expect(
                names.updateValue(name, forKey: address) == nil,
                "\(app).\(name): \(address) is another operation's"
            )
        }
        #expect(names.count > 40)
    }

    /// The services' documents are merged by path, so that one path has one name in both apps that have a key.
    @Test func operations_ofOnePathInTwoApps_haveOneName() {
        var names: [String: String] = [:]
        for (name, operation) in AppCatalogues.all.flatMap({ $0.operations }) {
            let address = "\(operation.method.rawValue) \(operation.path) \(operation.service)"
            #expect(names[address, default: name] == name, "\(address)")
            names[address] = name
        }
    }
}
