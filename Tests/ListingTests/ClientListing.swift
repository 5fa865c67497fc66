import MPRISService

// The code of the page ControlOtherPlayers in Sources/MPRISService/MPRISService.docc.

func printPlayers() async throws {
  let client = try await MPRISClient()
  for await players in try await client.playerChanges() { print(players.map(\.name)) }
}

func follow(_ name: String, of client: MPRISClient) async throws {
  let player = try await client.player(named: name)
  for await event in try await player.events() {
    switch event {
    case .changed(let state): print(state.status, state.metadata.title ?? "untitled")
    case .seeked(let position): print(position)
    }
  }
}

func skip(_ player: MPRISRemotePlayer) async throws {
  try await player.next()
  try await player.seek(by: .seconds(10))
  try await player.setVolume(0.5)
}
