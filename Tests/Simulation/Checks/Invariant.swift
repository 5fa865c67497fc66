/// A rule that holds after every event of a run.
///
/// The raw value is the name in reports.
package enum Invariant: String, CaseIterable, Hashable, Sendable {
  // Position
  case positionWithinItem = "position-within-item"
  case positionNeverBackwards = "position-never-backwards"
  case positionNeverAhead = "position-never-ahead"
  case positionStands = "position-stands"
  case positionIsTarget = "position-is-target"
  case positionMatchesOutput = "position-matches-output"
  case anchorMatchesPosition = "anchor-matches-position"
  case stoppedAtZero = "stopped-at-zero"
  // Items
  case currentItemInQueue = "current-item-in-queue"
  case audibleItemIsCurrent = "audible-item-is-current"
  case passageEndsOnce = "passage-ends-once"
  case endIsHeard = "end-is-heard"
  case itemChangeReported = "item-change-reported"
  case repetitionsCounted = "repetitions-counted"
  case failuresFormOnePass = "failures-form-one-pass"
  case queueWithoutDuplicates = "queue-without-duplicates"
  case orderIsPermutation = "order-is-permutation"
  case albumsStayTogether = "albums-stay-together"
  case neighboursExist = "neighbours-exist"
  case editKeepsCurrent = "edit-keeps-current"
  case queueEndStops = "queue-end-stops"
  case durationOfItem = "duration-of-item"
  // Transport
  case newestCommandWins = "newest-command-wins"
  case transportNeedsCommand = "transport-needs-command"
  case statusFollowsTransport = "status-follows-transport"
  case pausedIsSilent = "paused-is-silent"
  case playingIsAudible = "playing-is-audible"
  case startIsNotEarly = "start-is-not-early"
  case startIsOnTime = "start-is-on-time"
  case stoppedIsUnloaded = "stopped-is-unloaded"
  case settingReadBack = "setting-read-back"
  case changeIsReported = "change-is-reported"
  case noEmptyChange = "no-empty-change"
  // Seeks
  case seekAnsweredOnce = "seek-answered-once"
  case newerSeekEndsOlder = "newer-seek-ends-older"
  case seekLands = "seek-lands"
  case seekNeedsItem = "seek-needs-item"
  case seekAnswered = "seek-answered"
  case jumpMoves = "jump-moves"
  case preparationAnswered = "preparation-answered"
  // Observers
  case boundaryOncePerRun = "boundary-once-per-run"
  case boundaryTraversed = "boundary-traversed"
  case boundaryNotMissed = "boundary-not-missed"
  case boundaryInOrder = "boundary-in-order"
  case boundaryOfItem = "boundary-of-item"
  case remainingOncePerPassage = "remaining-once-per-passage"
  case tickIsPosition = "tick-is-position"
  case ticksNotMissed = "ticks-not-missed"
  case quietWhilePaused = "quiet-while-paused"
  case cancelledIsSilent = "cancelled-is-silent"
  case chapterChanges = "chapter-changes"
  case wrongObserverRejected = "wrong-observer-rejected"
  // Buffer
  case stallsAlternate = "stalls-alternate"
  case bufferWithinRange = "buffer-within-range"
  case rangesWithinItem = "ranges-within-item"
  case rangeContainsPosition = "range-contains-position"
  case rangeNeverShrinks = "range-never-shrinks"
  case rangeChangesSlowly = "range-changes-slowly"
  case fileNeverStalls = "file-never-stalls"
  case songIsHeard = "song-is-heard"
  // Engine
  case engineProtocol = "engine-protocol"
  case oneSeekAtATime = "one-seek-at-a-time"
  case streamsAreNew = "streams-are-new"
  case engineHasSettings = "engine-has-settings"
  case nextIsHarmless = "next-is-harmless"
  case nextLeavesNoGap = "next-leaves-no-gap"
  case machineParts = "machine-parts"
  case deckEndIsUnheard = "deck-end-is-unheard"
  case outputEndSkipsNothing = "output-end-skips-nothing"
  case processEndsTwice = "process-ends-twice"
  // Crossfades
  case overlapIsNotTooLoud = "overlap-is-not-too-loud"
  case overlapIsEvenlyLoud = "overlap-is-evenly-loud"
  case overlapIsAudible = "overlap-is-audible"
  case overlapHasLength = "overlap-has-length"
  case overlapIsPermitted = "overlap-is-permitted"
  case albumsFollowGaplessly = "albums-follow-gaplessly"
  case entryIsOneChange = "entry-is-one-change"
  case enteredIsCurrent = "entered-is-current"
  case outgoingIsHeard = "outgoing-is-heard"
  case outgoingEnds = "outgoing-ends"
  case fadedBoundariesOnce = "faded-boundaries-once"
  case currentIsNotClosed = "current-is-not-closed"
  case openStreamsHaveReason = "open-streams-have-reason"
  case openStreamsBounded = "open-streams-bounded"
  // Resources
  case wakesAdvance = "wakes-advance"
  case pausedSleeps = "paused-sleeps"
  case stoppedSleeps = "stopped-sleeps"
  case memoryBounded = "memory-bounded"
  // The bus
  case clientCopiesAgree = "client-copies-agree"
  case signalsChange = "signals-change"
  case positionNotSignalled = "position-not-signalled"
  case seekedPerJump = "seeked-per-jump"
  case callsAnsweredOnce = "calls-answered-once"
  case wrongCallsRefused = "wrong-calls-refused"
  case callsTakeEffect = "calls-take-effect"
  case trackListFollows = "track-list-follows"
  case monitorSignalsInOrder = "monitor-signals-in-order"
  case noticesReachOwner = "notices-reach-owner"
  case subscriptionsEnd = "subscriptions-end"
  case unsentBounded = "unsent-bounded"
  case playlistsFollowFolder = "playlists-follow-folder"
  case controlReadsAgree = "control-reads-agree"
  case sleepTimerPauses = "sleep-timer-pauses"
  case repeatStaysInPart = "repeat-stays-in-part"
  // Liveness
  case waitingEnds = "waiting-ends"
  case silenceEnds = "silence-ends"
  case playableItemsPlay = "playable-items-play"
  case closeAnswersAll = "close-answers-all"
  // Session and positions on a disk
  case sessionIsRecent = "session-is-recent"
  case resumeRestoresSession = "resume-restores-session"
  case damagedFileReported = "damaged-file-reported"
  case diskFailureReportedOnce = "disk-failure-reported-once"
  case longFilePositionKept = "long-file-position-kept"
  case bookContinues = "book-continues"
  // Suspension
  case sleepSavesSession = "sleep-saves-session"
  case sleepPauses = "sleep-pauses"
  case sleepIsNotDelayed = "sleep-is-not-delayed"
  case wakeTakesLock = "wake-takes-lock"
  case wakeResumes = "wake-resumes"
  case playbackInhibitsSleep = "playback-inhibits-sleep"
  // Queue loader
  case openAnsweredOnce = "open-answered-once"
  case openInsertsAll = "open-inserts-all"
  case openKeepsOrder = "open-keeps-order"
  case opensInOrder = "opens-in-order"
  case openWithoutDuplicates = "open-without-duplicates"
  case cancelledOpenEnds = "cancelled-open-ends"
  case openMemoryBounded = "open-memory-bounded"
  // The configuration
  case wrongConfigurationReported = "wrong-configuration-reported"
  case reloadAppliesFile = "reload-applies-file"
  case restartSettingsReported = "restart-settings-reported"

  /// The rule in a sentence.
  package var sentence: String {
    switch self {
    case .positionWithinItem: "The position is between 0 and the duration."
    case .positionNeverBackwards: "The position never goes back without a reported jump, another item or a stop."
    case .positionNeverAhead: "The position advances at the rate at most, plus the correction of the output's clock."
    case .positionStands: "While playback is paused or waits, the position is constant unless a jump is reported."
    case .positionIsTarget:
      "When a seek of a ready item has been requested, the position is its target, clamped to the item."
    case .positionMatchesOutput:
      "When nothing is in progress, not even a correction, the position is that of the output within 150 ms; at a higher rate, within the delay of the start times the rate."
    case .anchorMatchesPosition: "The published anchor leads to the position within 290 ms."
    case .stoppedAtZero: "While stopped, the position is 0."
    case .currentItemInQueue:
      "The current item is the item of the queue at the current index, and nil only in an empty queue."
    case .audibleItemIsCurrent: "When nothing is in progress, the audible item is the current one."
    case .passageEndsOnce: "Each passage of an item ends with one end or one failure at most."
    case .endIsHeard: "An end is reported only of an item that the output has played to its end."
    case .itemChangeReported:
      "Each change of the current item is reported once, with the item before and the item after it."
    case .repetitionsCounted: "A repetition is reported of the current item, with the next number."
    case .failuresFormOnePass: "At most as many items fail in a row as the queue has; then playback stops."
    case .queueWithoutDuplicates: "An item is in the queue once."
    case .orderIsPermutation: "A shuffled order contains each index once."
    case .albumsStayTogether:
      "After an order of albums was made, the items of each album follow each other in list order."
    case .neighboursExist: "Next and Previous change the current item if the snapshot says so, and only then."
    case .editKeepsCurrent: "An edit that does not remove the current item keeps it."
    case .queueEndStops: "After the end of the queue, the player is stopped."
    case .durationOfItem:
      "The duration of a whole, undamaged file is the one that it states, or that it was found to have; it may be unknown if the file is longer than it states."
    case .newestCommandWins: "When a command returns, the snapshot shows the state that it requests."
    case .transportNeedsCommand:
      "Playback starts only by a command or at the end of an interruption; it pauses or stops by itself only for a documented reason."
    case .statusFollowsTransport: "The status is paused unless the requested state is playing."
    case .pausedIsSilent: "When nothing is in progress and the player is paused, the output does not run."
    case .playingIsAudible: "When nothing is in progress and the status is playing, the output runs."
    case .startIsNotEarly: "The position stands until the instant of a scheduled start."
    case .startIsOnTime: "A scheduled start that nothing disturbs takes place within a second after its instant."
    case .stoppedIsUnloaded: "When nothing is in progress and the player is stopped, no stream is open or planned."
    case .settingReadBack: "A setting has its new value, clamped, when the setter returns."
    case .changeIsReported: "A snapshot differs from the one before only if a change was reported."
    case .noEmptyChange: "Setting a value that is set already reports nothing."
    case .seekAnsweredOnce: "Each awaited seek is answered once."
    case .newerSeekEndsOlder: "At most one awaited seek is pending; a newer one ends the older one at once."
    case .seekLands: "A seek that is answered with true ends within its tolerance of the clamped target."
    case .seekNeedsItem: "A seek while stopped or with an empty queue is answered with false."
    case .seekAnswered:
      "Each awaited seek is answered within ten minutes, unless the output or network is lost or the process suspended."
    case .jumpMoves: "The two positions of a reported jump differ, and the second one is the position after it."
    case .preparationAnswered: "Each awaited preparation is answered once."
    case .boundaryOncePerRun: "A boundary is reported once in an uninterrupted run of playback."
    case .boundaryTraversed: "A boundary is reported only if playback has traversed it; never by a seek across it."
    case .boundaryNotMissed: "Each boundary that playback has traversed is reported."
    case .boundaryInOrder: "The boundaries of a run are reported in the order of their times."
    case .boundaryOfItem: "A boundary is reported of the item that is current, or was until this decision."
    case .remainingOncePerPassage: "A remaining time is reported once in a passage, and again only after a jump back."
    case .tickIsPosition: "A tick has the position of the player, or the end of the item before."
    case .ticksNotMissed: "While playback advances, a periodic observer is called at each multiple of its interval."
    case .quietWhilePaused:
      "While the player stays paused, no time observer is called unless a jump, an item change or an end is reported."
    case .cancelledIsSilent: "After an observer was cancelled, it is not called."
    case .chapterChanges: "A reported chapter is another one than before, and exists."
    case .wrongObserverRejected: "An observer without times, or with an interval below 1 ms, is rejected, and no other."
    case .stallsAlternate: "Between two stalls of an item, a resumption is reported."
    case .bufferWithinRange: "The buffer is filled between 0 and 100 percent; of a file it is 100."
    case .rangesWithinItem: "The loaded and the seekable ranges are not empty, and lie within the item."
    case .rangeContainsPosition:
      "While a stream plays, the published loaded range contains the position; a later one is published a second after that at most."
    case .rangeNeverShrinks:
      "The end of the published loaded range moves back only with the position, by a seek or after a stall."
    case .rangeChangesSlowly:
      "The published loaded range changes at most four times a second, unless the position has left it."
    case .fileNeverStalls: "A file waits for the output at most, never for data."
    case .songIsHeard: "The title of a station is that of the song that is heard, from the second after its start on."
    case .engineProtocol:
      "The commands to the engine fit its contract: each stream that they name is open, one in a plan once, and a pause, a start, settings and a plan are not repeated without a change."
    case .oneSeekAtATime: "A seek of a stream is sent only after its opening, and the seek before it, have ended."
    case .streamsAreNew: "Each stream has a new, larger number."
    case .engineHasSettings:
      "When nothing is in progress, the engine has the player's volume, mute setting and audio track."
    case .nextIsHarmless:
      "An event of another stream, such as the failure of the next one, interrupts the audible one by no command."
    case .nextLeavesNoGap:
      "While the audible stream has data, the output has no gap, whatever another stream does: hang, fail or be slow."
    case .machineParts: "The rules between the parts of the machine hold (`PlaybackMachine.violations`)."
    case .deckEndIsUnheard:
      "After the end of a process with decks, the stream of the current item stays, and no sample is lost or repeated; while the decoded samples last, there is no gap."
    case .outputEndSkipsNothing:
      "After the end of the output's process, the current stream goes on within 20 ms of the sample that was heard last."
    case .processEndsTwice:
      "An item fails because a process ended only if the processes of its stream ended twice since it was opened."
    case .overlapIsNotTooLoud:
      "The items of a crossfade are together never louder than one: by their powers, or by their levels with linear curves."
    case .overlapIsEvenlyLoud:
      "During a crossfade that nothing disturbs, both items are together as loud as one within 0.5 dB."
    case .overlapIsAudible:
      "A crossfade that nothing disturbs is never silent for more than 50 ms."
    case .overlapHasLength:
      "A crossfade ends with the item that fades out, and takes the planned time within 5 ms."
    case .overlapIsPermitted:
      "No crossfade begins when crossfades are off, or if the item repeats, is the last one, is live, or is too short."
    case .albumsFollowGaplessly:
      "Items with the same album tag never crossfade, and follow gaplessly."
    case .entryIsOneChange:
      "The next item becomes current with its first audible sample, in one change with its metadata and without a jump."
    case .enteredIsCurrent:
      "When the next stream of a crossfade is audible, it is the current one."
    case .outgoingIsHeard:
      "The end of an item that fades out is reported once: when its last sample has been heard, or at a command or failure that ends it."
    case .outgoingEnds:
      "An item that fades out ends within 15 s after its duration of playback."
    case .fadedBoundariesOnce:
      "The boundaries in the part of an item that fades out are reported once."
    case .currentIsNotClosed: "The stream of the current item is not closed."
    case .openStreamsHaveReason:
      "Each open stream is that of the current item, of a successor, or of the item that fades out."
    case .openStreamsBounded: "At most ten streams are open."
    case .wakesAdvance: "The player comes to rest after each event: at most 200 wake-ups at one instant."
    case .pausedSleeps:
      "While paused with a ready item, the player wakes up at most for the release of the output and a fade."
    case .stoppedSleeps: "While stopped, no wake-up is set, except for the end of a fade."
    case .memoryBounded:
      "Waiting callers and observers are as many as the script has left at most."
    case .clientCopiesAgree:
      "When all signals are delivered, a client's copy of the properties is equal to a new GetAll."
    case .signalsChange:
      "PropertiesChanged contains no value that was the last signalled one, unless a client has read another one since then."
    case .positionNotSignalled: "Position is never in PropertiesChanged."
    case .seekedPerJump:
      "Seeked is sent once for each reported jump and resumption, in order, with its position, and never otherwise."
    case .callsAnsweredOnce: "Each call is answered once, when it is handled; a call that asks for no reply gets none."
    case .wrongCallsRefused:
      "A call with a wrong path, interface, member, type or value gets the matching error and changes nothing."
    case .callsTakeEffect:
      "When a call is answered, the state is the requested one; a call that a `Can…` property excludes changes nothing."
    case .trackListFollows: "A client that applies the signals of TrackList has the player's list."
    case .monitorSignalsInOrder:
      "Monitor1 signals each end, failure, stall, jump and chapter once, in the order of the player's events."
    case .noticesReachOwner: "The signals of a time observer are sent to the client that added it, until it removes it."
    case .subscriptionsEnd: "The service watches the connections of the clients with observers, and no others."
    case .unsentBounded: "While the bus reads nothing, the unsent messages do not grow beyond the limit."
    case .playlistsFollowFolder:
      "Playlists and Control1 list the playlists of the folder, in the requested order."
    case .controlReadsAgree:
      "The replies of Control1 about the status, the queue and the settings are the player's state."
    case .sleepTimerPauses: "The sleep timer ends at its deadline, and playback then pauses, or stops after the track."
    case .repeatStaysInPart: "While a part of a track is repeated, playback does not run beyond its end."
    case .waitingEnds:
      "While faults last shorter than that, a player that is to play shows progress within five minutes."
    case .silenceEnds:
      "While the status is playing, the output has a sample within 25 s after the last one: an item whose samples stop for 10 s fails."
    case .playableItemsPlay: "After all faults have ceased, each playable item of a new queue plays to its end in time."
    case .closeAnswersAll: "When the player is closed, every caller that waits has been answered."
    case .sessionIsRecent:
      "After a crash or a loss of power, the saved session was true within the last 5 s, or nothing was due since the start."
    case .resumeRestoresSession: "A start restores queue, order, item, position and modes as `resume` decides."
    case .damagedFileReported: "A damaged file never prevents the start; it is reported, and no other file is."
    case .diskFailureReportedOnce: "A full or read-only disk is reported once until a write succeeds."
    case .longFilePositionKept:
      "The position of a long file is on the disk when it is left, and every minute while it plays."
    case .bookContinues: "The folder of a book that is opened again continues at the file that played last."
    case .sleepSavesSession:
      "When the machine is suspended, the session on the disk was current at the signal or later."
    case .sleepPauses: "When the machine is suspended, playback is paused unless `pause-on-sleep` is off."
    case .sleepIsNotDelayed: "The delay lock is released before logind's limit of 5 s."
    case .wakeTakesLock: "After the wake-up, the delay lock is taken again."
    case .wakeResumes: "After the wake-up, playback resumes only if it was playing and `pause-on-sleep` permits it."
    case .playbackInhibitsSleep: "With `inhibit-sleep`, a block lock is held while playing, and only then."
    case .openAnsweredOnce: "Each open request is answered once."
    case .openInsertsAll: "A request that nothing has disturbed inserts each playable item of its source."
    case .openKeepsOrder: "The items of a request are in the order of its source."
    case .opensInOrder: "Requests that append are inserted in the order of their acceptance."
    case .openWithoutDuplicates: "A request inserts each item once."
    case .cancelledOpenEnds: "After a request was replaced by another, it inserts nothing."
    case .openMemoryBounded: "The pending requests are those that have not been answered."
    case .wrongConfigurationReported:
      "A wrong configuration file is reported with its path and the key; in a running daemon it changes no setting."
    case .reloadAppliesFile: "After a start or a reload, the settings that can change are those of the file."
    case .restartSettingsReported:
      "A reload reports the changed settings that take effect at the next start, and keeps their values until then."
    }
  }

  /// Whether the rule also applies to a player whose commands come from a daemon.
  var isOfDaemon: Bool {
    switch self {
    case .sessionIsRecent, .resumeRestoresSession, .damagedFileReported, .diskFailureReportedOnce,
      .longFilePositionKept, .bookContinues, .sleepSavesSession, .sleepPauses, .sleepIsNotDelayed, .wakeTakesLock,
      .wakeResumes,
      .playbackInhibitsSleep, .openAnsweredOnce, .openInsertsAll, .openKeepsOrder, .opensInOrder,
      .openWithoutDuplicates, .cancelledOpenEnds, .openMemoryBounded, .wrongConfigurationReported, .reloadAppliesFile,
      .restartSettingsReported, .wakesAdvance:
      true
    default: false
    }
  }
}

/// A broken invariant.
package struct Breach: Sendable, CustomStringConvertible {
  package var invariant: Invariant
  package var detail: String
  /// The virtual time since the start of the run, in milliseconds.
  package var milliseconds: Int
  /// The number of steps that had been carried out.
  package var steps: Int

  package var description: String { "\(invariant.rawValue) after \(milliseconds) ms: \(detail)" }
}
