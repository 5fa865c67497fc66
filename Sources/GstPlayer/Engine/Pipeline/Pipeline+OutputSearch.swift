import Dispatch
import Playback

/// Searches for an output while the pipeline plays silently without one, or after its output has failed.
extension Pipeline {
  /// Starts a search while the pipeline plays silently; a pause or an unload ends the search.
  func searchOutput() {
    if isSilent, outputSearch == nil { beginSearch(excluding: nil) }
  }

  /// Starts a search for another output after a device has failed or was busy; the same device is also tried again.
  ///
  /// A sound server that was started later may use the device. Another unload, or a successful load, ends the search.
  func replaceOutput() {
    isOutputLost = false
    beginSearch(excluding: replaceableOutput)
  }

  private func beginSearch(excluding failed: String?) {
    outputSearch = OutputSearch(sinkMemory, excluding: failed) { [weak self] in self?.enqueue { $0.outputFound() } }
  }

  private func outputFound() {
    // If a pause or an unload has ended the search in the meantime, the next search finds the output again.
    guard outputSearch != nil else { return }
    outputSearch = nil
    report(.outputFound)
  }
}
