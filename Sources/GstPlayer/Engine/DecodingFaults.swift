import CGst

/// The workarounds for faults of single elements, installed when a `uridecodebin` adds them, before they are started.
enum DecodingFaults {
  /// Installs the workarounds in a `uridecodebin` that has not been started; they last for the lifetime of the element.
  static func correct(in decoder: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.deepElement("deep-element-added", of: decoder) { element, parent in
      if unsafe SelfDrivenDecoder.pullsData(element) {
        if let bin = unsafe cgst_element(parent) { unsafe SelfDrivenBus.insert(at: element, in: bin) }
        unsafe SelfDrivenDecoder.delayExposure(of: element)
      }
      unsafe HTTPSession.separate(element)
      unsafe LockedDecoder.guardQueries(of: element)
      unsafe EstimatedDuration.hide(in: element)
    }
  }
}
