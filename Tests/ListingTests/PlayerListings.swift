import GstPlayer

// The code of the pages in Sources/GstPlayer/GstPlayer.docc; DocumentationTests compares the texts.

func overview() async {
  let player = Player()
  let events = player.events()
  player.replaceQueue(with: [Player.Item(uri: "file:///music/a.flac")])
  player.play()
  for await event in events {
    if event == .queueEnded { await player.close() }
  }
}

func playlist() async {
  let player = Player()
  let events = player.events()
  player.replaceQueue(with: CommandLine.arguments.dropFirst().map { Player.Item(uri: $0) })
  player.play()

  for await event in events {
    switch event {
    case .currentItemChanged(_, let item?): print("playing \(item.uri)")
    case .itemFailed(let item, let error): print("\(item.uri): \(error)")
    case .queueEnded: await player.close()
    default: break
    }
  }
}

func configured() -> Player {
  let configuration = Player.Configuration(
    volume: 0.5, replayGain: Player.Configuration.ReplayGain(mode: .album), fade: .milliseconds(200),
    preferredAudioLanguages: ["de", "en"])
  let player = Player(configuration: configuration)
  return player
}

func itemWithHeaders(_ token: String) throws -> Player.Item {
  let headers = try HTTPRequestHeaders(["Authorization": "Bearer \(token)"], userAgent: "Radio/1.0")
  let item = Player.Item(uri: "https://example.org/stream.m3u8", httpHeaders: headers)
  return item
}

func commands(_ player: Player) -> Duration {
  player.volume = 0.5
  player.seek(to: .seconds(90))
  let position = player.snapshot.position  // 90 s
  return position
}

func prepared(_ player: Player) async throws {
  try await player.prepare()
  player.play()
}

func tolerantSeek(_ player: Player) async -> Bool {
  player.seek(to: .seconds(60), within: .infinity)
  let hasArrived = await player.seek(to: .seconds(120), within: .infinity).isCompleted
  return hasArrived
}

func inspection() async throws {
  let inspector = MediaInspector()
  let description = try await inspector.inspect("file:///music/a.flac")
  print(description.metadata.title ?? "untitled", description.duration ?? .zero)
}

func snapshots(_ player: Player) {
  let snapshot = player.snapshot
  if snapshot.timeControlStatus == .playing, let duration = snapshot.duration {
    print("\(snapshot.position) of \(duration)")
  }
}

@MainActor
func show(_ player: Player, in label: Label) async {
  let state = player.state(on: MainActor.self)
  label.text = state.metadata.title
  for await title in Observations({ state.metadata.title }) { label.text = title }
}

func observedState(_ player: Player) async {
  let state = player.state
  let observer = Task { @Player.StateActor in
    for await title in Observations({ state.metadata.title }) { print(title ?? "untitled") }
  }
  observer.cancel()
}

final class Label {
  var text: String?
}

func eventObserver(_ player: Player) -> Player.Observer {
  let observation = player.addEventObserver { event, _ in
    if case .chapterChanged(_, _, let chapter) = event { print(chapter?.title ?? "no chapter") }
  }
  return observation
}

func timeObservers(_ player: Player) throws -> [Player.Observer] {
  let progress = try player.addPeriodicTimeObserver(forInterval: .seconds(1)) { position in
    print(position)
  }
  let quarters = try player.addBoundaryTimeObserver(forFractions: [0.25, 0.5, 0.75]) { crossing in
    print("quarter reached at \(crossing.boundary)")
  }
  let announcement = try player.addBoundaryTimeObserver(forTimeRemaining: .seconds(10)) { _ in
    print("the next item begins in 10 s")
  }
  return [progress, quarters, announcement]
}

@MainActor
func showProgress(of player: Player, in label: Label) throws -> Player.Observer {
  try player.addPeriodicTimeObserver(forInterval: .seconds(1), on: MainActor.shared) { position in
    label.text = "\(position.seconds) s"
  }
}

func positions(_ player: Player) async throws {
  for await position in try player.times(every: .seconds(1)) { print(position) }
}

func timedMetadata(_ player: Player) async {
  for await metadata in player.timedMetadata() {
    switch metadata.content {
    case .lyrics(let line): print(line)
    case .streamTitle(let title): print("now playing \(title)")
    case .chapter(let chapter): print(chapter.title ?? "untitled chapter")
    case .id3(let tag): print(tag.fields.title ?? "a tag of \(tag.frames.count) frames")
    }
  }
}

func failures(_ player: Player) async {
  for await event in player.events() {
    switch event {
    case .itemFailed(let item, let error) where error.code == .codecMissing:
      print("\(item.uri) needs another plug-in: \(error.message)")
    case .itemFailed(let item, let error): print("\(item.uri): \(error.message)")
    case .outputFailed(let error): print("no sound: \(error.message)")
    default: break
    }
  }
}

func logs(_ player: Player) async {
  for await entry in player.logEntries() {
    switch entry {
    case .access(let access): print("\(access.item.uri): \(access.stallCount) stalls in \(access.timePlayed)")
    case .error(let error): print("\(error.error) at \(error.position)")
    }
  }
}

func argument(_ player: Player, _ seconds: Double) {
  do {
    let observation = try player.addPeriodicTimeObserver(forInterval: .seconds(seconds)) { print($0) }
    observation.cancel()
  } catch {
    print(error.message)
  }
}

func audioSink(_ text: String) throws(PlayerError) -> Player {
  try Player.Configuration.checkAudioSink(text)
  return Player(configuration: Player.Configuration(audioSink: text))
}
