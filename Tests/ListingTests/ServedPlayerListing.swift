import GstPlayer
import MPRISService
import PlayerMPRIS

func serve(_ player: Player) async throws {
  try await MPRISService(identity: "My Player", player: player).run()
}
