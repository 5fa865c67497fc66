import Dispatch
import Playback

/// Whether an output appears while the pipeline plays silently because none opened, or after its output has failed.
extension Pipeline {
  /// Searches while the pipeline plays; a pause or an unload ends the search.
  func searchOutput() {
    if isSilent, outputSearch == nil { beginSearch(excluding: nil) }
  }

  /// Searches for another output after a device has failed or was busy, while the same one is tried again.
  ///
  /// A sound server that started later may hold the device. Another unload, or a successful load, ends the search.
  func replaceOutput() {
    isOutputLost = false
    beginSearch(excluding: replaceableOutput)
  }

  private func beginSearch(excluding failed: String?) {
    let executor = executor
    outputSearch = OutputSearch(sinkMemory, excluding: failed) { [weak self] in
      guard let self else { return }
      executor.queue.async { self.assumeIsolated { $0.outputFound() } }
    }
  }

  private func outputFound() {
    // A pause or an unload has ended the search meanwhile; the next search finds the output again.
    guard outputSearch != nil else { return }
    outputSearch = nil
    report(.outputFound)
  }
}
