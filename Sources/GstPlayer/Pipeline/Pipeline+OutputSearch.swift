import Dispatch

/// Whether an output appears while the pipeline plays silently because none opened.
extension Pipeline {
  /// Searches while the pipeline plays; a pause or an unload ends the search.
  func searchOutput() {
    guard isSilent, outputSearch == nil else { return }
    let executor = executor
    outputSearch = OutputSearch(sinkMemory) { [weak self] in
      guard let self else { return }
      executor.queue.async { self.assumeIsolated { $0.outputFound() } }
    }
  }

  private func outputFound() {
    // A pause or an unload has ended the search meanwhile; the next search finds the output again.
    guard outputSearch != nil else { return }
    outputSearch = nil
    reports.message(.outputFound)
  }
}
