/// The description of the audible item for mixers.
extension PlaybackMachine {
  /// Sends the description of the current item to the engine, if its stream or its metadata have changed.
  mutating func describeStream() {
    guard configuration.application != nil else { return }
    let stream = phase.isLoaded ? (token: token, revision: current.details.revision) : nil
    guard stream?.token != described?.token || stream?.revision != described?.revision else { return }
    described = stream
    guard stream != nil, let item = queue.current else { return }
    perform(.describeStream(StreamDescription(item, current.details.metadata)))
  }
}
