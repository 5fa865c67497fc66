/* GStreamer macros, variadic functions and casts that Swift cannot import, each as an inline function.
 * https://gstreamer.freedesktop.org/documentation/gstreamer/ */
#ifndef CGST_SHIM_H
#define CGST_SHIM_H

#include <gst/gst.h>
#include <gst/audio/audio.h>
#include <gst/base/gstbaseparse.h>
#include <gst/base/gstbasesrc.h>
#include <gst/pbutils/pbutils.h>
#include <gst/tag/tag.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <zlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* GST_PAD_PROBE_INFO_EVENT is a macro over a union. NULL if the probe was not called for an event. */
static inline GstEvent *cgst_probe_event(GstPadProbeInfo *info) {
  const guint events = GST_PAD_PROBE_TYPE_EVENT_BOTH | GST_PAD_PROBE_TYPE_EVENT_FLUSH;
  return (GST_PAD_PROBE_INFO_TYPE(info) & events) ? GST_PAD_PROBE_INFO_EVENT(info) : NULL;
}
/* NULL if the probe was not called for an event of this type. */
static inline GstEvent *cgst_probe_event_of(GstPadProbeInfo *info, GstEventType type) {
  GstEvent *event = cgst_probe_event(info);
  return event != NULL && GST_EVENT_TYPE(event) == type ? event : NULL;
}
static inline gboolean cgst_event_is_serialized(GstEvent *event) { return GST_EVENT_IS_SERIALIZED(event); }
/* NULL if the probe was not called for a query. */
static inline GstQuery *cgst_probe_query(GstPadProbeInfo *info) {
  return (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_QUERY_BOTH) ? GST_PAD_PROBE_INFO_QUERY(info) : NULL;
}
/* Newer GLib declares its flags as flag enums, whose enumerators import under other names. */
static inline GUriFlags cgst_uri_flags(void) { return (GUriFlags)(G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED); }
static inline gboolean cgst_is_error(GLogLevelFlags level) { return (level & (G_LOG_FLAG_FATAL | G_LOG_LEVEL_ERROR)) != 0; }
/* The flags of libsoup's URIs, SOUP_HTTP_URI_FLAGS. */
static inline GUriFlags cgst_http_uri_flags(void) {
  return (GUriFlags)(G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED_PATH | G_URI_FLAGS_ENCODED_QUERY |
                     G_URI_FLAGS_ENCODED_FRAGMENT | G_URI_FLAGS_SCHEME_NORMALIZE);
}
/* Returns NULL if the probe was not called for a buffer. */
static inline GstBuffer *cgst_probe_buffer(GstPadProbeInfo *info) {
  return (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) ? GST_PAD_PROBE_INFO_BUFFER(info) : NULL;
}

/* gst_mini_object_ref and _unref take a GstMiniObject pointer; these functions cast buffers, caps and events to it. */
static inline void cgst_mini_object_ref(gpointer object) { gst_mini_object_ref(GST_MINI_OBJECT_CAST(object)); }
static inline void cgst_mini_object_unref(gpointer object) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(object)); }
/* Takes the caller's reference, and returns the same buffer or a copy. */
static inline GstBuffer *cgst_writable_buffer(GstBuffer *buffer) { return gst_buffer_make_writable(buffer); }

/* The end of the last frame that a GstBaseParse has parsed, on its streaming thread. GST_BASE_PARSE is a cast. */
static inline GstClockTime cgst_parsed_time(gpointer parser) { return GST_BASE_PARSE_CAST(parser)->segment.position; }

/* Checked casts are macros; they return NULL here when the object is of another type. */
static inline GstElement *cgst_element(gpointer object) { return GST_IS_ELEMENT(object) ? GST_ELEMENT_CAST(object) : NULL; }
static inline GstBin *cgst_bin(gpointer object) { return GST_IS_BIN(object) ? GST_BIN_CAST(object) : NULL; }

/* Functions with variable arguments are not imported. The next sample of an appsink, transfer full; NULL at the end, after the
   time, and if the element is stopped. */
static inline GstSample *cgst_pull_sample(GstElement *appsink, GstClockTime timeout) {
  GstSample *sample = NULL;
  g_signal_emit_by_name(appsink, "try-pull-sample", timeout, &sample);
  return sample;
}

/* Adds a buffer to the queue of an appsrc, which takes another reference. */
static inline GstFlowReturn cgst_push_buffer(GstElement *appsrc, GstBuffer *buffer) {
  GstFlowReturn result = GST_FLOW_ERROR;
  g_signal_emit_by_name(appsrc, "push-buffer", buffer, &result);
  return result;
}

