/* The measuring program: a D-Bus client on libdbus, and a reader of /proc. Results are lines `key value` on stdout.
 *
 * probe calls COUNT quiet|seek|hang NAME…   time and CPU of Get and GetAll, with alternating names
 * probe flight COUNT NAME…                  calls per second with 32 outstanding, with alternating names
 * probe latency ROUNDS SETTLE NAME          from a command to its signal; SETTLE in ms
 * probe boundaries COUNT PENDING NAME       from the crossing of a boundary to its signal, during playback
 * probe lyrics COUNT NAME                   from the start of a line of the lyrics to its signal, during playback
 * probe line SECONDS start|seek|resume NAME  how far Position is from a straight line, 300 ms after the event
 * probe add ROUNDS URI NAME                 AddTrack after the current track: the reply, and CPU until all signals
 * probe playing ROUNDS COUNT NAME PROGRAM…  from exec to playback, and to COUNT tracks in the queue
 * probe start ROUNDS NAME PROGRAM… [-- NAME PROGRAM…]  from exec to the name, and to the first reply, alternating
 * probe activate ROUNDS NAME…               from StartServiceByName to its reply, with alternating names
 * probe open ROUNDS NAME URI…               from OpenUri of each URI in turn, while stopped, to Playing
 * probe jump ROUNDS NAME                    from Next and SetPosition to Metadata and Seeked; all tracks are new
 * probe answers NAME                        whether the name replies to GetAll
 * probe get NAME                            whether the name replies to Get
 * probe send NAME MEMBER                    one call of the Player interface
 * probe load SECONDS PID                    CPU, wake-ups and memory of a process and its descendants
 * probe wav FILE SECONDS [LEVEL [LEVEL]]    a music-like signal to encode; the levels of its halves are 0…1 */
#define _GNU_SOURCE
#include "probe.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static DBusMessage *get_all(const char *name) {
  DBusMessage *call = method(name, PROPERTIES, "GetAll");
  const char *interface = PLAYER;
  dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_INVALID);
  return call;
}

/* MARK: Calls */

/* Starts a server that accepts connections and never replies. */
static void open_hanging(DBusConnection *bus, const char *name) {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (server < 0 || bind(server, (struct sockaddr *)&address, size) || listen(server, 8)) die("no socket");
  getsockname(server, (struct sockaddr *)&address, &size);
  char uri[64];
  snprintf(uri, sizeof uri, "http://127.0.0.1:%d/silent.flac", ntohs(address.sin_port));
  const char *text = uri;
  DBusMessage *call = method(name, PLAYER, "OpenUri");
  dbus_message_append_args(call, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
  dbus_message_unref(reply_to(bus, call));
}

static void seek(DBusConnection *bus, const char *name, dbus_int64_t offset) {
  DBusMessage *call = method(name, PLAYER, "Seek");
  dbus_message_append_args(call, DBUS_TYPE_INT64, &offset, DBUS_TYPE_INVALID);
  dbus_message_set_no_reply(call, TRUE);
  dbus_connection_send(bus, call, NULL);
  dbus_message_unref(call);
}

enum { batch = 50 };

static int calls(int total, const char *disturbance, int names, char **name) {
  DBusConnection *bus = connect_bus();
  const char *kind[] = {"get", "getall"};
  struct series {
    double *times, cpu;
    int count;
  } series[2][8] = {0};
  if (names > 8) return 64;
  for (int one = 0; one < 2; one++)
    for (int index = 0; index < names; index++) series[one][index].times = calloc((size_t)total + batch, sizeof(double));
  if (!strcmp(disturbance, "hang")) open_hanging(bus, name[0]);
  for (int done = 0; done < total; done += batch)
    for (int index = 0; index < names; index++)
      for (int one = 0; one < 2; one++) {
        struct series *into = &series[one][index];
        pid_t process = owner_process(bus, name[index]);
        double cpu = cpu_seconds(process);
        for (int number = 0; number < batch; number++) {
          if (!strcmp(disturbance, "seek") && number % 5 == 0) seek(bus, name[index], number % 2 ? 3000000 : -3000000);
          DBusMessage *call = one ? get_all(name[index]) : get(name[index]);
          double start = seconds();
          dbus_message_unref(reply_to(bus, call));
          into->times[into->count++] = seconds() - start;
        }
        into->cpu += cpu_seconds(process) - cpu;
      }
  for (int index = 0; index < names; index++)
    for (int one = 0; one < 2; one++) {
      struct series *of = &series[one][index];
      char key[64];
      snprintf(key, sizeof key, "%d.%s", index, kind[one]);
      report(key, of->times, of->count, 1e6);
      printf("%s.cpu %.2f\n", key, of->cpu / of->count * 1e6);
    }
  return 0;
}

static int flight(int total, int names, char **name) {
  DBusConnection *bus = connect_bus();
  enum { depth = 32, rounds = 5 };
  for (int index = 0; index < names; index++) {
    double rates[rounds];
    for (int round = 0; round < rounds; round++) {
      double start = seconds();
      int sent = 0, answered = 0;
      while (answered < total) {
        while (sent < total && sent - answered < depth) {
          DBusMessage *call = get(name[index]);
          dbus_connection_send(bus, call, NULL);
          dbus_message_unref(call);
          sent++;
        }
        if (!dbus_connection_read_write(bus, 5000)) die("the bus is gone");
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus))) {
          if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN) answered++;
          dbus_message_unref(message);
        }
      }
      rates[round] = total / (seconds() - start);
    }
    char key[64];
    snprintf(key, sizeof key, "%d.rate", index);
    report(key, rates, rounds, 1);
  }
  return 0;
}

