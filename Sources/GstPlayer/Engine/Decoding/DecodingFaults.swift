import CGst

/// Restricts a decoding bin to audio, to allowed sources and to its budget, and works around faults of single elements.
///
/// Restrictions and workarounds are installed when the bin adds an element, before the element is started.
enum DecodingFaults {
  /// Restricts a bin that has not been started, and installs the workarounds, both for the lifetime of the bin.
  static func correct(in decoder: UnsafeMutablePointer<GstElement>) {
    unsafe AudioOnlyDecoding.restrict(decoder)
    unsafe StreamSources.watch(in: decoder)
    unsafe LoadBudget.watch(decoder)
    unsafe Signal.deepElement("deep-element-added", of: decoder) { element, parent in
      if unsafe SelfDrivenDecoder.pullsData(element) {
        unsafe SelfDrivenBus.insert(at: element, in: parent)
        unsafe SelfDrivenDecoder.delayExposure(of: element)
      }
      unsafe HTTPSession.separate(element)
      unsafe LockedDecoder.guardQueries(of: element)
      unsafe EstimatedDuration.hide(in: element)
      unsafe AUSeek.correct(in: element)
      unsafe RealMediaIndex.check(in: element)
    }
  }
}
