import Testing

@testable import Stack
@testable import StackKit

@Suite struct KernelFileTests {
    @Test func readsLongFilesWhole() throws {
        let maps = try #require(KernelFile.text("/proc/self/smaps"))
        #expect(maps.utf8.count > 16_384)
        #expect(maps.split(separator: "\n").last?.hasPrefix("VmFlags:") == true)
    }

    @Test func isNothingWhereThereIsNothing() {
        #expect(KernelFile.text("/proc/nothing") == nil)
    }
}