/* MARK: Latencies */

static int latency(int rounds, int settle, const char *name) {
  DBusConnection *bus = connect_bus();
  listen_to(bus, name);
  const struct {
    const char *key, *member, *signal, *property;
  } steps[] = {
      {"pause", "Pause", "PropertiesChanged", "PlaybackStatus"},
      {"play", "Play", "PropertiesChanged", "PlaybackStatus"},
      {"seek", "Seek", "Seeked", NULL},
      {"next", "Next", "PropertiesChanged", "Metadata"},
  };
  enum { count = sizeof steps / sizeof steps[0] };
  double *times[count];
  for (int step = 0; step < count; step++) times[step] = calloc((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++)
    for (int step = 0; step < count; step++) {
      drain(bus, settle);
      DBusMessage *call = method(name, PLAYER, steps[step].member);
      dbus_int64_t offset = 2000000;
      if (step == 2) dbus_message_append_args(call, DBUS_TYPE_INT64, &offset, DBUS_TYPE_INVALID);
      double start = seconds();
      dbus_connection_send(bus, call, NULL);
      dbus_connection_flush(bus);
      if (!await_signal(bus, steps[step].signal, steps[step].property, 3)) die(steps[step].key);
      times[step][round] = seconds() - start;
      dbus_message_unref(call);
    }
  for (int step = 0; step < count; step++) report(steps[step].key, times[step], rounds, 1e3);
  return 0;
}

/* Sends a call and returns the seconds until its signal. */
static double until_signal(DBusConnection *bus, DBusMessage *call, const char *member, const char *property) {
  drain(bus, 60);
  double begin = seconds();
  dbus_connection_send(bus, call, NULL);
  dbus_connection_flush(bus);
  if (!await_signal(bus, member, property, 5)) die(member);
  dbus_message_unref(call);
  return seconds() - begin;
}

static int open_uris(int rounds, const char *name, int count, char **uri) {
  DBusConnection *bus = connect_bus();
  listen_to(bus, name);
  double *times = calloc((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++) {
    dbus_message_unref(reply_to(bus, method(name, PLAYER, "Stop")));
    drain(bus, 200);
    DBusMessage *call = method(name, PLAYER, "OpenUri");
    dbus_message_append_args(call, DBUS_TYPE_STRING, &uri[round % count], DBUS_TYPE_INVALID);
    times[round] = until_signal(bus, call, "PropertiesChanged", "PlaybackStatus");
    drain(bus, 300);
  }
  report("open", times, rounds, 1e3);
  return 0;
}

/* MARK: Monitor1 */

#define MONITOR "org.playerd.Monitor1"

static DBusMessage *own(const char *name, const char *interface, const char *member) {
  return dbus_message_new_method_call(name, "/org/playerd", interface, member);
}

/* Returns a property of a non-standard interface; the reply owns its memory. */
static DBusMessage *property(DBusConnection *bus, DBusMessage *call, const char *interface, const char *property,
                             DBusMessageIter *value) {
  DBusMessageIter arguments;
  dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
  DBusMessage *reply = reply_to(bus, call);
  dbus_message_iter_init(reply, &arguments);
  dbus_message_iter_recurse(&arguments, value);
  return reply;
}

/* Waits for a BoundaryReached; returns the time since its crossing, in seconds. */
static double crossed(DBusConnection *bus) {
  double end = seconds() + 20;
  while (seconds() < end) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(bus))) {
      double now = seconds();
      dbus_uint32_t observer;
      const char *track;
      dbus_int64_t boundary, place, instant;
      int found = dbus_message_has_member(message, "BoundaryReached") &&
                  dbus_message_get_args(message, NULL, DBUS_TYPE_UINT32, &observer, DBUS_TYPE_OBJECT_PATH, &track,
                                        DBUS_TYPE_INT64, &boundary, DBUS_TYPE_INT64, &place, DBUS_TYPE_INT64, &instant,
                                        DBUS_TYPE_INVALID);
      dbus_message_unref(message);
      if (found) return now - (double)instant / 1e6;
    }
    dbus_connection_read_write(bus, 1000);
  }
  die("no boundary");
}

