import AVFoundation
import CGst
import MediaPlayer

// A program whose main thread runs GLib's main loop and no other, as programs with GTK or Qt do. It plays the file of its
// argument until it ends, and prints what reaches the main queue.

func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

guard let path = CommandLine.arguments.dropFirst().first else {
  say("usage: glib-program FILE")
  exit(2)
}
let loop = unsafe g_main_loop_new(nil, 0)
let player = AVPlayer(url: URL(fileURLWithPath: path))
let status = player.observe(\.timeControlStatus, options: [.new]) { player, _ in
  say("observer: \(player.timeControlStatus)")
}
let progress = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 2), queue: .main) { time in
  say("time: \(time.seconds)")
}
let end = NotificationCenter.default.addObserver(
  forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: .main
) { _ in
  say("notification: the item has ended")
  MainActor.assumeIsolated { unsafe g_main_loop_quit(loop) }
}
let center = MPRemoteCommandCenter.shared()
_ = center.playCommand.addTarget { _ in
  say("command: play")
  player.play()
  return .success
}
_ = center.pauseCommand.addTarget { _ in
  say("command: pause")
  player.pause()
  return .success
}
MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: "GLib"]
Task { @MainActor in say("task: on the main actor") }
player.play()
unsafe g_main_loop_run(loop)
withExtendedLifetime((status, progress, end)) {}
