import Testing

@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Resuming long files")
struct ResumePolicyTests {
  private func view(
    _ number: UInt64, at seconds: Int, duration: Int? = 3600, isPlaying: Bool = true
  ) -> ResumePolicy.View {
    ResumePolicy.View(
      track: (number, "file:///\(number)"), position: .seconds(seconds), duration: duration.map { .seconds($0) },
      isPlaying: isPlaying)
  }

  @Test("A long file resumes at its last position when it is current again, once")
  func back() {
    var policy = ResumePolicy(ResumePositions())
    #expect(policy.update(with: view(1, at: 0)) == .init())
    #expect(policy.isFollowing)
    #expect(policy.update(with: view(1, at: 1200)) == .init())
    #expect(policy.update(with: view(2, at: 0, duration: 180)) == .init(isWritten: true))
    #expect(!policy.isFollowing)
    #expect(policy.update(with: view(1, at: 0, duration: nil)).target == .seconds(1200))
    #expect(policy.update(with: view(1, at: 0, duration: nil)).target == nil)
    #expect(policy.update(with: view(1, at: 1200)).target == nil)
  }

  @Test("Positions in short files and in the first seconds of a long file are not stored")
  func short() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 600, duration: 1199))
    _ = policy.update(with: view(2, at: 9))
    #expect(policy.positions.count == 0)
    _ = policy.update(with: view(2, at: 10))
    #expect(policy.positions.position(of: "file:///2") == .seconds(10))
  }

  @Test("A file that goes back to its start and is left in its first ten seconds resumes at its position of before")
  func visit() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 900))
    for seconds in [0, 5, 9] { _ = policy.update(with: view(1, at: seconds)) }
    _ = policy.update(with: view(2, at: 0, duration: 180))
    #expect(policy.update(with: view(1, at: 0)).target == .seconds(900))
  }

  @Test("A file that plays on from its start for ten seconds resumes there")
  func fromTheStart() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 900))
    for seconds in [0, 5, 10] { _ = policy.update(with: view(1, at: seconds)) }
    _ = policy.update(with: view(2, at: 0, duration: 180))
    #expect(policy.update(with: view(1, at: 0)).target == .seconds(10))
  }

  @Test("A file that was played to its end begins at its start again")
  func ended() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 3000))
    #expect(policy.ended("file:///1").isWritten)
    #expect(!policy.ended("file:///1").isWritten)
    _ = policy.update(with: ResumePolicy.View())
    _ = policy.update(with: view(2, at: 0))
    #expect(policy.update(with: view(1, at: 0)).target == nil)
  }

  @Test(
    "A file that follows itself begins at its start, although the tick at the end of the first comes before that end")
  func followsItself() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 3595))
    var again = view(1, at: 0)
    again.track?.number = 2
    #expect(policy.update(with: again, isTick: true) == .init())
    #expect(policy.ended("file:///1").isWritten)
    #expect(policy.update(with: again).target == nil)
  }

  @Test("A track with a start position starts there")
  func elsewhere() {
    var positions = ResumePositions()
    positions.record(.seconds(500), of: "file:///1")
    var policy = ResumePolicy(positions)
    #expect(policy.update(with: view(1, at: 40)).target == nil)
    #expect(policy.positions.position(of: "file:///1") == .seconds(40))
  }

  @Test("A track whose start position was requested starts there, also in its first second", arguments: [0, 999])
  func requested(milliseconds: Int) {
    var positions = ResumePositions()
    positions.record(.seconds(500), of: "file:///1")
    var policy = ResumePolicy(positions)
    var started = view(1, at: 0)
    (started.position, started.hasStart) = (.milliseconds(milliseconds), true)
    #expect(policy.update(with: started).target == nil)
    started.position = .seconds(10)
    _ = policy.update(with: started)
    #expect(policy.positions.position(of: "file:///1") == .seconds(10))
  }

  @Test("A pause and a stop are written at once")
  func rest() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 100))
    #expect(policy.update(with: view(1, at: 101, isPlaying: false)).isWritten)
    #expect(!policy.update(with: view(1, at: 101, isPlaying: false)).isWritten)
    _ = policy.update(with: view(1, at: 102))
    #expect(policy.update(with: ResumePolicy.View()).isWritten)
  }

  @Test("A thousand positions are kept, the least recently played is dropped, and the file has the same contents")
  func bounded() throws {
    var positions = ResumePositions()
    for number in 0..<1_010 { positions.record(.seconds(60 + number), of: "file:///\(number)") }
    positions.record(.seconds(5_000), of: "file:///10")
    positions.record(.seconds(70), of: "file:///new")
    #expect(positions.count == 1_000)
    #expect(positions.position(of: "file:///9") == nil)
    #expect(positions.position(of: "file:///10") == .seconds(5_000))
    #expect(positions.position(of: "file:///11") == nil)
    let read = try ResumePositions(positions.bytes)
    #expect(read == positions)
  }

  @Test(
    "Data that is not a list of positions, or of a newer version, is rejected with the reason",
    arguments: [
      ("", "not a list of positions"), ("[]", "not a list of positions"), (#"{"version":1"#, "not a list of positions"),
      (#"{"positions":[]}"#, "not a list of positions"), (#"{"version":2,"positions":[]}"#, "unsupported version 2"),
      (#"{"version":2,"entries":{}}"#, "unsupported version 2"),
    ])
  func damaged(text: String, reason: String) {
    #expect(throws: FileFailure(reason)) { try ResumePositions(Array(text.utf8)) }
  }

  @Test("Positions out of range are left out")
  func outOfRange() throws {
    let text =
      #"{"version":1,"positions":[{"uri":"a","seconds":-5},{"uri":"b","seconds":1e300},{"uri":"c","seconds":90}]}"#
    let positions = try ResumePositions(Array(text.utf8))
    #expect(positions.count == 1)
    #expect(positions.position(of: "c") == .seconds(90))
  }
}
