import StackKit
import Testing

@testable import Proof

struct LoadNeedsTests {
    private func machine(free: Int) -> Machine {
        Machine(
            cpuinfo: "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n",
            meminfo: "MemTotal:       8388608 kB\nMemAvailable:   \(free >> 10) kB\n",
            release: "6.1.0-test\n",
            cores: 2
        )
    }

    private func sentence(free: Int = 8 << 30, files: Int = 100_000, disk: Int? = 8 << 30) -> String? {
        do {
            try LoadNeeds(people: 2000).check(people: 2000, machine: machine(free: free), files: files, disk: disk)
            return nil
        } catch { return "\(error)" }
    }

    @Test func whatIsMissing_isNamed() {
        #expect(sentence() == nil && sentence(disk: nil) == nil)
        #expect(sentence(files: 1024)?.hasPrefix("2000 people need 9024 open files of a process, and the") == true)
        #expect(sentence(free: 100 << 20)?.contains("MB of memory, and 100 MB are free") == true)
        #expect(sentence(disk: 100 << 20)?.contains("MB of disk, and 100 MB are free") == true)
    }

    @Test func machine_isReadFromTheKernelsFiles() {
        #expect(machine(free: 1 << 30).description == "Some CPU @ 2 GHz, 2 cores, 8 GB of memory, Linux 6.1.0-test")
        #expect(
            Machine.count(ofList: "0-3,6") == 5 && Machine.count(ofList: "0") == 1 && Machine.count(ofList: "") == 0
        )
        #expect(Machine.current.cores >= 1 && Machine.current.freeMemory > 0)
        #expect(LoadNeeds.freeDisk(of: "/nowhere/at/all").map { $0 > 0 } == true)
    }

    @Test(arguments: [
        (8_388_608, "max\n", "1024MB"), (8_388_608, "", "1024MB"), (8_388_608, "2147483648\n", "256MB"),
        (524_288, "max\n", "128MB"), (536_870_912, "max\n", "8192MB"), (0, "nonsense", "128MB"),
    ])
    func sharedBuffers_areAnEighthOfMemory(kilobytes: Int, limit: String, buffers: String) {
        let machine = Machine(
            cpuinfo: "",
            meminfo: "MemTotal:       \(kilobytes) kB\n",
            memoryLimit: limit,
            release: "",
            cores: 1
        )
        #expect(machine.sharedBuffers == buffers)
    }

    @Test func processesOfPostgreSQL_areNamedAfterTheirService() {
        #expect(ProgramMeter.name(of: "postgres: chat madang [local] idle") == "PostgreSQL for chat")
        #expect(ProgramMeter.name(of: "postgres: checkpointer") == "PostgreSQL")
        #expect(ProgramMeter.name(of: "/usr/lib/postgresql/15/bin/postgres -D x") == "PostgreSQL")
        #expect(ProgramMeter.name(of: "") == "PostgreSQL")
    }
}
