/* The floor of commands: a playbin that a D-Bus client controls, in one thread without other work.
 *
 * player NAME SINK URI…: serves Next, OpenUri, Stop and SetPosition until it is killed. */
#include <dbus/dbus.h>
#include <gst/gst.h>
#include <poll.h>
#include <string.h>

#define PATH "/org/mpris/MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define PROPERTIES "org.freedesktop.DBus.Properties"

static GstElement *playbin;
static DBusConnection *connection;
static int awaits_tags, awaits_playing, awaits_seek, track;

/* Signals a property with a text, or the metadata with a title. */
static void changed(const char *property, const char *text) {
  DBusMessage *signal = dbus_message_new_signal(PATH, PROPERTIES, "PropertiesChanged");
  DBusMessageIter to, array, item, value, entries, entry, inner;
  const char *interface = PLAYER, *key = "xesam:title";
  int is_metadata = !strcmp(property, "Metadata");
  dbus_message_iter_init_append(signal, &to);
  dbus_message_iter_append_basic(&to, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_open_container(&to, DBUS_TYPE_ARRAY, "{sv}", &array);
  dbus_message_iter_open_container(&array, DBUS_TYPE_DICT_ENTRY, NULL, &item);
  dbus_message_iter_append_basic(&item, DBUS_TYPE_STRING, &property);
  dbus_message_iter_open_container(&item, DBUS_TYPE_VARIANT, is_metadata ? "a{sv}" : "s", &value);
  if (is_metadata) {
    dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "{sv}", &entries);
    dbus_message_iter_open_container(&entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &inner);
    dbus_message_iter_append_basic(&inner, DBUS_TYPE_STRING, &text);
    dbus_message_iter_close_container(&entry, &inner);
    dbus_message_iter_close_container(&entries, &entry);
    dbus_message_iter_close_container(&value, &entries);
  } else {
    dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &text);
  }
  dbus_message_iter_close_container(&item, &value);
  dbus_message_iter_close_container(&array, &item);
  dbus_message_iter_close_container(&to, &array);
  dbus_message_iter_open_container(&to, DBUS_TYPE_ARRAY, "s", &array);
  dbus_message_iter_close_container(&to, &array);
  dbus_connection_send(connection, signal, NULL);
  dbus_message_unref(signal);
}

static void play(const char *uri) {
  gst_element_set_state(playbin, GST_STATE_READY);
  g_object_set(playbin, "uri", uri, NULL);
  gst_element_set_state(playbin, GST_STATE_PLAYING);
}

static void handle_bus_message(GstMessage *message) {
  char *title = NULL;
  GstTagList *tags = NULL;
  switch (GST_MESSAGE_TYPE(message)) {
  case GST_MESSAGE_TAG:
    gst_message_parse_tag(message, &tags);
    if (awaits_tags && gst_tag_list_get_string(tags, GST_TAG_TITLE, &title)) awaits_tags = 0, changed("Metadata", title);
    g_free(title);
    gst_tag_list_unref(tags);
    break;
  case GST_MESSAGE_ASYNC_DONE:
    if (awaits_seek) {
      gint64 time = 0;
      gst_element_query_position(playbin, GST_FORMAT_TIME, &time);
      dbus_int64_t position = time / 1000;
      DBusMessage *signal = dbus_message_new_signal(PATH, PLAYER, "Seeked");
      dbus_message_append_args(signal, DBUS_TYPE_INT64, &position, DBUS_TYPE_INVALID);
      dbus_connection_send(connection, signal, NULL);
      dbus_message_unref(signal);
      awaits_seek = 0;
    }
    if (awaits_playing) awaits_playing = 0, changed("PlaybackStatus", "Playing");
    break;
  default: break;
  }
  gst_message_unref(message);
}

/* Replies to Get of the metadata with a track identity. */
static void append_metadata(DBusMessage *reply) {
  DBusMessageIter to, value, entries, entry, inner;
  const char *key = "mpris:trackid", *id = "/org/playerd/track/1";
  dbus_message_iter_init_append(reply, &to);
  dbus_message_iter_open_container(&to, DBUS_TYPE_VARIANT, "a{sv}", &value);
  dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "{sv}", &entries);
  dbus_message_iter_open_container(&entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "o", &inner);
  dbus_message_iter_append_basic(&inner, DBUS_TYPE_OBJECT_PATH, &id);
  dbus_message_iter_close_container(&entry, &inner);
  dbus_message_iter_close_container(&entries, &entry);
  dbus_message_iter_close_container(&value, &entries);
  dbus_message_iter_close_container(&to, &value);
}

static void handle_call(DBusMessage *call, int count, char **uris) {
  const char *member = dbus_message_get_member(call), *text = NULL;
  dbus_int64_t position = 0;
  if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return;
  DBusMessage *reply = dbus_message_new_method_return(call);
  if (!strcmp(member, "Get")) append_metadata(reply);
  dbus_connection_send(connection, reply, NULL);
  dbus_message_unref(reply);
  if (!strcmp(member, "Next")) awaits_tags = 1, play(uris[++track % count]);
  else if (!strcmp(member, "Stop")) gst_element_set_state(playbin, GST_STATE_READY);
  else if (!strcmp(member, "OpenUri") && dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID))
    awaits_playing = 1, play(text);
  else if (!strcmp(member, "SetPosition") &&
           dbus_message_get_args(call, NULL, DBUS_TYPE_OBJECT_PATH, &text, DBUS_TYPE_INT64, &position, DBUS_TYPE_INVALID)) {
    awaits_seek = 1;
    gst_element_seek_simple(playbin, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, position * 1000);
  }
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  gst_init(NULL, NULL);
  playbin = gst_element_factory_make("playbin", NULL);
  GstElement *sink = gst_parse_bin_from_description(arguments[2], TRUE, NULL);
  connection = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  if (!playbin || !sink || !connection) return 69;
  gst_util_set_object_arg(G_OBJECT(playbin), "flags", "audio+soft-volume");
  g_object_set(playbin, "audio-sink", sink, NULL);
  play(arguments[3]);
  if (dbus_bus_request_name(connection, arguments[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) < 0) return 69;
  GstBus *bus = gst_element_get_bus(playbin);
  GPollFD messages;
  gst_bus_get_pollfd(bus, &messages);
  struct pollfd sources[2] = {{.events = POLLIN}, {.fd = messages.fd, .events = POLLIN}};
  dbus_connection_get_unix_fd(connection, &sources[0].fd);
  while (dbus_connection_read_write(connection, 0)) {
    DBusMessage *call;
    GstMessage *message;
    while ((call = dbus_connection_pop_message(connection))) {
      handle_call(call, count - 3, arguments + 3);
      dbus_message_unref(call);
    }
    while ((message = gst_bus_pop(bus))) handle_bus_message(message);
    dbus_connection_flush(connection);
    poll(sources, 2, -1);
  }
  return 0;
}
