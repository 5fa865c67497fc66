import TestSupport
import Testing

/// Tests of the installed completion files in their shells.
@Suite("Completion")
struct CompletionTests {
  private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  /// The typed text, the completions that the shell must offer, and those that it must not offer.
  struct Case: Sendable, CustomTestStringConvertible {
    var typed: String
    var offered: [String]
    var refused: [String] = []
    var testDescription: String { typed }

    static let all = [
      Case(typed: "", offered: ["album", "song.flac", "play", "queue"]),
      Case(typed: "al", offered: ["album"], refused: ["song.flac", "play"]),
      Case(typed: "album ", offered: ["album", "song.flac"], refused: ["play"]),
      Case(typed: "album --enq", offered: ["--enqueue"]),
      Case(typed: "--enq", offered: ["--enqueue"]),
      Case(typed: "--loop ", offered: ["none", "track", "playlist"], refused: ["album"]),
      Case(typed: "open so", offered: ["song.flac"], refused: ["album"]),
      Case(typed: "queue ", offered: ["add", "next", "remove", "move", "jump", "clear", "save"], refused: ["album"]),
      Case(typed: "queue add al", offered: ["album"]),
      Case(typed: "playlist play ", offered: ["Evening", "Late Night"], refused: ["album"]),
      Case(typed: "output def", offered: ["default"]),
      Case(typed: "pause --instance pl", offered: ["playerd"]),
      Case(typed: "jump No", offered: ["Noir: Désir"]), Case(typed: "queue remove No", offered: ["Noir: Désir"]),
      Case(typed: "jump la", offered: ["last"]), Case(typed: "jump B", offered: ["Book.mka"]),
      Case(typed: "chapter ", offered: ["next", "previous", "list", "1", "2"], refused: ["album"]),
      // Aliases
      Case(typed: "play-", offered: ["play-pause"], refused: ["album", "vol"]),
      Case(typed: "vo", offered: ["vol", "volume"]), Case(typed: "vol --q", offered: ["--quiet"], refused: ["album"]),
      Case(typed: "rm --q", offered: ["--quiet"]), Case(typed: "random o", offered: ["on", "off"], refused: ["album"]),
      Case(typed: "queue rm --q", offered: ["--quiet"]), Case(typed: "queue insert al", offered: ["album"]),
    ]
  }