static int boundaries(int count, int pending, const char *name) {
  DBusConnection *bus = connect_bus();
  double *late = calloc((size_t)count, sizeof(double));
  seek(bus, name, -3600000000);
  drain(bus, 1000);
  for (int done = 0; done < count; done += pending) {
    dbus_int64_t *times = calloc((size_t)pending, sizeof *times), from = position_of(bus, name);
    /* With a thousand pending, they are 4 ms apart. */
    for (int number = 0; number < pending; number++) times[number] = from + 20000 + 4000 * number;
    DBusMessage *call = own(name, MONITOR, "AddBoundaryTimeObserver");
    dbus_message_append_args(call, DBUS_TYPE_ARRAY, DBUS_TYPE_INT64, &times, pending, DBUS_TYPE_INVALID);
    DBusMessage *reply = reply_to(bus, call);
    dbus_uint32_t observer;
    dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &observer, DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
    for (int number = 0; number < pending && done + number < count; number++) late[done + number] = crossed(bus);
    call = own(name, MONITOR, "RemoveTimeObserver");
    dbus_message_append_args(call, DBUS_TYPE_UINT32, &observer, DBUS_TYPE_INVALID);
    dbus_message_unref(reply_to(bus, call));
    free(times);
  }
  report("wire", late, count, 1e3);
  return 0;
}

/* Prints the time from the start of each line of the lyrics, by the position anchor, to its LyricsLine. */
static int lyrics(int count, const char *name) {
  DBusConnection *bus = connect_bus();
  double *late = calloc((size_t)count, sizeof(double));
  dbus_message_unref(reply_to(bus, own(name, MONITOR, "AddLyricsObserver")));
  double end = seconds() + 120;
  for (int done = 0; done < count && seconds() < end;) {
    DBusMessage *message;
    dbus_connection_read_write(bus, 1000);
    while (done < count && (message = dbus_connection_pop_message(bus))) {
      double now = seconds();
      dbus_int64_t from, to;
      const char *text;
      if (dbus_message_has_member(message, "LyricsLine") &&
          dbus_message_get_args(message, NULL, DBUS_TYPE_INT64, &from, DBUS_TYPE_INT64, &to, DBUS_TYPE_STRING, &text,
                                DBUS_TYPE_INVALID)) {
        DBusMessageIter value, anchor;
        DBusMessage *reply = property(bus, own(name, PROPERTIES, "Get"), MONITOR, "PositionAnchor", &value);
        dbus_int64_t place, instant;
        double rate;
        dbus_message_iter_recurse(&value, &anchor);
        dbus_message_iter_get_basic(&anchor, &place);
        dbus_message_iter_next(&anchor);
        dbus_message_iter_get_basic(&anchor, &instant);
        dbus_message_iter_next(&anchor);
        dbus_message_iter_get_basic(&anchor, &rate);
        dbus_message_unref(reply);
        late[done++] = now - ((double)instant + (double)(from - place) / rate) / 1e6;
      }
      dbus_message_unref(message);
    }
  }
  if (!late[count - 1]) die("no line of the lyrics");
  report("lyrics", late, count, 1e3);
  return 0;
}

