import GstPlayer
import Testing

@testable import PlayerdService

@Suite("Requests that are being opened") struct PendingOpensTests {
  private typealias View = PendingOpens.PlayerView

  private let stopped = PendingOpens.PlayerView(transport: .stopped, isQueueEmpty: false)
  private let paused = PendingOpens.PlayerView(transport: .paused, isQueueEmpty: false)
  private let playing = PendingOpens.PlayerView(transport: .playing, isQueueEmpty: false)
  private let empty = PendingOpens.PlayerView()

  private func request(_ placement: OpenRequest.Placement, becomesCurrent: Bool = false, paused: Bool = false)
    -> OpenRequest
  {
    var request = OpenRequest(uris: ["http://radio.example/list.m3u"], placement: placement, startsPaused: paused)
    request.becomesCurrent = becomesCurrent
    return request
  }

  private var takeovers: [OpenRequest] { [request(.replace), request(.now), request(.add, becomesCurrent: true)] }

  @Test("A request that becomes current is published as playing, for any queue")
  func takeover() {
    for request in takeovers {
      for player in [empty, stopped, paused, playing] {
        var pending = PendingOpens()
        let id = pending.add(request)
        #expect(pending.status(player) == .playing)
        pending.finish(id)
        #expect(pending.status(player) == player.transport)
      }
    }
  }