/* GST_PLUGIN_FEATURE is a cast. */
static inline GstPluginFeature *cgst_feature(gpointer factory) { return GST_PLUGIN_FEATURE_CAST(factory); }

/* G_TYPE_INSTANCE_GET_CLASS is a macro. The class of the type that the type of an object is derived from. */
static inline gpointer cgst_parent_class(gpointer object) {
  return g_type_class_peek_parent(((GTypeInstance *)object)->g_class);
}

/* Whether an object is a single sink element, not a bin that contains one. GST_OBJECT_FLAG_IS_SET is a macro. */
static inline gboolean cgst_is_sink(gpointer object) {
  return GST_IS_ELEMENT(object) && !GST_IS_BIN(object) && GST_OBJECT_FLAG_IS_SET(object, GST_ELEMENT_FLAG_SINK);
}

/* Whether an element is a sink or a bin that contains one: a bin has the flag if one of its elements has it. */
static inline gboolean cgst_contains_sink(GstElement *element) {
  return GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK);
}

/* GST_IS_AUDIO_BASE_SINK is a macro. */
static inline gboolean cgst_is_audio_base_sink(gpointer object) { return GST_IS_AUDIO_BASE_SINK(object); }

/* g_atomic_int_get is a macro. STOPPED for a sink that is not open. */
static inline GstAudioRingBufferState cgst_ring_buffer_state(gpointer sink) {
  GstAudioRingBuffer *buffer = GST_AUDIO_BASE_SINK_CAST(sink)->ringbuffer;
  return buffer != NULL ? (GstAudioRingBufferState)g_atomic_int_get(&buffer->state) : GST_AUDIO_RING_BUFFER_STATE_STOPPED;
}

/* g_object_new is variadic. A bus without a queue needs no descriptors, and all its messages are handled at once; gst_bus_new
 * opens two. */
static inline GstBus *cgst_bus_new(void) {
  return GST_BUS_CAST(gst_object_ref_sink(g_object_new(GST_TYPE_BUS, "enable-async", FALSE, NULL)));
}

/* GST_IS_STREAM_VOLUME is a macro. */
static inline gboolean cgst_has_stream_volume(gpointer object) { return GST_IS_STREAM_VOLUME(object); }

/* GST_OBJECT_NAME is a macro; the factory name is the type of an element. */
static inline const gchar *cgst_factory_name(GstElement *element) {
  GstElementFactory *factory = gst_element_get_factory(element);
  return factory != NULL ? GST_OBJECT_NAME(factory) : "";
}

/* GST_IS_URI_HANDLER is a macro. Returns the URI of a source, which the caller frees; NULL for another element. */
static inline gchar *cgst_source_uri(GstElement *element) {
  if (!GST_IS_URI_HANDLER(element)) return NULL;
  GstURIHandler *handler = GST_URI_HANDLER(element);
  return gst_uri_handler_get_uri_type(handler) == GST_URI_SRC ? gst_uri_handler_get_uri(handler) : NULL;
}

/* gst_tag_list_add has a variable number of arguments. */
static inline void cgst_add_tag(GstTagList *list, const gchar *tag, const gchar *text) {
  gst_tag_list_add(list, GST_TAG_MERGE_REPLACE, tag, text, NULL);
}

/* GST_ELEMENT_FACTORY_TYPE_* are macros with shifted casts. */
static inline gboolean cgst_is_demuxer(GstElement *element) {
  GstElementFactory *factory = gst_element_get_factory(element);
  return factory != NULL && gst_element_factory_list_is_type(factory, GST_ELEMENT_FACTORY_TYPE_DEMUXER);
}

/* G_OBJECT_GET_CLASS is a macro. */
static inline gboolean cgst_has_property(gpointer object, const gchar *name) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) != NULL;
}

/* G_TYPE_* are macros that contain casts. */
static inline GType cgst_type_string(void) { return G_TYPE_STRING; }
static inline gboolean cgst_value_holds(const GValue *value, GType type) { return G_VALUE_HOLDS(value, type); }

/* GST_OBJECT_LOCK is a macro. The caller owns the pads and the list. */
static inline GList *cgst_source_pads(GstElement *element) {
  GST_OBJECT_LOCK(element);
  GList *pads = g_list_copy_deep(element->srcpads, (GCopyFunc)gst_object_ref, NULL);
  GST_OBJECT_UNLOCK(element);
  return pads;
}

