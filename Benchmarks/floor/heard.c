/* Measures when a change is audible, at the monitor of the sound server's default sink. Results are lines `key value`.
 *
 * heard start ROUNDS PROGRAM… [-- PROGRAM…]  from exec to the first sound, alternating; the program is killed after each round
 * heard next ROUNDS NAME        from Next to the sound of the next track
 * heard seek ROUNDS NAME        from SetPosition to the sound at that position
 * heard kill ROUNDS NAME        from SIGKILL of the engine to the sound, and the error of the position; of a file that becomes
 *                               loud after 30 s
 *
 * Tracks alternate between a quiet and a loud sound, and so do the two positions. The delay of the recording, a few
 * milliseconds, is part of each figure. */
#define _GNU_SOURCE
#include "probe.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum level { silent, quiet, loud };

/* The recorder, its output, and the number of consecutive samples below the limit of a level. */
static pid_t recorder;
static int sound;
static unsigned below_loud, below_quiet;

/* The samples of 5 ms: at this distance, a loud sound has a peak. */
enum { window = 220, loud_peak = 4000, quiet_peak = 150 };

static void stop_recorder(void) { kill(recorder, SIGKILL); }

static void record(void) {
  int pair[2];
  if (pipe2(pair, O_CLOEXEC)) die("pipe");
  recorder = fork();
  if (recorder == 0) {
    dup2(pair[1], STDOUT_FILENO);
    execlp("parec", "parec", "--raw", "--format=s16le", "--rate=44100", "--channels=1", "--latency-msec=5",
           "--device=@DEFAULT_MONITOR@", NULL);
    _exit(127);
  }
  atexit(stop_recorder);
  close(pair[1]);
  sound = pair[0];
}

/* Reads what has been recorded; returns the level that is heard now. */
static enum level listen_once(void) {
  struct pollfd waiting = {.fd = sound, .events = POLLIN};
  if (poll(&waiting, 1, 5000) != 1) die("nothing is recorded");
  int16_t samples[512];
  ssize_t size = read(sound, samples, sizeof samples);
  if (size <= 0) die("the recorder has ended");
  for (ssize_t index = 0; index < size / 2; index++) {
    int peak = abs(samples[index]);
    below_loud = peak >= loud_peak ? 0 : below_loud + 1;
    below_quiet = peak >= quiet_peak ? 0 : below_quiet + 1;
  }
  return below_loud < window ? loud : below_quiet < window ? quiet : silent;
}

/* Reads until the level is heard for a time, or, with `time` 0, at once; returns the instant. */
static double await_level(enum level level, int other_than, double time) {
  double begin = seconds(), since = begin;
  for (;;) {
    enum level heard = listen_once();
    double now = seconds();
    if (other_than ? heard == level || heard == silent : heard != level) since = now;
    else if (now - since >= time) return now;
    if (now - begin > 10) die("the expected sound is not heard");
  }
}

static double start_once(char **program) {
  await_level(silent, 0, 0.3);
  double begin = seconds();
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execvp(program[0], program);
    _exit(127);
  }
  double audible = await_level(silent, 1, 0) - begin;
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return audible;
}

static int start(int rounds, char **arguments) {
  char **program[most_programs];
  double *audible[most_programs];
  int count = split(arguments, program);
  for (int index = 0; index < count; index++) audible[index] = calloc((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++)
    for (int index = 0; index < count; index++) audible[index][round] = start_once(program[index]);
  for (int index = 0; index < count; index++) {
    char key[32];
    snprintf(key, sizeof key, "%d.start", index);
    report(key, audible[index], rounds, 1e3);
  }
  return 0;
}

static void set_position(DBusConnection *bus, const char *name, const char *track, dbus_int64_t position) {
  DBusMessage *call = method(name, PLAYER, "SetPosition");
  dbus_message_append_args(call, DBUS_TYPE_OBJECT_PATH, &track, DBUS_TYPE_INT64, &position, DBUS_TYPE_INVALID);
  dbus_message_unref(reply_to(bus, call));
}

/* The sound becomes loud at a known position, from which the position of the first sound follows. */
static int kill_engine(int rounds, const char *name) {
  DBusConnection *bus = connect_bus();
  double *audible = calloc((size_t)rounds, sizeof(double)), *error = calloc((size_t)rounds, sizeof(double));
  char *track = current_track(bus, name);
  pid_t daemon = owner_process(bus, name);
  for (int round = 0; round < rounds; round++) {
    set_position(bus, name, track, 27500000);
    /* An item during which the engine has ended twice fails, unless it has played for some time between. */
    await_level(quiet, 0, 1);
    pid_t member[most_processes], engine = 0;
    for (int count = family(daemon, member), index = 1; index < count; index++) engine = member[index];
    if (!engine) die("the daemon has no engine");
    double position = (double)position_of(bus, name) / 1e6, killed = seconds();
    kill(engine, SIGKILL);
    await_level(silent, 0, 0);
    double resumed = await_level(silent, 1, 0), turn = await_level(loud, 0, 0);
    audible[round] = resumed - killed;
    error[round] = fabs(30 - (turn - resumed) - position);
  }
  report("kill", audible, rounds, 1e3);
  report("position", error, rounds, 1e3);
  return 0;
}

/* Sends the command of each round, and measures until another level is heard. */
static int jump(const char *key, int rounds, const char *name) {
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  if (!bus) die("no session bus");
  int is_seek = !strcmp(key, "seek");
  char *track = is_seek ? current_track(bus, name) : NULL;
  double *audible = calloc((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++) {
    // Both positions are in the middle of their sound.
    dbus_int64_t position = round % 2 ? 15000000 : 45000000;
    double begin = seconds();
    while (seconds() - begin < 1) listen_once();
    enum level before = listen_once();
    if (before == silent) die("nothing plays");
    DBusMessage *call = method(name, PLAYER, is_seek ? "SetPosition" : "Next");
    if (is_seek)
      dbus_message_append_args(call, DBUS_TYPE_OBJECT_PATH, &track, DBUS_TYPE_INT64, &position, DBUS_TYPE_INVALID);
    begin = seconds();
    dbus_connection_send(bus, call, NULL);
    dbus_connection_flush(bus);
    dbus_message_unref(call);
    audible[round] = await_level(before, 1, 0) - begin;
  }
  free(track);
  report(key, audible, rounds, 1e3);
  return 0;
}

int main(int count, char **argument) {
  const char *task = count > 1 ? argument[1] : "";
  if (count < 4) die("heard start|next|seek|kill ROUNDS …");
  record();
  if (!strcmp(task, "start")) return start(atoi(argument[2]), argument + 3);
  if (!strcmp(task, "kill") && count == 4) return kill_engine(atoi(argument[2]), argument[3]);
  if ((!strcmp(task, "next") || !strcmp(task, "seek")) && count == 4) return jump(task, atoi(argument[2]), argument[3]);
  die("heard start|next|seek|kill ROUNDS …");
}
