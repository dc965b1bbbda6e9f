import Glibc
import Testing

@testable import StackKit

@Suite struct ProcessMemoryTests {
    /// As PostgreSQL maps its buffers.
    @Test func sharedMemory_isNotCountedWithoutBuffers() throws {
        let size = 64 << 20
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        let memory = try #require(mapped != MAP_FAILED ? mapped : nil)
        defer { munmap(memory, size) }
        memset(memory, 1, size)
        let all = try #require(ProcessMemory.proportional(getpid()))
        let without = try #require(ProcessMemory.proportionalWithoutBuffers(getpid()))
        #expect(all - without > size / 4 && without > 0)
    }

    @Test func memoryOfAnEndedProcess_isUnknown() {
        #expect(ProcessMemory.proportional(Int32.max) == nil)
        #expect(ProcessMemory.proportionalWithoutBuffers(Int32.max) == nil)
    }
}