/* GST_GHOST_PAD is a cast. The caller owns the target. */
static inline GstPad *cgst_ghost_target(GstPad *pad) {
  return GST_IS_GHOST_PAD(pad) ? gst_ghost_pad_get_target(GST_GHOST_PAD_CAST(pad)) : NULL;
}

/* Marks an object; returns FALSE if it already has this mark. */
static inline gboolean cgst_mark(gpointer object, const gchar *name) {
  if (g_object_get_data(object, name) != NULL) return FALSE;
  g_object_set_data(object, name, GINT_TO_POINTER(1));
  return TRUE;
}

/* GST_ELEMENT_FACTORY_TYPE_* are macros with shifted casts. */
static inline GstElementFactoryListType cgst_audio_sinks(void) {
  return GST_ELEMENT_FACTORY_TYPE_SINK | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO;
}

static inline GstElementFactoryListType cgst_video_sinks(void) {
  return GST_ELEMENT_FACTORY_TYPE_SINK | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE;
}

static inline GstElementFactoryListType cgst_audio_decoders(void) {
  return GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO;
}

static inline GstElementFactoryListType cgst_demuxers(void) { return GST_ELEMENT_FACTORY_TYPE_DEMUXER; }

static inline GstElementFactoryListType cgst_parsers(void) { return GST_ELEMENT_FACTORY_TYPE_PARSER; }

static inline GstElementFactoryListType cgst_visual_media(void) {
  return GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE |
         GST_ELEMENT_FACTORY_TYPE_MEDIA_SUBTITLE;
}

static inline GstElementFactoryListType cgst_decodable(void) { return GST_ELEMENT_FACTORY_TYPE_DECODABLE; }

/* Whether an element adds source pads when it knows its streams. GST_PAD_ALWAYS and others are a structure's fields. */
static inline gboolean cgst_adds_sources(GstElement *element) {
  const GList *template = gst_element_class_get_pad_template_list(GST_ELEMENT_GET_CLASS(element));
  for (; template != NULL; template = template->next) {
    const GstPadTemplate *pad = (const GstPadTemplate *)template->data;
    if (GST_PAD_TEMPLATE_DIRECTION(pad) == GST_PAD_SRC && GST_PAD_TEMPLATE_PRESENCE(pad) == GST_PAD_SOMETIMES) return TRUE;
  }
  return FALSE;
}

/* GST_IS_DISCOVERER_CONTAINER_INFO is a macro. */
static inline gboolean cgst_is_container_info(gpointer object) { return GST_IS_DISCOVERER_CONTAINER_INFO(object); }

/* Gives free memory back to the system; only glibc keeps much of it. */
static inline void cgst_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/* gst_caps_set_simple is variadic. */
static inline void cgst_set_rate(GstCaps *caps, gint rate) {
  gst_caps_set_simple(caps, "rate", G_TYPE_INT, rate, NULL);
}

/* Disconnects the handlers with `data` from the notify signal of one property. */
static inline void cgst_disconnect_notify(gpointer object, const gchar *property, gpointer data) {
  guint notify = g_signal_lookup("notify", G_TYPE_OBJECT);
  GSignalMatchType match = (GSignalMatchType)(G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DETAIL | G_SIGNAL_MATCH_DATA);
  g_signal_handlers_disconnect_matched(object, match, notify, g_quark_from_string(property), NULL, NULL, data);
}

/* Returns the element of a factory: the given one, or the first in the given bin; NULL if there is none. */
static inline GstElement *cgst_element_of_factory(GstElement *element, const gchar *factory) {
  if (!GST_IS_BIN(element))
    return g_strcmp0(cgst_factory_name(element), factory) == 0 ? GST_ELEMENT(gst_object_ref(element)) : NULL;
  GstIterator *elements = gst_bin_iterate_all_by_element_factory_name(GST_BIN(element), factory);
  GValue value = G_VALUE_INIT;
  GstElement *found = NULL;
  if (elements != NULL && gst_iterator_next(elements, &value) == GST_ITERATOR_OK)
    found = GST_ELEMENT(g_value_dup_object(&value));
  if (G_IS_VALUE(&value)) g_value_unset(&value);
  if (elements != NULL) gst_iterator_free(elements);
  return found;
}

