import ArgumentParser
import DBus
import PlayerdInterfaces

struct ChapterCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "chapter", abstract: "Go to the next or the previous chapter of the current track.",
    discussion: """
      More than 3 s into a chapter, “previous” goes to its start. Without an argument, the command prints the chapter.
      """)

  enum Direction: String, ExpressibleByArgument, CaseIterable { case next, previous }

  @Argument(help: "next or previous.")
  var direction: Direction?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    guard let line = try await instance.status().chapterLine else {
      throw instance.failure("the current track has no chapters")
    }
    guard let direction else { return line }
    switch direction {
    case .next: try await instance.extras.call(ExtrasInterface.nextChapter)
    case .previous: try await instance.extras.call(ExtrasInterface.previousChapter)
    }
    return try await instance.status().chapterLine ?? line
  }
}
