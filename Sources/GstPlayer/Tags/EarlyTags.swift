import CGst
import Playback

/// Reads the tags that a source, or an element in front of the demuxer, sends before the decoder has an output.
///
/// The elements behind it are added with the first data. Until then, a pad keeps only the last tags of each scope, and
/// elements such as oggdemux, aacparse and aiffparse discard the tags that they receive. Therefore, tags are also read where they are sent.
struct EarlyTags: Sendable {
  /// Receives the tags on a streaming thread; a scope replaces the scope of the tags.
  let read: @Sendable (_ tags: TagList, _ scope: TagScope?) -> Void

  /// Reads the tags of a source; no other element receives them.
  ///
  /// For an element behind the source, they would be a list without a title that replaces the title of a station.
  func watch(source: UnsafeMutablePointer<GstElement>) {
    unsafe PadProbe.add(to: "src", of: source, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { _, info in
      guard let event = unsafe cgst_probe_event_of(info, GST_EVENT_TAG), let tags = unsafe TagList(event) else {
        return GST_PAD_PROBE_OK
      }
      self.read(tags, .item)
      return GST_PAD_PROBE_DROP
    }
  }

  /// Reads the tags around the data of a stream, such as ID3, at the output of their demuxer.
  func watch(wrapper demuxer: UnsafeMutablePointer<GstElement>) {
    unsafe PadProbe.add(to: "src", of: demuxer, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { _, info in
      if let event = unsafe cgst_probe_event_of(info, GST_EVENT_TAG), let tags = unsafe TagList(event) {
        self.read(tags, nil)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Reads the titles that a station sends between its data, and passes them on as tags of the item.
  ///
  /// An ID3 tag at the start of the data, or the comments in it, would replace them as tags of the same stream.
  func watch(station demuxer: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.padAdded(to: demuxer) { _, pad in
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { _, info in
        guard let event = unsafe cgst_probe_event_of(info, GST_EVENT_TAG), let sent = unsafe TagList(event),
          let list = unsafe gst_tag_list_copy(sent.list)
        else { return GST_PAD_PROBE_OK }
        unsafe gst_tag_list_set_scope(list, GST_TAG_SCOPE_GLOBAL)
        // The station has sent an empty title, which differs from a list that is not about the title.
        if sent.string(GST_TAG_TITLE) == nil { unsafe cgst_add_tag(list, GST_TAG_TITLE, " ") }
        self.read(unsafe TagList(list), nil)
        unsafe PadProbe.replace(in: info, with: gst_event_new_tag(list))
        return GST_PAD_PROBE_OK
      }
    }
  }
}
