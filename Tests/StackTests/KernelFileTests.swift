import Testing

@testable import Stack
@testable import StackKit

@Suite struct KernelFileTests {
    @Test func longFile_isReadCompletely() throws {
        let maps = try #require(KernelFile.text("/proc/self/smaps"))
        #expect(maps.utf8.count > 16_384)
        #expect(maps.split(separator: "\n").last?.hasPrefix("VmFlags:") == true)
    }

    @Test func missingFile_isNil() {
        #expect(KernelFile.text("/proc/nothing") == nil)
    }
}
