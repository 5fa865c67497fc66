import CGst
import Dispatch
import EngineProcess
import Playback
import PlayerClock
import Synchronization

/// A response that a reader has requested and a player continues, so that a stream is requested once.
///
/// Its source is in the pipeline of the reader, and its data is blocked. A station may serve one connection for each
/// listener, and notices the end of a connection only with its next data.
final class BegunResponse: Sendable {
  /// The time in which a player takes a response over; after it the connection is closed.
  private static let lifetime = Duration.seconds(5)
  /// The responses that no player has taken over, by the URIs of their requests.
  private static let waiting = Mutex<[String: BegunResponse]>([:])
  private static let queue = DispatchQueue(label: "org.playerd.responses", qos: .utility)

  /// The URI of the request.
  let uri: String
  /// The pipeline of the reader, which retains this response; nil once the response is taken over or closed.
  private let pipeline: Mutex<ObjectReference?>
  private let source: ObjectReference
  private let probe: gulong
  private let isTaken = Latch()
  private let isResumed = Latch()
  private let timer = WakeTimer(queue: queue)

  /// Takes over a running pipeline whose source is blocked by a probe at its pad.
  init(of uri: String, _ pipeline: ObjectReference, source: ObjectReference, probe: gulong) {
    self.uri = uri
    self.pipeline = Mutex(pipeline)
    self.source = source
    self.probe = probe
  }

  deinit {
    // A bin that was never started has not stopped it.
    if isTaken.isSet { unsafe gst_element_set_state(source.pointer(), GST_STATE_NULL) }
  }

  /// Offers the response to the next player that opens its URI.
  func offer() {
    ResponseElement.register
    let replaced = Self.waiting.withLock { $0.updateValue(self, forKey: uri) }
    replaced?.close()
    timer.set(.now + Self.lifetime) { [weak self] in self?.withdraw() }
  }

  /// Closes the connection, unless a player has taken it over.
  func withdraw() {
    let isWaiting = Self.waiting.withLock { [uri] waiting in
      guard waiting[uri] === self else { return false }
      waiting[uri] = nil
      return true
    }
    if isWaiting { close() }
  }

  /// Closes the connection of the response that waits for a URI.
  static func withdraw(for uri: String) { waiting.withLock { $0.removeValue(forKey: uri) }?.close() }

  private func close() {
    timer.set(nil) {}
    guard let pipeline = pipeline.withLock({ $0.take() }) else { return }
    // Waits for the threads of the pipeline.
    Self.queue.async { GStreamer.dismantle(pipeline) }
  }

  /// Moves the source of the response for a URI to another bin; nil if no response waits for the URI.
  static func take(_ uri: String, into bin: UnsafeMutablePointer<GstBin>) -> BegunResponse? {
    guard let response = waiting.withLock({ $0.removeValue(forKey: uri) }),
      let pipeline = response.pipeline.withLock({ $0.take() })
    else { return nil }
    response.timer.set(nil) {}
    response.isTaken.set()
    let source: UnsafeMutablePointer<GstElement> = unsafe response.source.pointer()
    // The source keeps its state, which is above the bin's state. The bin follows and then changes both.
    unsafe gst_bin_remove(pipeline.pointer(), source)
    unsafe gst_bin_add(bin, source)
    queue.async { GStreamer.dismantle(pipeline) }
    return response
  }

  /// Adds an output to the bin that contains the source now; the source is linked to it by ``resume(in:)``.
  ///
  /// The output is not active before the bin is in PAUSED. A pad that is linked to an inactive one loses its data, because
  /// the events before the data reach the other pad in spite of the probe, and fail.
  func addOutput(to bin: UnsafeMutablePointer<GstBin>) {
    guard let output = unsafe gst_ghost_pad_new_no_target("src", GST_PAD_SRC), let element = unsafe cgst_element(bin)
    else { return }
    unsafe gst_element_add_pad(element, output)
  }

  /// Links the source to the output of its bin, and lets the data pass; has an effect once.
  func resume(in bin: UnsafeMutablePointer<GstElement>) {
    guard !isResumed.isSet else { return }
    isResumed.set()
    unsafe GLib.withPad("src", of: source.pointer()) { pad in
      unsafe GLib.withPad("src", of: bin) { output in
        let output = unsafe UnsafeMutableRawPointer(output).assumingMemoryBound(to: GstGhostPad.self)
        _ = unsafe gst_ghost_pad_set_target(output, pad)
      }
      unsafe gst_pad_remove_probe(pad, probe)
    }
  }
}
