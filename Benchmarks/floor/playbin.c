/* The floor of playback: playbin and a sink in a main loop without other work.
 *
 * playbin SINK URI: plays until it is killed. */
#include <gst/gst.h>

int main(int count, char **arguments) {
  if (count != 3) return 64;
  gst_init(NULL, NULL);
  GstElement *playbin = gst_element_factory_make("playbin", NULL);
  GstElement *sink = gst_parse_bin_from_description(arguments[1], TRUE, NULL);
  if (!playbin || !sink) return 69;
  gst_util_set_object_arg(G_OBJECT(playbin), "flags", "audio+soft-volume");
  g_object_set(playbin, "uri", arguments[2], "audio-sink", sink, NULL);
  gst_element_set_state(playbin, GST_STATE_PLAYING);
  GstBus *bus = gst_element_get_bus(playbin);
  GstMessage *message =
      gst_bus_timed_pop_filtered(bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  return GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS ? 0 : 70;
}
