/* Shared functions of the measurements: the clock, the bus and /proc. */
#pragma once
#include <dbus/dbus.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define PATH "/org/mpris/MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define PROPERTIES "org.freedesktop.DBus.Properties"

_Noreturn static inline void die(const char *text) {
  fprintf(stderr, "probe: %s\n", text);
  exit(70);
}

static inline double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int in_order(const void *left, const void *right) {
  double first = *(const double *)left, second = *(const double *)right;
  return (first > second) - (first < second);
}

/* Prints the median, the 99th percentile and the maximum. */
static inline void report(const char *key, double *values, int count, double scale) {
  qsort(values, (size_t)count, sizeof(double), in_order);
  printf("%s.p50 %.3f\n", key, values[count / 2] * scale);
  printf("%s.p99 %.3f\n", key, values[count * 99 / 100] * scale);
  printf("%s.max %.3f\n", key, values[count - 1] * scale);
}

/* MARK: The bus */

static inline DBusConnection *connect_bus(void) {
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  if (!bus) die("no session bus");
  return bus;
}

static inline DBusMessage *method(const char *name, const char *interface, const char *member) {
  return dbus_message_new_method_call(name, PATH, interface, member);
}

/* Sends a call and waits for its reply, which must not be an error. */
static inline DBusMessage *reply_to(DBusConnection *bus, DBusMessage *call) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 10000, &error);
  if (!reply) die(error.message);
  dbus_message_unref(call);
  return reply;
}

static inline pid_t owner_process(DBusConnection *bus, const char *name) {
  DBusMessage *call = dbus_message_new_method_call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID");
  dbus_message_append_args(call, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
  DBusMessage *reply = reply_to(bus, call);
  dbus_uint32_t process = 0;
  dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &process, DBUS_TYPE_INVALID);
  dbus_message_unref(reply);
  return (pid_t)process;
}

static inline void listen_to(DBusConnection *bus, const char *name) {
  char rule[256];
  snprintf(rule, sizeof rule, "type='signal',sender='%s',path='" PATH "'", name);
  dbus_bus_add_match(bus, rule, NULL);
}

static inline void watch_owner(DBusConnection *bus, const char *name) {
  char rule[256];
  snprintf(rule, sizeof rule, "type='signal',member='NameOwnerChanged',arg0='%s'", name);
  dbus_bus_add_match(bus, rule, NULL);
}

/* Reads and discards messages for some milliseconds. */
static inline void drain(DBusConnection *bus, int milliseconds) {
  double end = seconds() + milliseconds / 1e3;
  do {
    double left = end - seconds();
    dbus_connection_read_write(bus, left > 0 ? (int)(left * 1e3) : 0);
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(bus))) dbus_message_unref(message);
  } while (seconds() < end);
}

static inline int has_property(DBusMessage *message, const char *property) {
  DBusMessageIter arguments, array, entry;
  dbus_message_iter_init(message, &arguments);
  if (!dbus_message_iter_next(&arguments)) return 0;
  dbus_message_iter_recurse(&arguments, &array);
  for (; dbus_message_iter_get_arg_type(&array) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&array)) {
    const char *key;
    dbus_message_iter_recurse(&array, &entry);
    dbus_message_iter_get_basic(&entry, &key);
    if (!strcmp(key, property)) return 1;
  }
  return 0;
}

/* Waits for a signal, with the given property if one is given; returns 0 on time-out. */
static inline int await_signal(DBusConnection *bus, const char *member, const char *property, double limit) {
  double end = seconds() + limit;
  while (seconds() < end) {
    dbus_connection_read_write(bus, 100);
    DBusMessage *message;
    int found = 0;
    while ((message = dbus_connection_pop_message(bus))) {
      if (dbus_message_has_member(message, member) && (!property || has_property(message, property))) found = 1;
      dbus_message_unref(message);
    }
    if (found) return 1;
  }
  return 0;
}

/* Waits until a watched name is owned. */
static inline int await_owner(DBusConnection *bus, double limit) {
  double end = seconds() + limit;
  while (seconds() < end) {
    dbus_connection_read_write(bus, 100);
    DBusMessage *message;
    int found = 0;
    while ((message = dbus_connection_pop_message(bus))) {
      const char *name, *old, *new;
      if (dbus_message_has_member(message, "NameOwnerChanged") &&
          dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &old, DBUS_TYPE_STRING, &new,
                                DBUS_TYPE_INVALID) &&
          *new)
        found = 1;
      dbus_message_unref(message);
    }
    if (found) return 1;
  }
  return 0;
}

/* MARK: Processes */

