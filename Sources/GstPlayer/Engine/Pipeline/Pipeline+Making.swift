import CGst
import Playback

/// Makes the playbin.
extension Pipeline {
  func makePlaybin() throws(PlayerError) {
    if let shortage = Shortage.failure { throw shortage }
    try GStreamer.initialize()
    GStreamer.preferLightDecoders()
    guard let element = unsafe LockingPlaybin.make() else {
      throw PlayerError(code: .unknown, message: "GStreamer's playback plug-in is not installed")
    }
    let playbin = unsafe gst_object_ref_sink(element).assumingMemoryBound(to: GstElement.self)
    unsafe self.playbin = playbin
    unsafe context.setPlaybin(playbin)
    // GstPlayFlags is private to the playback plug-in.
    let object = unsafe UnsafeMutableRawPointer(playbin).assumingMemoryBound(to: GObject.self)
    unsafe gst_util_set_object_arg(object, "flags", "audio")
    unsafe AdaptiveStream.fixVariant(of: playbin)
    let sink = try unsafe useSink(playbin)
    try unsafe useFilter(playbin, outputHasVolume: sink.hasVolume)
    unsafe connect(playbin)
  }

  private func useFilter(_ playbin: UnsafeMutablePointer<GstElement>, outputHasVolume: Bool) throws(PlayerError) {
    let filter = try SoundFilter(configuration, outputHasVolume: outputHasVolume, isStereo: mix != nil)
    self.filter = filter
    unsafe GLib.withPad("sink", of: filter.bin) { pad in
      unsafe context.watchEntry(pad)
      unsafe verifier?.attachEntry(pad)
      unsafe context.sendGains(to: pad)
    }
    unsafe GLib.set(playbin, "audio-filter", toObject: filter.bin)
  }

  private func useSink(_ playbin: UnsafeMutablePointer<GstElement>) throws(PlayerError) -> AudioSink.Choice {
    let fades = configuration.fade > .zero || mix != nil
    let application = configuration.application
    let sink =
      if let description = configuration.audioSink { try AudioSink.make(description, for: application) } else {
        try AudioSink.best(sinkMemory, fades: fades, for: application)
      }
    isSilent = sink.isSilent
    let isReplaceable = configuration.audioSink == nil && !sink.isSilent && !sink.isServed
    replaceableOutput = isReplaceable ? sink.factory : nil
    report(.outputOpened(isSilent: isSilent))
    if isSilent { report(.warning("no audio output can be opened; playing silently")) }
    unsafe GLib.withPad("sink", of: sink.element) { pad in
      unsafe context.watchExit(pad)
      unsafe mix?.attach(to: pad)
      unsafe context.volumeShaper.attach(to: pad) { [context] in context.streamAtSink }
      if configuration.fade > .zero {
        let fade = SoundFade(over: configuration.fade) { [context] end in
          context.deliver(.fadeOutEnds(runningTime: end))
        }
        unsafe fade.attach(to: pad)
        self.fade = fade
      }
    }
    unsafe PipeWirePool.activate(in: sink.element)
    unsafe PulseFormats.answerQueries(of: sink.element)
    unsafe verifier?.attachExit(sink.element, isSilent: sink.isSilent)
    unsafe context.output.set(ObjectReference(sink.element))
    context.outputClock.set(unsafe context.withPulseSink { unsafe OutputClock.replace(in: $0) } ?? nil)
    unsafe GLib.set(playbin, "audio-sink", toObject: sink.element)
    return sink
  }

  private func connect(_ playbin: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.with(taking: gst_element_get_bus(playbin)) { bus in
      unsafe BusHandler.install(on: bus) { [context] message in
        unsafe context.handle(message)
        return nil
      }
    }
    unsafe context.connect(playbin)
    unsafe RemovedSelector.stopAll(of: playbin, on: context.executor)
  }
}
