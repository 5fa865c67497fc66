#if OpenCombine
  import AVFoundation
  import CombineExample
  import OpenCombineShim
  import TestSupport
  import Testing

  /// Tests of Examples/Combine, which has what OpenCombine lacks of Combine.
  @MainActor
  @Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
  struct CombineExampleTests {
    @Test("The texts of a view follow two properties of a player, and the notifications of its items")
    func texts() async throws {
      try await withSilentPlayers {
        let player = AVPlayer(url: try await sine(0.5))
        let texts = PlayerTexts(player)
        let (buttons, messages) = (EventLog<String>(), EventLog<String>())
        let subscriptions = [
          texts.button.sink { buttons.append($0) },
          texts.messages.sink { text in
            MainActor.assertIsolated()
            messages.append(text)
          },
        ]
        player.isMuted = true
        player.play()
        try await messages.first("the end", within: 20) { $0 == "ended" }
        try await buttons.first("the pause at the end", from: 3, within: 20)
        #expect(buttons.elements == ["play", "play, muted", "pause, muted", "play, muted"])
        await player.seek(to: .zero)
        try await messages.first("the jump", within: 20) { $0 == "jumped" }
        for subscription in subscriptions { subscription.cancel() }
      }
    }
  }
#endif