enum { most_threads = 256 };

struct usage {
  double cpu, memory;
  int threads;
  struct {
    int number;
    char name[16];
    long switches;
  } thread[most_threads];
};

static inline double cpu_seconds(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time)) die("no such process");
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns the number of a key in a file of /proc; 0 if the key is missing. */
static inline long number_in(const char *path, const char *key) {
  char line[256];
  long number = 0;
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file))
    if (!strncmp(line, key, strlen(key))) number = atol(line + strlen(key));
  fclose(file);
  return number;
}

/* Reads the name of a thread. */
static inline void read_name(const char *path, char name[16]) {
  FILE *file = fopen(path, "r");
  if (!file) return;
  if (!fgets(name, 16, file)) name[0] = 0;
  fclose(file);
  name[strcspn(name, "\n")] = 0;
  for (char *place = name; *place; place++)
    if (*place == ' ') *place = '_';
}

/* CPU seconds, memory in MB (its own and its share of shared memory), and the number of sleeps of each thread. */
static inline void read_usage(pid_t process, struct usage *usage) {
  char path[512];
  *usage = (struct usage){.cpu = cpu_seconds(process)};
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  if (!tasks) die("no such process");
  for (struct dirent *task; (task = readdir(tasks)) && usage->threads < most_threads;) {
    if (task->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/status", process, task->d_name);
    usage->thread[usage->threads].number = atoi(task->d_name);
    usage->thread[usage->threads].switches = number_in(path, "voluntary_ctxt_switches:");
    snprintf(path, sizeof path, "/proc/%d/task/%s/comm", process, task->d_name);
    read_name(path, usage->thread[usage->threads++].name);
  }
  closedir(tasks);
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
  usage->memory = (double)number_in(path, "Pss:") / 1024;
}

/* Returns the number of sleeps of a thread before the second reading; 0 if it is new. */
static inline long known_sleeps(const struct usage *before, int number) {
  for (int old = 0; old < before->threads; old++)
    if (before->thread[old].number == number) return before->thread[old].switches;
  return 0;
}

/* Returns the number of sleeps of all threads between two readings; a thread that ended was woken at least once. */
static inline long sleeps(const struct usage *before, const struct usage *after) {
  long sum = 0;
  for (int index = 0; index < after->threads; index++)
    sum += after->thread[index].switches - known_sleeps(before, after->thread[index].number);
  for (int old = 0; old < before->threads; old++) {
    int lives = 0;
    for (int index = 0; index < after->threads; index++) lives |= after->thread[index].number == before->thread[old].number;
    sum += !lives;
  }
  return sum;
}

/* Prints the wake-ups per second of the threads of each name, with spaces as underscores. */
static inline void report_threads(const struct usage *before, struct usage *after, double length) {
  for (int index = 0; index < after->threads; index++) {
    char name[16];
    memcpy(name, after->thread[index].name, sizeof name);
    if (!name[0]) continue;
    long sum = 0;
    for (int other = index; other < after->threads; other++) {
      if (strcmp(after->thread[other].name, name)) continue;
      sum += after->thread[other].switches - known_sleeps(before, after->thread[other].number);
      after->thread[other].name[0] = 0;
    }
    if (sum) printf("wakes.%s %.2f\n", name, (double)sum / length);
  }
}

/* Prints the memory in MB by the kind of mapping. */
static inline void report_mappings(pid_t process) {
  char path[64], line[512], program[512] = "";
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  ssize_t size = readlink(path, program, sizeof program - 1);
  if (size > 0) program[size] = 0;
  snprintf(path, sizeof path, "/proc/%d/smaps", process);
  FILE *file = fopen(path, "r");
  if (!file) die("no such process");
  enum { code, data, libraries, heap, other, kinds };
  const char *name[kinds] = {"code", "data", "libraries", "heap", "other"};
  double sum[kinds] = {0};
  int kind = other;
  while (fgets(line, sizeof line, file)) {
    char access[8], mapped[512] = "";
    if (sscanf(line, "%*x-%*x %7s %*x %*s %*d %511[^\n]", access, mapped) >= 1) {
      kind = !strcmp(mapped, program) ? (strchr(access, 'x') ? code : data)
             : strstr(mapped, ".so")  ? libraries
             : !mapped[0] || !strcmp(mapped, "[heap]") ? heap
                                                       : other;
    } else if (!strncmp(line, "Pss:", 4)) {
      sum[kind] += (double)atol(line + 4) / 1024;
    }
  }
  fclose(file);
  for (int index = 0; index < kinds; index++) printf("pss.%s %.2f\n", name[index], sum[index]);
}
