import CSeccomp
import EngineProcess
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineSandbox

/// Tests of the filters for x86-64 and arm64: both are made here, and run in an interpreter instead of the kernel.
@Suite("System call filter") struct SystemCallFilterTests {
  private static let policies: [SandboxPolicy] = [.files, .discs, .streams, .servers]
  private static let (x86, arm) = unsafe (seccomp_arch_resolve_name("x86_64"), seccomp_arch_resolve_name("aarch64"))
  /// Actions of a filter.
  private static let (allowed, passed) = (UInt32(SCMP_ACT_ALLOW), UInt32(SCMP_ACT_NOTIFY))

  private static func failed(_ error: CInt) -> UInt32 { cseccomp_fail(UInt16(error)) }

  /// The filter of a policy for an architecture.
  private struct Filter {
    let architecture: UInt32
    let program: BPFProgram

    init(_ policy: SandboxPolicy, for architecture: UInt32) throws {
      self.architecture = architecture
      let filter = try unsafe #require(SystemCallFilter.make(policy, for: architecture))
      defer { unsafe seccomp_release(filter) }
      let file = try TemporaryDirectory().file("filter")
      let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      try #require(unsafe seccomp_export_bpf(filter, descriptor) == 0)
      program = BPFProgram(Array(try Data(contentsOf: URL(filePath: file))))
    }

    /// Returns the action for a call; nil if the architecture lacks it.
    func action(_ call: String, _ arguments: UInt64...) throws -> UInt32? {
      let number = unsafe seccomp_syscall_resolve_name_arch(architecture, call)
      return number < 0 ? nil : try action(number: number, arguments)
    }

    func action(number: CInt, _ arguments: [UInt64], on other: UInt32? = nil) throws -> UInt32 {
      try program.result(number: UInt32(bitPattern: number), architecture: other ?? architecture, arguments)
    }
  }

  @Test("The filter denies every listed call that an architecture has", arguments: policies)
  func denied(policy: SandboxPolicy) throws {
    for architecture in [Self.x86, Self.arm] {
      let filter = try Filter(policy, for: architecture)
      let actions = try SystemCallFilter.denied.flatMap(\.calls).map { try filter.action($0) }
      #expect(actions.allSatisfy { $0 == nil || $0 == Self.failed(EPERM) })
      #expect(actions.count { $0 != nil } > 90)
      #expect(try filter.action("execve") == Self.failed(EPERM))
      #expect(try filter.action("read") == Self.allowed)
      #expect(try filter.action("clone3") == Self.failed(ENOSYS))
      #expect(try filter.action("clone", 0x11) == Self.failed(EPERM))
      #expect(try filter.action("clone", 0x10000) == Self.allowed)
      #expect(try filter.action("kill", UInt64(getpid())) == Self.allowed)
      #expect(try filter.action("kill", 1) == Self.failed(EPERM))
      #expect(try filter.action("connect") == (policy.hasLocalSockets ? Self.passed : Self.failed(EACCES)))
      // A call of another architecture, such as one with 32 bits.
      let other = unsafe seccomp_arch_resolve_name("x86")
      #expect(try filter.action(number: 0, [], on: other) == UInt32(SCMP_ACT_KILL_PROCESS))
    }
  }

  @Test("The filter for arm64 decides as the one for x86-64 about each call that both have", arguments: policies)
  func sameDecisions(policy: SandboxPolicy) throws {
    let (x86, arm) = (try Filter(policy, for: Self.x86), try Filter(policy, for: Self.arm))
    // Families and kinds of sockets, flags of memory, commands of fcntl, ioctl and prctl, and process IDs.
    let values: [UInt64] = Array(0...17) + [33, 34, 37, 38, 1_024, 1_026, 0x5412, 0x541C, 0x10000, 1 << 32, .max]
    let own = UInt64(getpid())
    let arguments: [[UInt64]] = values.flatMap { value in
      [[value, 0, 0, 0], [own, value, 0, 0], [1, value, 0, 0], [2, value, 0, 0], [16, 1, value, value]]
    }
    var compared = 0
    for number in CInt(0)..<600 {
      guard let name = unsafe seccomp_syscall_resolve_num_arch(Self.arm, number) else { continue }
      defer { unsafe free(name) }
      let other = unsafe seccomp_syscall_resolve_name_arch(Self.x86, name)
      guard other >= 0 else { continue }
      compared += 1
      for arguments in arguments {
        let (one, two) = (try arm.action(number: number, arguments), try x86.action(number: other, arguments))
        #expect(one == two, "\(unsafe String(cString: name)) \(arguments)")
      }
    }
    #expect(compared > 250)
  }
}

/// A program of classic BPF, as the kernel runs it for each system call.
///
/// <https://www.kernel.org/doc/html/latest/networking/filter.html>
private struct BPFProgram {
  struct Invalid: Error { var code: UInt16 }

  private struct Instruction {
    let code: UInt16
    let (ifTrue, ifFalse): (Int, Int)
    let value: UInt32
  }

  private let instructions: [Instruction]

  init(_ bytes: [UInt8]) {
    instructions = stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
      let value = bytes[start + 4..<start + 8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let code = UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
      return Instruction(code: code, ifTrue: Int(bytes[start + 2]), ifFalse: Int(bytes[start + 3]), value: value)
    }
  }

  /// Returns the action for a call.
  func result(number: UInt32, architecture: UInt32, _ arguments: [UInt64]) throws -> UInt32 {
    // The words of seccomp_data: the number, the architecture, the instruction pointer and six arguments.
    var words: [UInt32] = [number, architecture, 0, 0]
    for index in 0..<6 {
      let argument = index < arguments.count ? arguments[index] : 0
      words += [UInt32(truncatingIfNeeded: argument), UInt32(truncatingIfNeeded: argument >> 32)]
    }
    var (position, accumulator) = (0, UInt32(0))
    while position < instructions.count {
      let instruction = instructions[position]
      position += 1
      func jump(_ condition: Bool) { position += condition ? instruction.ifTrue : instruction.ifFalse }
      switch instruction.code {
      case 0x20: accumulator = words[Int(instruction.value) / 4]
      case 0x54: accumulator &= instruction.value
      case 0x05: position += Int(instruction.value)
      case 0x15: jump(accumulator == instruction.value)
      case 0x25: jump(accumulator > instruction.value)
      case 0x35: jump(accumulator >= instruction.value)
      case 0x45: jump(accumulator & instruction.value != 0)
      case 0x06: return instruction.value
      default: throw Invalid(code: instruction.code)
      }
    }
    throw Invalid(code: 0)
  }
}
