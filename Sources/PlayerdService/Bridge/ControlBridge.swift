import DBus
import Logging
import MPRISService
import Playback
import PlayerMPRIS
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem
import TextCoding

/// Handles the calls of `org.playerd.Control1` with the daemon's parts.
struct ControlBridge {
  let opens: OpenQueue
  let bridge: PlayerBridge
  let extras: Extras
  let failures: ItemFailures
  let settings: Settings
  /// The places in long files and books; nil without a session.
  var places: ResumeKeeper?
  let log: Logger

  /// Returns the interface; the calls that take long are handled by `queue`, and those that a disk may block by `files`.
  func rows(on queue: DBusCallQueue, files: DBusCallQueue? = nil) -> DBusInterface<MonitorSnapshot> {
    typealias Control = ControlInterface
    let files = files ?? queue
    return Control.rows([
      DBusMethod(
        Control.open,
        later: { [opens] reply, uris, options throws(DBusError) in
          try opens.accept(OpenRequest(uris: uris, options: options), reply: reply)
        }),
      DBusMethod(Control.save, on: files) { name, replaces async throws(DBusError) in
        try await saveQueue(as: name, replacing: replaces)
      },
      DBusMethod(Control.saveRelative, on: files) { name, replaces async throws(DBusError) in
        try await saveQueue(as: name, replacing: replaces, hasRelativePaths: true)
      },
      DBusMethod(Control.getStatus) { () throws(DBusError) in status() },
      DBusMethod(Control.getQueue, on: queue) { offset, count async throws(DBusError) in
        let page = await tracks(from: Int(offset), count: Int(count))
        return (page.revision, UInt32(clamping: page.total), page.rows)
      },
      DBusMethod(Control.removeTracks) { indices throws(DBusError) in
        try removeTracks(at: indices.map { Int($0) })
      },
      DBusMethod(Control.moveTrack) { source, target throws(DBusError) in
        try moveTrack(from: Int(source), to: Int(target))
      },
      DBusMethod(Control.playTrack) { index throws(DBusError) in try playTrack(at: Int(index)) },
      DBusMethod(Control.removeListedTracks) { revision, indices throws(DBusError) in
        try removeTracks(at: indices.map { Int($0) }, of: revision)
      },
      DBusMethod(Control.playListedTrack) { revision, index throws(DBusError) in
        try playTrack(at: Int(index), of: revision)
      },
      DBusMethod(Control.skip) { count throws(DBusError) in try skip(Int(count)) },
      DBusMethod(Control.setShuffleMode, on: queue) { mode async throws(DBusError) in try await setShuffleMode(mode) },
      DBusMethod(Control.clear) { () throws(DBusError) in clear() },
      DBusMethod(Control.undo, on: queue) { () async throws(DBusError) in try await reverse(.undo) },
      DBusMethod(Control.redo, on: queue) { () async throws(DBusError) in try await reverse(.redo) },
      DBusMethod(Control.getPlaylists, on: files) { () async throws(DBusError) in
        bridge.playlistFolder.playlists().map(\.name)
      },
      DBusMethod(Control.getPlaylistURI, on: files) { name async throws(DBusError) in
        bridge.playlistFolder.uri(named: name) ?? ""
      },
      DBusMethod(Control.appendToPlaylist, on: files) { name, uris async throws(DBusError) in
        UInt32(clamping: try await append(uris, toPlaylist: name))
      },
      DBusMethod(Control.renamePlaylist, on: files) { name, newName async throws(DBusError) in
        try renamePlaylist(name, to: newName)
      },
      DBusMethod(Control.deletePlaylist, on: files) { name async throws(DBusError) in try deletePlaylist(name) },
      DBusMethod(Control.getPlaces) { () throws(DBusError) in places?.places ?? [] },
      DBusMethod(Control.forgetPlaces) { uris throws(DBusError) in
        guard uris.count <= ResumePositions.capacity else {
          throw .invalidArguments("more than \(ResumePositions.capacity) URIs")
        }
        return UInt32(clamping: places?.forget(uris) ?? 0)
      },
      DBusMethod(Control.setMuted) { isMuted throws(DBusError) in bridge.player.isMuted = isMuted },
      DBusMethod(Control.getConfiguration) { () throws(DBusError) in sources.text },
      DBusMethod(Control.getRecording, on: queue) { withNames async throws(DBusError) in
        recording(withNames: withNames)
      },
      DBusMethod(Control.reload, on: files) { () async throws(DBusError) in try reload() },
    ])
  }