/* Returns the buffer pool that a sink offers for caps; NULL if it offers none. */
static inline GstBufferPool *cgst_offered_pool(GstPad *pad, GstCaps *caps) {
  GstQuery *query = gst_query_new_allocation(caps, TRUE);
  GstBufferPool *pool = NULL;
  if (gst_pad_query(pad, query) && gst_query_get_n_allocation_pools(query) > 0)
    gst_query_parse_nth_allocation_pool(query, 0, &pool, NULL, NULL, NULL);
  gst_query_unref(query);
  return pool;
}

/* Sets a property of the stream that a sink opens next. */
static inline void cgst_set_stream_property(gpointer sink, const gchar *property, const gchar *key, const gchar *value) {
  GstStructure *properties = NULL;
  g_object_get(sink, property, &properties, NULL);
  if (properties == NULL) properties = gst_structure_new_empty("properties");
  gst_structure_set(properties, key, G_TYPE_STRING, value, NULL);
  g_object_set(sink, property, properties, NULL);
  gst_structure_free(properties);
}

/* Adds a property of the sound server's stream, unless it is set; gst_structure_set is variadic. */
static inline void cgst_add_stream_property(gpointer sink, const gchar *property, const gchar *key, const gchar *value) {
  GstStructure *properties = NULL;
  g_object_get(sink, property, &properties, NULL);
  gboolean is_set = properties != NULL && gst_structure_has_field(properties, key);
  if (properties != NULL) gst_structure_free(properties);
  if (!is_set) cgst_set_stream_property(sink, property, key, value);
}

/* GST_AUDIO_FORMAT_* in native byte order are aliases that depend on the machine. A depth of 0 is a float; 24 bits are
   little-endian. */
static inline GstAudioFormat cgst_audio_format(gint width, gint depth) {
  if (depth == 0) return width == 64 ? GST_AUDIO_FORMAT_F64 : GST_AUDIO_FORMAT_F32;
  return width == 16 ? GST_AUDIO_FORMAT_S16 : width == 24 ? GST_AUDIO_FORMAT_S24LE : GST_AUDIO_FORMAT_S32;
}

/* Gives a format the channel positions of another one with as many channels; the arrays are too long for a Swift tuple. */
static inline void cgst_copy_positions(GstAudioInfo *info, const GstAudioInfo *other) {
  memcpy(info->position, other->position, sizeof info->position);
  info->flags = other->flags;
}

/* Gives the channels of a format positions: of a mask, or the usual ones if the mask is 0 or of another number of channels. With
   the mask 0, positions that the format has stay. */
static inline void cgst_set_positions(GstAudioInfo *info, guint64 mask) {
  guint64 usual = gst_audio_channel_get_fallback_mask(info->channels);
  GstAudioChannelPosition positions[64];
  if ((mask == 0 && !GST_AUDIO_INFO_IS_UNPOSITIONED(info)) || usual == 0) return;
  if (mask == 0 || !gst_audio_channel_positions_from_mask(info->channels, mask, positions))
    gst_audio_channel_positions_from_mask(info->channels, usual, positions);
  memcpy(info->position, positions, sizeof *positions * (size_t)info->channels);
  info->flags = (GstAudioFlags)(info->flags & ~(guint)GST_AUDIO_FLAG_UNPOSITIONED);
}

/* Passes a buffer to the function of a sink pad without the pad's probes, inside one of them. GST_PAD_CHAINFUNC is a macro. */
static inline GstFlowReturn cgst_chain(GstPad *pad, GstBuffer *buffer) {
  return GST_PAD_CHAINFUNC(pad)(pad, GST_OBJECT_PARENT(pad), buffer);
}

/* Calls the handler of an open sink's class for a TAG event, without the lock of its pad; the artist may be NULL.
 *
 * The handler of pulsesink locks the event loop of libpulse, which does not exist while every such sink is in the state NULL;
 * libpulse then aborts the process. The lock of the state keeps the sink open during the call. */
static inline void cgst_handle_title(gpointer sink, const gchar *title, const gchar *artist) {
  GST_STATE_LOCK(sink);
  if (GST_STATE(sink) >= GST_STATE_READY) {
    GstBaseSink *base = GST_BASE_SINK(sink);
    GstTagList *tags = gst_tag_list_new(GST_TAG_TITLE, title, NULL);
    if (artist != NULL) gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, GST_TAG_ARTIST, artist, NULL);
    GST_BASE_SINK_GET_CLASS(base)->event(base, gst_event_new_tag(tags));
  }
  GST_STATE_UNLOCK(sink);
}

#endif
