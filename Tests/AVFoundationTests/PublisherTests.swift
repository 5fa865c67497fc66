#if OpenCombine
  import AVFoundation
  import OpenCombine
  import TestSupport
  import Testing

  /// Tests of the publishers of properties, with the trait OpenCombine.
  @MainActor
  struct PublisherTests {
    @Test("A publisher sends the present value and each change, until its subscription is cancelled")
    func values() {
      let player = AVPlayer()
      let log = EventLog<Bool>()
      let subscription = player.publisher(for: \.isMuted).removeDuplicates().sink { log.append($0) }
      player.isMuted = true
      player.volume = 0.5
      #expect(log.elements == [false, true])
      subscription.cancel()
      player.isMuted = false
      #expect(log.elements == [false, true])
    }

    @Test("A subscriber without demand receives the latest value when it has demand")
    func demand() {
      let player = AVPlayer()
      let log = EventLog<Float>()
      let subscriber = OneByOne(log)
      player.publisher(for: \.volume, options: [.new]).subscribe(subscriber)
      player.volume = 0.25
      player.volume = 0.5
      player.volume = 0.75
      #expect(log.elements == [0.25])
      subscriber.subscription?.request(.max(1))
      #expect(log.elements == [0.25, 0.75])
      subscriber.subscription?.cancel()
    }

    /// A subscriber that requests one value.
    private final class OneByOne: Subscriber {
      typealias Input = Float
      typealias Failure = Never
      private let log: EventLog<Float>
      private(set) var subscription: (any Subscription)?

      init(_ log: EventLog<Float>) { self.log = log }

      func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.max(1))
      }

      func receive(_ input: Float) -> Subscribers.Demand {
        log.append(input)
        return .none
      }

      func receive(completion: Subscribers.Completion<Never>) {}
    }
  }
#endif