  /// Runs `body` with the completion file of a shell, and an environment in which the daemon runs.
  private func withCompletion(
    _ shell: String, _ body: (_ file: String, _ folder: String, _ environment: [String: String]) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let generated = try await run(["\(Self.package)/scripts/completion.sh", DaemonUnderTest.executable, shell])
      try #require(generated.succeeded, "\(generated.error)")
      let file = try directory.write(generated.output, to: "completion.\(shell)")
      _ = try directory.makeDirectory("home")
      _ = try directory.makeDirectory("home/album")
      _ = try directory.write("", to: "home/song.flac")
      _ = try directory.makeDirectory("lists")
      for name in ["Evening", "Late Night"] { _ = try directory.write("", to: "lists/\(name).m3u8") }
      let binary = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      let chapters = [Matroska.Chapter(0, 1, "In"), Matroska.Chapter(1, 2, "Out")]
      let book = try directory.write(Matroska(editions: [chapters]).bytes, to: "Book.mka")
      let song = try await Media.sine(seconds: 2, format: .flac, tags: Tags(title: "Noir: Désir"))
      try await withDaemon(["--paused", book, song]) { daemon in
        try await daemon.opened(titled: "Book.mka")
        // The tags of the second track are known then.
        _ = try await run([DaemonUnderTest.executable, "queue"], environment: daemon.bus.environment)
        let variables = [
          "PATH": "\(binary):/usr/local/bin:/usr/bin:/bin", "HOME": directory.file("home"), "LC_ALL": "C.UTF-8",
          "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists"), "TERM": "dumb",
          // fish 4.9 never ends if it cannot create its folders.
          "XDG_CONFIG_HOME": directory.file("config"), "XDG_STATE_HOME": directory.file("state"),
        ]
        try await body(file, directory.file("home"), daemon.bus.environment.merging(variables) { $1 })
      }
    }
  }

  private func check(_ test: Case, _ completions: [String], _ shell: String) {
    // The completion of a folder may end with a slash.
    let words = Set(completions.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    #expect(words.isSuperset(of: test.offered), "\(shell): “\(test.typed)”: \(completions)")
    #expect(words.isDisjoint(with: test.refused), "\(shell): “\(test.typed)”: \(completions)")
  }

  @Test("bash offers the matching completions", .enabled(if: Tool.areAvailable("bash"), "bash is not installed"))
  func bash() async throws {
    let script = """
      cd "$2"; source "$1"; COMP_LINE="mpris-playerd $3"; COMP_POINT=${#COMP_LINE}
      read -ra COMP_WORDS <<<"$COMP_LINE"; [[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _mpris-playerd mpris-playerd "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try await withCompletion("bash") { file, folder, environment in
      for test in Case.all {
        let result = try await run(["bash", "-c", script, "bash", file, folder, test.typed], environment: environment)
        #expect(result.error.isEmpty, "\(result.error)")
        check(test, result.output.split(separator: "\n").map(String.init), "bash")
      }
    }
  }

  @Test("fish offers the matching completions", .enabled(if: Tool.areAvailable("fish"), "fish is not installed"))
  func fish() async throws {
    try await withCompletion("fish") { file, folder, environment in
      for test in Case.all {
        let script = "cd '\(folder)'; source '\(file)'; complete -C 'mpris-playerd \(test.typed)'"
        let result = try await run(["fish", "--no-config", "-c", script], environment: environment)
        #expect(result.error.isEmpty, "\(result.error)")
        let words = result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
        check(test, words, "fish")
      }
    }
  }

  @Test(
    "zsh completes a word that has a single match", .enabled(if: Tool.areAvailable("zsh"), "zsh is not installed"))
  func zsh() async throws {
    // The shell runs on a pseudo-terminal: it receives lines with a tab, and runs each completed line.
    let script = """
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PS1='> '; autoload -Uz compinit; compinit -u -D; cd \\"$2\\"; source \\"$1\\"
      mpris-playerd() {
        if [[ \\$1 == ---completion ]]; then command mpris-playerd \\"\\$@\\"; else print -r -- \\"ARGS:\\${(j:|:)@}:END\\"; fi
      }
      print -r READY''NOW"
      zpty -r z out '*READYNOW*'
      for typed in "${@:3}"; do
        zpty -w -n z "mpris-playerd $typed"$'\\t\\n'
        zpty -r z out '*ARGS:*:END*'
        print -r -- "${${out##*ARGS:}%%:END*}"
      done
      zpty -d z
      """
    let cases = [
      ("al", "album"), ("stat", "status"), ("album --enq", "album|--enqueue"), ("--enq", "--enqueue"),
      ("open so", "open|song.flac"), ("queue rem", "queue|remove"), ("queue add so", "queue|add|song.flac"),
      ("playlist play Ev", "playlist|play|Evening"), ("output def", "output|default"),
      ("pause --instance pl", "pause|--instance|playerd"), ("play-p", "play-pause"), ("random of", "random|off"),
      ("queue insert so", "queue|insert|song.flac"), ("jump No", "jump|Noir: Désir"), ("chapter li", "chapter|list"),
    ]
    try await withCompletion("zsh") { file, folder, environment in
      let command = ["zsh", "-f", "-c", script, "zsh", file, folder] + cases.map(\.0)
      let result = try await run(command, environment: environment, within: 60)
      let lines = result.output.split(separator: "\n").map { $0.hasSuffix("/") ? $0.dropLast() : $0 }
      #expect(lines == cases.map { $0.1[...] }, "\(result.error)")
    }
  }
}