  func status() -> PlayerStatus {
    let playback = bridge.coordinator.snapshot
    let state = playback.player
    let track = state.currentItem.flatMap { bridge.fields(of: $0, state) }
    let seen = extras.snapshot(of: state)
    let configuration = settings.current
    var status = PlayerStatus()
    status.status = MPRISPlaybackStatus(playback.status).rawValue
    let monitor = MonitorSnapshot(playback, lastFailure: nil)
    status.timeControlStatus = monitor.timeControlStatus.rawValue
    status.reasonForWaiting = monitor.waitingReason?.rawValue ?? ""
    status.bufferingPercent = Int64(state.bufferingPercent)
    if state.currentItem != nil {
      status.trackID = track?.trackID.path.rawValue
      status.title = track?.title
      status.artist = track.flatMap { $0.artists.isEmpty ? nil : $0.artists.joined(separator: ", ") }
      status.album = track?.album
      status.uri = state.currentItem?.uri.withoutURIUsers
      status.position = state.position.microseconds
      status.duration = state.duration?.microseconds
    }
    status.rate = state.rate
    status.volume = VolumeScale.cubic(fromLinear: state.volume)
    status.isMuted = state.isMuted
    status.loop = MPRISLoopStatus(state.loop).rawValue
    (status.isShuffled, status.shuffleMode) = (state.isShuffled, state.shuffleMode.rawValue)
    status.queueIndex = state.currentIndex.map { Int64($0) }
    status.queueCount = Int64(state.itemCount)
    (status.hasNext, status.hasPrevious) = (state.hasNext, state.hasPrevious)
    status.chapterCount = Int64(state.chapters.count)
    status.chapterIndex = state.currentChapterIndex.map { Int64($0) }
    status.chapterTitle = state.currentChapterIndex.flatMap { state.chapters[$0].title }
    status.sleepRemaining = seen.sleepDeadline.map { max(0, $0 - extras.monotonic()) }
    status.sleepsAfterTrack = seen.sleepsAfterTrack
    status.stopsAfterCurrent = seen.stopsAfterCurrent
    status.stopsAfterTracks = Int64(seen.stopsAfterTracks)
    status.crossfade = seen.crossfade == .zero ? nil : seen.crossfade.microseconds
    status.crossfadeOnSkip = seen.crossfadeOnSkip == .zero ? nil : seen.crossfadeOnSkip.microseconds
    status.isConsuming = seen.consumes
    status.pausedFor = seen.pausedFor.isEmpty ? nil : seen.pausedFor
    status.book = seen.book.isEmpty ? nil : seen.book
    status.repeatStart = seen.abRepeat?.lowerBound.microseconds
    status.repeatEnd = seen.abRepeat?.upperBound.microseconds
    status.output = state.audioOutput?.id ?? ""
    status.outputName = state.audioOutput?.name
    let configured = configuration.audioSink + configuration.outputDevice
    status.configuredOutput = configured.isEmpty ? nil : configured
    // If no device is selected, the configured one was not found.
    let isMissing = state.audioOutput == nil && state.outputStatus == .selected && !configuration.outputDevice.isEmpty
    let reported = PlayerStatus.OutputStatus(rawValue: state.outputStatus.rawValue) ?? .selected
    status.outputStatus = isMissing ? .substituted : reported
    (status.itemStatus, status.isSeekable) = (monitor.itemStatus.rawValue, state.isSeekable)
    (status.seekableStart, status.seekableEnd) = (
      state.seekableTimeRanges.first?.lowerBound.microseconds, state.seekableTimeRanges.last?.upperBound.microseconds
    )
    if let failure = failures.last(in: bridge.player) {
      (status.lastErrorCode, status.lastErrorMessage) = (failure.error.code.rawValue, failure.error.message)
      (status.lastErrorTrackID, status.lastErrorURI) = (MPRISTrackID(failure.item).path.rawValue, failure.item.uri)
    }
    status.engineSandbox = bridge.player.engineRestrictions
    status.engineProcessID = bridge.player.engineProcessID.map { Int64($0) }
    return status
  }

  /// The configuration in force.
  private var sources: ConfigurationSources {
    var sources = settings.sources
    let state = bridge.player.snapshot
    sources.override([
      "volume": VolumePercent.value(of: VolumeScale.cubic(fromLinear: state.volume)), "rate": .number(state.rate),
      "loop": .text(state.loop.rawValue), "shuffle": .shuffle(state.shuffleMode),
    ])
    return sources
  }

  private func recording(withNames: Bool) -> (String, [String], [String], [String: DBusValue]) {
    // A message on the bus has at most 128 MiB.
    let items = withNames ? bridge.player.items.prefix(100_000) : []
    let names = items.map { ("\($0.id.number)", DBusValue.string($0.uri.withoutURISecrets)) }
    return (
      Names.version, sources.lines(withNames: withNames),
      RecordingText.lines(of: bridge.player.recording, withNames: withNames), Dictionary(names) { first, _ in first }
    )
  }

  private func reload() throws(DBusError) -> [String] {
    do throws(ConfigurationError) {
      return try settings.reload(into: bridge.player, log: log)
    } catch {
      throw .invalidArguments("the configuration is unchanged: \(error.message)")
    }
  }
}