static int jump(int rounds, const char *name) {
  DBusConnection *bus = connect_bus();
  listen_to(bus, name);
  double *next = calloc((size_t)rounds, sizeof(double)), *seeked = calloc((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++) {
    next[round] = until_signal(bus, method(name, PLAYER, "Next"), "PropertiesChanged", "Metadata");
    drain(bus, 400);
    char *track = current_track(bus, name);
    dbus_int64_t position = 10000000 + round * 1000000;
    DBusMessage *call = method(name, PLAYER, "SetPosition");
    dbus_message_append_args(call, DBUS_TYPE_OBJECT_PATH, &track, DBUS_TYPE_INT64, &position, DBUS_TYPE_INVALID);
    seeked[round] = until_signal(bus, call, "Seeked", NULL);
    free(track);
    drain(bus, 200);
  }
  report("next", next, rounds, 1e3);
  report("seeked", seeked, rounds, 1e3);
  return 0;
}

/* Causes the event and waits until Position advances after it. */
static void begin_line(DBusConnection *bus, const char *event, const char *name) {
  if (!strcmp(event, "resume")) {
    dbus_message_unref(reply_to(bus, method(name, PLAYER, "Pause")));
    drain(bus, 1000);
  }
  dbus_int64_t before = position_of(bus, name);
  if (!strcmp(event, "seek")) seek(bus, name, 10000000), before += 10000000;
  if (!strcmp(event, "resume")) dbus_message_unref(reply_to(bus, method(name, PLAYER, "Play")));
  double end = seconds() + 10;
  while (position_of(bus, name) <= before) {
    if (seconds() > end) die("Position does not advance");
    drain(bus, 5);
  }
}

/* Reads Position every 10 ms, and compares the readings with the line of the least squares. */
static int line(double duration, const char *event, const char *name) {
  DBusConnection *bus = connect_bus();
  int count = 0, most = (int)(duration * 100);
  double *time = calloc((size_t)most, sizeof(double)), *place = calloc((size_t)most, sizeof(double));
  begin_line(bus, event, name);
  drain(bus, 300);
  double begin = seconds(), mean_time = 0, mean_place = 0;
  while (count < most && seconds() < begin + 2 * duration) {
    double sent = seconds();
    dbus_int64_t reading = position_of(bus, name);
    double received = seconds();
    /* The instant of a reading with a longer round trip is uncertain. */
    if (received - sent < 1e-3) {
      time[count] = (sent + received) / 2 - begin;
      place[count++] = (double)reading / 1e6;
    }
    usleep(10000);
  }
  if (count < most / 2) die("the machine is too busy");
  for (int index = 0; index < count; index++) mean_time += time[index] / count, mean_place += place[index] / count;
  double products = 0, squares = 0, deviation = 0;
  for (int index = 0; index < count; index++) {
    products += (time[index] - mean_time) * (place[index] - mean_place);
    squares += (time[index] - mean_time) * (time[index] - mean_time);
  }
  for (int index = 0; index < count; index++) {
    double off = place[index] - mean_place - products / squares * (time[index] - mean_time);
    deviation = fmax(deviation, fabs(off));
  }
  printf("deviation %.3f\nslope %.4f\n", deviation * 1e3, fabs(products / squares - 1) * 100);
  return 0;
}

/* MARK: The queue */

static int add(int rounds, const char *uri, const char *name) {
  DBusConnection *bus = connect_bus();
  double *answered = calloc((size_t)rounds, sizeof(double));
  const char *after = "/org/mpris/MediaPlayer2/TrackList/NoTrack";
  dbus_bool_t current = FALSE;
  pid_t process = owner_process(bus, name);
  double cpu = 0;
  for (int round = 0; round < rounds; round++) {
    double before = family_seconds(process), begin = seconds();
    DBusMessage *call = method(name, "org.mpris.MediaPlayer2.TrackList", "AddTrack");
    dbus_message_append_args(call, DBUS_TYPE_STRING, &uri, DBUS_TYPE_OBJECT_PATH, &after, DBUS_TYPE_BOOLEAN, &current,
                             DBUS_TYPE_INVALID);
    dbus_message_unref(reply_to(bus, call));
    answered[round] = seconds() - begin;
    /* Changes of the list are signalled four times a second. */
    drain(bus, 300);
    cpu += family_seconds(process) - before;
  }
  report("answered", answered, rounds, 1e3);
  printf("cpu %.3f\n", cpu / rounds * 1e3);
  return 0;
}

/* Whether playback advances. */
static int sounds(DBusConnection *bus, const char *name) {
  DBusMessageIter value;
  const char *status;
  DBusMessage *reply = property(bus, own(name, PROPERTIES, "Get"), MONITOR, "TimeControlStatus", &value);
  dbus_message_iter_get_basic(&value, &status);
  int result = !strcmp(status, "playing");
  dbus_message_unref(reply);
  return result;
}

static int tracks(DBusConnection *bus, const char *name) {
  DBusMessageIter value;
  dbus_uint32_t count;
  DBusMessage *reply = property(bus, own(name, PROPERTIES, "Get"), "org.playerd.Control1", "QueueCount", &value);
  dbus_message_iter_get_basic(&value, &count);
  dbus_message_unref(reply);
  return (int)count;
}

/* Starts the program and returns when the watched name is owned. */
static pid_t launch(DBusConnection *bus, char **program, double *begin) {
  drain(bus, 20);
  *begin = seconds();
  pid_t child = fork();
  if (child == 0) {
    execv(program[0], program);
    _exit(127);
  }
  if (!await_owner(bus, 10)) die("the name is not owned");
  return child;
}

static int playing(int rounds, int wanted, const char *name, char **program) {
  DBusConnection *bus = connect_bus();
  watch_owner(bus, name);
  double *sounding = calloc((size_t)rounds, sizeof(double)), *whole = calloc((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++) {
    double begin;
    pid_t child = launch(bus, program, &begin);
    while (!sounding[round] || !whole[round]) {
      if (seconds() - begin > 20) die("playback has not started");
      if (!sounding[round] && sounds(bus, name)) sounding[round] = seconds() - begin;
      if (!whole[round] && tracks(bus, name) >= wanted) whole[round] = seconds() - begin;
      usleep(500);
    }
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
  }
  report("playing", sounding, rounds, 1e3);
  report("whole", whole, rounds, 1e3);
  return 0;
}

/* Ends a process that this one has started, or another one, and waits until it does not exist. */
static void end_process(pid_t process) {
  kill(process, SIGTERM);
  for (double signalled = seconds(); waitpid(process, NULL, WNOHANG) <= 0 && parent_of(process); usleep(2000))
    if (seconds() - signalled > 2) kill(process, SIGKILL);
}

/* Measures one start. */
static void start_once(DBusConnection *bus, const char *name, char **program, double *owned, double *answered) {
  double begin;
  pid_t child = launch(bus, program, &begin);
  *owned = seconds() - begin;
  DBusMessage *reply = NULL;
  while (!reply && seconds() - begin < 10) {
    DBusMessage *call = get_all(name);
    reply = dbus_connection_send_with_reply_and_block(bus, call, 5000, NULL);
    dbus_message_unref(call);
  }
  if (!reply) die("no reply");
  dbus_message_unref(reply);
  *answered = seconds() - begin;
  end_process(child);
}

static int start(int rounds, char **arguments) {
  DBusConnection *bus = connect_bus();
  char **program[most_programs];
  double *owned[most_programs], *answered[most_programs];
  int count = split(arguments, program);
  for (int index = 0; index < count; index++) {
    watch_owner(bus, program[index][0]);
    owned[index] = calloc((size_t)rounds, sizeof(double));
    answered[index] = calloc((size_t)rounds, sizeof(double));
  }
  for (int round = 0; round < rounds; round++)
    for (int index = 0; index < count; index++)
      start_once(bus, program[index][0], program[index] + 1, &owned[index][round], &answered[index][round]);
  for (int index = 0; index < count; index++) {
    char key[32];
    snprintf(key, sizeof key, "%d.owned", index);
    report(key, owned[index], rounds, 1e3);
    snprintf(key, sizeof key, "%d.answered", index);
    report(key, answered[index], rounds, 1e3);
  }
  return 0;
}

static int activate(int rounds, int names, char **name) {
  DBusConnection *bus = connect_bus();
  double *times[most_programs];
  if (names > most_programs) return 64;
  for (int index = 0; index < names; index++) {
    watch_owner(bus, name[index]);
    times[index] = calloc((size_t)rounds, sizeof(double));
  }
  for (int round = 0; round < rounds; round++)
    for (int index = 0; index < names; index++) {
      DBusMessage *call = dbus_message_new_method_call(
          "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName");
      dbus_uint32_t flags = 0;
      dbus_message_append_args(call, DBUS_TYPE_STRING, &name[index], DBUS_TYPE_UINT32, &flags, DBUS_TYPE_INVALID);
      drain(bus, 20);
      double begin = seconds();
      dbus_message_unref(reply_to(bus, call));
      times[index][round] = seconds() - begin;
      end_process(owner_process(bus, name[index]));
    }
  for (int index = 0; index < names; index++) {
    char key[32];
    snprintf(key, sizeof key, "%d.activated", index);
    report(key, times[index], rounds, 1e3);
  }
  return 0;
}

/* MARK: Processes */

static int load(double duration, pid_t process) {
  struct usage before, after;
  double start = seconds();
  read_usage(process, &before);
  usleep((useconds_t)(duration * 1e6));
  double length = seconds() - start;
  read_usage(process, &after);
  printf("cpu %.2f\n", (after.cpu - before.cpu) / length * 1e3);
  printf("wakes %.2f\n", (double)sleeps(&before, &after) / length);
  printf("pss %.1f\n", after.memory);
  report_threads(&before, &after, length);
  report_mappings(process);
  return 0;
}

/* Writes three voices and noise, so that an encoder has work; the same for every run. The second half has another level. */
static int wav(const char *path, int length, double level, double second_level) {
  FILE *file = fopen(path, "wb");
  if (!file) die(path);
  uint32_t rate = 44100, frames = rate * (uint32_t)length, bytes = frames * 4, noise = 1;
  uint32_t head[11] = {0x46464952, 36 + bytes, 0x45564157, 0x20746d66, 16, 0x00020001, rate, rate * 4,
                       0x00100004, 0x61746164, bytes};
  fwrite(head, sizeof head, 1, file);
  for (uint32_t frame = 0; frame < frames; frame++) {
    double time = frame / (double)rate;
    int16_t pair[2];
    for (int side = 0; side < 2; side++) {
      noise = noise * 1664525 + 1013904223;
      double voices = sin(1382 * time) + sin((1740 + 30 * side) * time) * sin(3 * time) + sin(5520 * time) * 0.3;
      double sample = 6000 * voices + (noise >> 16) / 40.0 - 800;
      pair[side] = (int16_t)(sample * (frame < frames / 2 ? level : second_level));
    }
    fwrite(pair, sizeof pair, 1, file);
  }
  return fclose(file) ? 74 : 0;
}

int main(int count, char **argument) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const char *task = count > 1 ? argument[1] : "";
  if (!strcmp(task, "calls") && count > 4) return calls(atoi(argument[2]), argument[3], count - 4, argument + 4);
  if (!strcmp(task, "flight") && count > 3) return flight(atoi(argument[2]), count - 3, argument + 3);
  if (!strcmp(task, "latency") && count == 5) return latency(atoi(argument[2]), atoi(argument[3]), argument[4]);
  if (!strcmp(task, "boundaries") && count == 5) return boundaries(atoi(argument[2]), atoi(argument[3]), argument[4]);
  if (!strcmp(task, "lyrics") && count == 4) return lyrics(atoi(argument[2]), argument[3]);
  if (!strcmp(task, "line") && count == 5) return line(atof(argument[2]), argument[3], argument[4]);
  if (!strcmp(task, "add") && count == 5) return add(atoi(argument[2]), argument[3], argument[4]);
  if (!strcmp(task, "playing") && count > 5)
    return playing(atoi(argument[2]), atoi(argument[3]), argument[4], argument + 5);
  if (!strcmp(task, "start") && count > 4) return start(atoi(argument[2]), argument + 3);
  if (!strcmp(task, "activate") && count > 3) return activate(atoi(argument[2]), count - 3, argument + 3);
  if (!strcmp(task, "open") && count > 4) return open_uris(atoi(argument[2]), argument[3], count - 4, argument + 4);
  if (!strcmp(task, "jump") && count == 4) return jump(atoi(argument[2]), argument[3]);
  if (!strcmp(task, "answers") && count == 3) {
    dbus_message_unref(reply_to(connect_bus(), get_all(argument[2])));
    return 0;
  }
  if (!strcmp(task, "get") && count == 3) {
    dbus_message_unref(reply_to(connect_bus(), get(argument[2])));
    return 0;
  }
  if (!strcmp(task, "send") && count == 4) {
    dbus_message_unref(reply_to(connect_bus(), method(argument[2], PLAYER, argument[3])));
    return 0;
  }
  if (!strcmp(task, "load") && count == 4) return load(atof(argument[2]), (pid_t)atoi(argument[3]));
  if (!strcmp(task, "wav") && count >= 4) {
    double level = count > 4 ? atof(argument[4]) : 1;
    return wav(argument[2], atoi(argument[3]), level, count > 5 ? atof(argument[5]) : level);
  }
  die("probe calls|flight|latency|boundaries|line|add|playing|start|activate|open|jump|send|load|wav");
}
