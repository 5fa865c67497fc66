import AVFoundation
import CGtk
import MediaPlayer

// A player with a window of GTK 4, whose main loop serves the main queue. It plays the file of its argument until it ends,
// shows the time, and prints what reaches the main queue.

func say(_ text: String) {
  print(text)
  fflush(stdout)
}

guard let path = CommandLine.arguments.dropFirst().first else {
  say("usage: GtkPlayer FILE")
  exit(2)
}
let player = AVPlayer(url: URL(fileURLWithPath: path))
var progress: Any?
let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(nil, G_APPLICATION_NON_UNIQUE)
let base = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)

func showWindow() {
  guard let widget = gtk_application_window_new(application), let label = gtk_label_new("0 s") else { exit(1) }
  let window = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
  gtk_window_set_default_size(window, 320, 120)
  gtk_window_set_child(window, label)
  gtk_window_present(window)
  progress = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 2), queue: .main) { time in
    gtk_label_set_text(OpaquePointer(label), "\(time.seconds) s")
    say("time \(time.seconds), the window is \(gtk_widget_get_mapped(label) != 0 ? "visible" : "hidden")")
  }
}

let status = player.observe(\.timeControlStatus) { player, _ in say("status \(player.timeControlStatus)") }
let end = NotificationCenter.default.addObserver(
  forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: .main
) { _ in
  say("the item has ended")
  g_application_quit(base)
}
let commands = MPRemoteCommandCenter.shared()
_ = commands.playCommand.addTarget { _ in
  player.play()
  return .success
}
_ = commands.pauseCommand.addTarget { _ in
  player.pause()
  return .success
}
MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: "A window"]
Task { @MainActor in say("a task runs on the main actor") }

let activate: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, _ in
  showWindow()
  player.play()
}
g_signal_connect_data(
  application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
exit(g_application_run(base, 0, nil))
