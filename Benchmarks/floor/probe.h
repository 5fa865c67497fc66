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

/* Prints the minimum, the median, the 99th percentile and the maximum. */
static inline void report(const char *key, double *values, int count, double scale) {
  qsort(values, (size_t)count, sizeof(double), in_order);
  printf("%s.min %.3f\n", key, values[0] * scale);
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

/* A call that does not start the program of the name. */
static inline DBusMessage *method(const char *name, const char *interface, const char *member) {
  DBusMessage *call = dbus_message_new_method_call(name, PATH, interface, member);
  dbus_message_set_auto_start(call, FALSE);
  return call;
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

/* Returns the current track, whose path the caller frees. */
static inline char *current_track(DBusConnection *bus, const char *name) {
  const char *interface = PLAYER, *key = "Metadata", *path = NULL;
  DBusMessage *call = method(name, PROPERTIES, "Get");
  dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID);
  DBusMessage *reply = reply_to(bus, call);
  DBusMessageIter value, array, entry, variant;
  dbus_message_iter_init(reply, &value);
  dbus_message_iter_recurse(&value, &array);
  dbus_message_iter_recurse(&array, &variant);
  for (; dbus_message_iter_get_arg_type(&variant) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&variant)) {
    dbus_message_iter_recurse(&variant, &entry);
    dbus_message_iter_get_basic(&entry, &key);
    if (strcmp(key, "mpris:trackid")) continue;
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &array);
    dbus_message_iter_get_basic(&array, &path);
    break;
  }
  if (!path) die("there is no current track");
  char *copy = strdup(path);
  dbus_message_unref(reply);
  return copy;
}

static inline DBusMessage *get(const char *name) {
  DBusMessage *call = method(name, PROPERTIES, "Get");
  const char *interface = PLAYER, *property = "Position";
  dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
  return call;
}

static inline dbus_int64_t position_of(DBusConnection *bus, const char *name) {
  DBusMessage *reply = reply_to(bus, get(name));
  DBusMessageIter arguments, value;
  dbus_int64_t position;
  dbus_message_iter_init(reply, &arguments);
  dbus_message_iter_recurse(&arguments, &value);
  dbus_message_iter_get_basic(&value, &position);
  dbus_message_unref(reply);
  return position;
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

enum { most_programs = 4 };

/* Splits arguments at `--`; returns the number of the parts. */
static inline int split(char **arguments, char **part[most_programs]) {
  int count = 0;
  part[count++] = arguments;
  for (; *arguments; arguments++)
    if (!strcmp(*arguments, "--") && count < most_programs) {
      *arguments = NULL;
      part[count++] = arguments + 1;
    }
  return count;
}

/* MARK: Processes */

enum { most_threads = 256, most_processes = 64 };

/* Returns the parent of a process; 0 if it has ended. */
static inline pid_t parent_of(pid_t process) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  /* The name in parentheses may contain spaces. */
  char *end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
  int parent = 0;
  char state;
  if (!end || sscanf(end + 1, " %c %d", &state, &parent) != 2 || state == 'Z') parent = 0;
  fclose(file);
  return parent;
}

/* Lists a process and its descendants, such as the engine of a daemon; returns their number. */
static inline int family(pid_t process, pid_t member[most_processes]) {
  int count = 1;
  member[0] = process;
  for (int next = 0; next < count; next++) {
    DIR *all = opendir("/proc");
    if (!all) die("no /proc");
    for (struct dirent *entry; (entry = readdir(all)) && count < most_processes;) {
      pid_t other = (pid_t)atoi(entry->d_name);
      if (other > 0 && parent_of(other) == member[next]) member[count++] = other;
    }
    closedir(all);
  }
  return count;
}

struct usage {
  double cpu, memory;
  int threads;
  struct {
    int number;
    char name[16];
    long switches;
  } thread[most_threads];
};

/* Returns the CPU seconds of a process; 0 if it has ended. */
static inline double cpu_seconds(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time)) return 0;
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

/* Adds the CPU seconds, the memory in MB (its own and its share of shared memory) and the threads of a process. */
static inline void add_usage(pid_t process, struct usage *usage) {
  char path[512];
  usage->cpu += cpu_seconds(process);
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  // A child may end between the list and its turn.
  if (!tasks) return;
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
  usage->memory += (double)number_in(path, "Pss:") / 1024;
}

/* Reads the usage of a process and its descendants. */
static inline void read_usage(pid_t process, struct usage *usage) {
  pid_t member[most_processes];
  *usage = (struct usage){0};
  for (int count = family(process, member), index = 0; index < count; index++) add_usage(member[index], usage);
}

/* The CPU seconds of a process and its descendants. */
static inline double family_seconds(pid_t process) {
  pid_t member[most_processes];
  double sum = 0;
  for (int count = family(process, member), index = 0; index < count; index++) sum += cpu_seconds(member[index]);
  return sum;
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

enum { code, data, libraries, heap, other, kinds };

/* Adds the memory in MB by the kind of mapping. */
static inline void add_mappings(pid_t process, double sum[kinds]) {
  char path[64], line[512], program[512] = "";
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  ssize_t size = readlink(path, program, sizeof program - 1);
  if (size > 0) program[size] = 0;
  snprintf(path, sizeof path, "/proc/%d/smaps", process);
  FILE *file = fopen(path, "r");
  if (!file) return;
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
}

/* Prints the memory of a process and its descendants in MB by the kind of mapping. */
static inline void report_mappings(pid_t process) {
  const char *name[kinds] = {"code", "data", "libraries", "heap", "other"};
  double sum[kinds] = {0};
  pid_t member[most_processes];
  for (int count = family(process, member), index = 0; index < count; index++) add_mappings(member[index], sum);
  for (int index = 0; index < kinds; index++) printf("pss.%s %.2f\n", name[index], sum[index]);
}