  @Test("A request that only adds items is published if the queue is empty and its first item is to play")
  func addition() {
    for placement in [OpenRequest.Placement.append, .next] {
      var pending = PendingOpens()
      _ = pending.add(request(placement))
      #expect(pending.status(empty) == .playing)
      #expect(pending.status(paused) == .paused && pending.status(stopped) == .stopped)
    }
    var pending = PendingOpens()
    _ = pending.add(request(.add))
    _ = pending.add(OpenRequest())
    for player in [empty, stopped, paused] { #expect(pending.status(player) == player.transport) }
  }

  @Test("A request with --paused is published as paused unless a track plays")
  func startsPaused() {
    var pending = PendingOpens()
    let id = pending.add(request(.replace, paused: true))
    #expect(pending.status(empty) == .paused && pending.status(stopped) == .paused)
    #expect(pending.status(playing) == .playing)
    #expect(pending.insert(id) == .paused)
  }

  @Test("The newest of Pause and Play decides the state in which the first item is loaded")
  func newestCommand() {
    for request in takeovers {
      var pending = PendingOpens()
      let id = pending.add(request)
      pending.pause(empty)
      #expect(pending.status(empty) == .paused)
      #expect(pending.play(empty) == false, "an empty player has nothing to play")
      #expect(pending.status(empty) == .playing)
      pending.pause(empty)
      #expect(pending.insert(id) == .paused)
      #expect(pending.intent(paused) == nil, "it has become current")
    }
  }

  @Test("Pause of a paused player holds for the requests that become current if the present one fails")
  func pauseOfFollowers() {
    var pending = PendingOpens()
    let first = pending.add(request(.replace, paused: true))
    let second = pending.add(request(.next))
    #expect(pending.status(empty) == .paused)
    pending.pause(empty)
    pending.finish(first)
    #expect(pending.status(empty) == .paused)
    #expect(pending.insert(second) == .paused)
  }

  @Test("A second Pause does not keep Play from resuming the player")
  func secondPause() {
    var pending = PendingOpens()
    _ = pending.add(request(.now))
    pending.pause(playing)
    pending.pause(paused)
    #expect(pending.play(paused) == true)
  }

  @Test("Play resumes the player only if a Pause has paused it since the request was accepted")
  func resumption() {
    var pending = PendingOpens()
    _ = pending.add(request(.now))
    #expect(pending.play(paused) == false, "it was paused before")
    pending.pause(playing)
    #expect(pending.play(paused) == true)
    #expect(pending.play(paused) == false)
    var idle = PendingOpens()
    idle.pause(playing)
    #expect(idle.play(paused) == true, "without a pending request, Play resumes the player")
  }

  @Test("A pause by the player itself, as on removal of its output, pauses the pending request")
  func ownPause() {
    var pending = PendingOpens()
    let id = pending.add(request(.now))
    pending.follow(playing)
    pending.follow(paused)
    #expect(pending.status(paused) == .paused)
    #expect(pending.play(paused) == true, "Play resumes the player as well")
    pending.commanded(playing)
    pending.pause(playing)
    pending.commanded(paused)
    _ = pending.play(paused)
    pending.commanded(paused)
    pending.follow(paused)
    #expect(pending.insert(id) == .playing, "a pause by command is not a pause by the player itself")
  }

  @Test("Stop, Next, Previous and GoTo cancel requests that would become current, and keep those that only add items")
  func supersede() {
    for request in takeovers {
      var pending = PendingOpens()
      let id = pending.add(request)
      let added = pending.add(self.request(.append))
      #expect(pending.supersede(paused) == .playing)
      #expect(pending.takeCancelled() == [id])
      #expect(pending.takeCancelled().isEmpty)
      #expect(pending.contains(added) && !pending.contains(id))
      #expect(pending.insert(id) == nil)
      #expect(pending.status(paused) == .paused)
    }
    var pending = PendingOpens()
    let first = pending.add(request(.append))
    pending.supersede(empty)
    #expect(pending.takeCancelled() == [first], "in an empty queue it would have played")
  }

  @Test("A newer request that becomes current cancels older ones without inserted items")
  func newerRequest() {
    for older in takeovers {
      for newer in takeovers {
        var pending = PendingOpens()
        let id = pending.add(older)
        _ = pending.add(newer)
        #expect(pending.takeCancelled() == [id])
      }
    }
  }

  @Test("Only a request that replaces the queue cancels a request that is being inserted")
  func inserting() {
    for newer in takeovers {
      var pending = PendingOpens()
      let ids = [pending.add(request(.replace)), pending.add(request(.append))]
      _ = pending.insert(ids[0])
      _ = pending.add(newer)
      #expect(pending.takeCancelled() == (newer.placement == .replace ? ids : []))
    }
    var pending = PendingOpens()
    let id = pending.add(request(.replace))
    _ = pending.insert(id)
    pending.supersede(playing)
    #expect(pending.contains(id), "the queue is still filled after a Stop")
  }

  @Test("If the queue ends before a request is fully inserted, its next item plays, unless a command prevents it")
  func starvation() {
    func starved() -> (PendingOpens, PendingOpens.ID) {
      var pending = PendingOpens()
      let id = pending.add(request(.replace))
      #expect(pending.insert(id) == .playing)
      #expect(pending.insert(id) == nil)
      pending.queueEnded()
      #expect(pending.status(stopped) == .playing)
      return (pending, id)
    }
    var (pending, id) = starved()
    #expect(pending.insert(id) == .playing)
    #expect(pending.status(stopped) == .stopped)
    (pending, id) = starved()
    pending.pause(stopped)
    #expect(pending.status(stopped) == .paused)
    #expect(pending.insert(id) == .paused)
    (pending, id) = starved()
    pending.supersede(stopped)
    #expect(pending.status(stopped) == .stopped)
    #expect(pending.contains(id))
    #expect(pending.insert(id) == nil)
    (pending, id) = starved()
    let newer = pending.add(request(.now))
    #expect(pending.insert(newer) == .playing)
    #expect(pending.insert(id) == nil, "another track plays by now")
  }

  @Test("A queue that ends before the first item of a request is inserted does not affect the request")
  func notStarved() {
    var pending = PendingOpens()
    let id = pending.add(request(.append))
    pending.queueEnded()
    #expect(pending.status(stopped) == .stopped)
    #expect(pending.insert(id) == .playing, "the caller decides by the queue")
  }
}
