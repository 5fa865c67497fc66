/* The floor: a reply to calls of the Player interface from constants, with libdbus alone, one thread and no audio.
 *
 * echo NAME: serves until it is killed. */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH "/org/mpris/MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define PROPERTIES "org.freedesktop.DBus.Properties"

static dbus_int64_t position;
static int track;

static void variant(DBusMessageIter *to, const char *signature, const void *value) {
  DBusMessageIter inner;
  dbus_message_iter_open_container(to, DBUS_TYPE_VARIANT, signature, &inner);
  dbus_message_iter_append_basic(&inner, signature[0], value);
  dbus_message_iter_close_container(to, &inner);
}

static void entry(DBusMessageIter *array, const char *key, const char *signature, const void *value) {
  DBusMessageIter item;
  dbus_message_iter_open_container(array, DBUS_TYPE_DICT_ENTRY, NULL, &item);
  dbus_message_iter_append_basic(&item, DBUS_TYPE_STRING, &key);
  variant(&item, signature, value);
  dbus_message_iter_close_container(array, &item);
}

static void metadata(DBusMessageIter *array) {
  const char *key = "Metadata", *title = "A Title", *album = "An Album", *url = "file:///tmp/some/folder/1.flac";
  char name[64];
  snprintf(name, sizeof name, "/org/playerd/track/%d", track);
  const char *id = name;
  dbus_int64_t length = 60000000;
  DBusMessageIter item, inner, entries;
  dbus_message_iter_open_container(array, DBUS_TYPE_DICT_ENTRY, NULL, &item);
  dbus_message_iter_append_basic(&item, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&item, DBUS_TYPE_VARIANT, "a{sv}", &inner);
  dbus_message_iter_open_container(&inner, DBUS_TYPE_ARRAY, "{sv}", &entries);
  entry(&entries, "mpris:trackid", "o", &id);
  entry(&entries, "mpris:length", "x", &length);
  entry(&entries, "xesam:title", "s", &title);
  entry(&entries, "xesam:album", "s", &album);
  entry(&entries, "xesam:url", "s", &url);
  dbus_message_iter_close_container(&inner, &entries);
  dbus_message_iter_close_container(&item, &inner);
  dbus_message_iter_close_container(array, &item);
}

static void all(DBusMessageIter *to) {
  const char *status = "Playing", *loop = "None";
  double one = 1, least = 0.25, most = 4;
  dbus_bool_t yes = TRUE, no = FALSE;
  DBusMessageIter array;
  dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "{sv}", &array);
  entry(&array, "PlaybackStatus", "s", &status);
  entry(&array, "LoopStatus", "s", &loop);
  entry(&array, "Rate", "d", &one);
  entry(&array, "Shuffle", "b", &no);
  metadata(&array);
  entry(&array, "Volume", "d", &one);
  entry(&array, "Position", "x", &position);
  entry(&array, "MinimumRate", "d", &least);
  entry(&array, "MaximumRate", "d", &most);
  entry(&array, "CanGoNext", "b", &yes);
  entry(&array, "CanGoPrevious", "b", &yes);
  entry(&array, "CanPlay", "b", &yes);
  entry(&array, "CanPause", "b", &yes);
  entry(&array, "CanSeek", "b", &yes);
  entry(&array, "CanControl", "b", &yes);
  dbus_message_iter_close_container(to, &array);
}

static void changed(DBusConnection *bus, const char *status) {
  DBusMessage *signal = dbus_message_new_signal(PATH, PROPERTIES, "PropertiesChanged");
  const char *interface = PLAYER;
  DBusMessageIter to, array, none;
  dbus_message_iter_init_append(signal, &to);
  dbus_message_iter_append_basic(&to, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_open_container(&to, DBUS_TYPE_ARRAY, "{sv}", &array);
  if (status) entry(&array, "PlaybackStatus", "s", &status);
  else metadata(&array);
  dbus_message_iter_close_container(&to, &array);
  dbus_message_iter_open_container(&to, DBUS_TYPE_ARRAY, "s", &none);
  dbus_message_iter_close_container(&to, &none);
  dbus_connection_send(bus, signal, NULL);
  dbus_message_unref(signal);
}

static void seeked(DBusConnection *bus) {
  DBusMessage *signal = dbus_message_new_signal(PATH, PLAYER, "Seeked");
  dbus_message_append_args(signal, DBUS_TYPE_INT64, &position, DBUS_TYPE_INVALID);
  dbus_connection_send(bus, signal, NULL);
  dbus_message_unref(signal);
}

static DBusHandlerResult handle(DBusConnection *bus, DBusMessage *call, void *unused) {
  (void)unused;
  if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  const char *member = dbus_message_get_member(call), *interface, *property;
  DBusMessage *reply = dbus_message_new_method_return(call);
  DBusMessageIter to;
  dbus_message_iter_init_append(reply, &to);
  if (!strcmp(member, "Get")) {
    if (dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID) &&
        !strcmp(property, "Position"))
      variant(&to, "x", &position);
  } else if (!strcmp(member, "GetAll")) all(&to);
  else if (!strcmp(member, "Pause")) changed(bus, "Paused");
  else if (!strcmp(member, "Play")) changed(bus, "Playing");
  else if (!strcmp(member, "Seek") || !strcmp(member, "SetPosition")) seeked(bus);
  else if (!strcmp(member, "Next")) {
    track++;
    changed(bus, NULL);
  }
  if (!dbus_message_get_no_reply(call)) dbus_connection_send(bus, reply, NULL);
  dbus_message_unref(reply);
  return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  DBusObjectPathVTable table = {.message_function = handle};
  if (!bus || !dbus_connection_register_object_path(bus, PATH, &table, NULL)) return 69;
  if (dbus_bus_request_name(bus, arguments[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) < 0) return 69;
  while (dbus_connection_read_write_dispatch(bus, -1)) {}
  return 0;
}
