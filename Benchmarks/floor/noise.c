/* Measures the place of what is heard, at the monitors of null sinks. Results are lines `key value`.
 *
 * noise wav FILE RATE FIRST FRAMES [SEED [LEVEL]]  frames of the noise, to encode
 * noise position NAME SINK RATE SECONDS [OFFSET]   Position − heard while the noise plays, in ms. The offset, the delay
 *                                                  of the recording, is the median unless it is given
 * noise events NAME SINK OTHER RATE COUNT OFFSET   the same after suspensions, pauses, moves to the other sink, and
 *                                                  pauses so long that the output is released, in turn
 * noise joins SINK RATE LENGTH… -- PROGRAM…        frames added (positive) or lost at the joins of parts of these
 *                                                  lengths, which the program plays
 * noise pair ROUNDS SINK RATE FILE FILE PROGRAM    two of the program, with a file of the seeds 1 and 2 and an instant
 *                                                  of CLOCK_MONOTONIC in ns; the frames between their starts */
#define _GNU_SOURCE
#include "recording.h"

#include <sys/wait.h>

static struct recording *recording[2];

static void end_recordings(void) {
  for (int index = 0; index < 2; index++)
    if (recording[index]) end_recording(recording[index]);
}

static void record(int index, const char *sink, int rate) {
  if (!index) atexit(end_recordings);
  recording[index] = record_sink(sink, rate);
}

static int wav(const char *path, uint32_t rate, size_t first, uint32_t frames, unsigned seed, double level) {
  FILE *file = fopen(path, "wb");
  if (!file) die(path);
  int16_t *noise = noise_of(first + frames, seed);
  uint32_t bytes = frames * 4, head[11] = {0x46464952, 36 + bytes, 0x45564157, 0x20746d66, 16, 0x00020001,
                                           rate,       rate * 4,   0x00100004, 0x61746164, bytes};
  fwrite(head, sizeof head, 1, file);
  for (uint32_t frame = 0; frame < frames; frame++) {
    int16_t sample = (int16_t)(noise[first + frame] * level), pair[2] = {sample, sample};
    fwrite(pair, sizeof pair, 1, file);
  }
  return fclose(file) ? 74 : 0;
}

/* MARK: The position */

enum { most_readings = 20000, window = 1024 };

struct reading {
  double time, position;
  int kind;
};

static struct reading reading[most_readings];
static int readings;

/* Of the readings at which the noise was heard: Position − heard in seconds, and the kind. */
static double difference[most_readings];
static int kind[most_readings];

/* Reads Position; a reading with a long round trip is not used, as its instant is uncertain. */
static void read_position(DBusConnection *bus, const char *name, int kind) {
  double sent = seconds();
  dbus_int64_t position = position_of(bus, name);
  double received = seconds();
  if (received - sent > 2e-3 || readings == most_readings) return;
  reading[readings++] = (struct reading){(sent + received) / 2, (double)position / 1e6, kind};
}

/* Compares each reading with what was heard; returns the number of differences. */
static int compare(int rate) {
  double latest = 0;
  for (int index = 0; index < readings; index++) latest = fmax(latest, reading[index].position);
  int64_t length = (int64_t)((latest + 5) * rate), last = 0;
  int16_t *noise = noise_of((size_t)length, 0);
  int count = 0;
  for (int index = 0; index < readings; index++) {
    int64_t expected = (int64_t)llround(reading[index].position * rate);
    for (int from = 0; from < 2 && recording[from]; from++) {
      double at = frame_at(recording[from], reading[index].time);
      if (at < 0) continue;
      int64_t frame = (int64_t)at, place = expected - last;
      double found = search_noise(recording[from], frame, &place, 48, noise, length, window);
      if (found < 0.9) {
        place = expected;
        found = search_noise(recording[from], frame, &place, 3 * rate, noise, length, window);
      }
      if (found < 0.9) continue;
      last = expected - place;
      kind[count] = reading[index].kind;
      difference[count++] = reading[index].position - ((double)place + at - (double)frame) / rate;
      break;
    }
  }
  free(noise);
  return count;
}

/* Prints the differences of a kind, or of all with -1, without the offset. */
static void report_kind(const char *key, int count, int wanted, double offset) {
  double *values = calloc((size_t)count + 1, sizeof(double));
  int number = 0;
  for (int index = 0; index < count; index++)
    if (wanted < 0 || kind[index] == wanted) values[number++] = fabs(difference[index] - offset);
  if (number) report(key, values, number, 1e3);
  printf("%s.count %d\n", key, number);
  free(values);
}

static int position(const char *name, const char *sink, int rate, double duration, const char *offset) {
  DBusConnection *bus = connect_bus();
  record(0, sink, rate);
  drain(bus, 1000);
  uint32_t number = 0;
  for (double begin = seconds(); seconds() - begin < duration;) {
    read_position(bus, name, 0);
    drain(bus, 80 + (white(number++) & 31));
  }
  drain(bus, 1000);
  int count = compare(rate);
  if (!readings || count < readings / 2) die("the noise is not heard");
  double *sorted = calloc((size_t)count, sizeof(double));
  memcpy(sorted, difference, (size_t)count * sizeof(double));
  qsort(sorted, (size_t)count, sizeof(double), in_order);
  double median = sorted[count / 2];
  printf("offset %.3f\n", median * 1e3);
  report_kind("off", count, -1, offset ? atof(offset) / 1e3 : median);
  return 0;
}

static void command(const char *format, const char *sink) {
  char line[256];
  snprintf(line, sizeof line, format, sink);
  if (system(line)) die(line);
}

static int events(const char *name, const char *sink, const char *other, int rate, int count, double offset) {
  enum { suspension, pause, move, restart, kinds_of_events };
  const char *key[] = {"suspension", "pause", "move", "restart"};
  DBusConnection *bus = connect_bus();
  record(0, sink, rate);
  record(1, other, rate);
  drain(bus, 1000);
  for (int event = 0; event < count; event++) {
    int now = event % kinds_of_events;
    const char *held;
    switch (now) {
    case suspension:
      command("pactl suspend-sink %s 1", sink);
      drain(bus, 400);
      command("pactl suspend-sink %s 0", sink);
      break;
    case move:
      held = sink, sink = other, other = held;
      command("pactl move-sink-input $(pactl list short sink-inputs | cut -f 1) %s", sink);
      break;
    default:
      dbus_message_unref(reply_to(bus, method(name, PLAYER, "Pause")));
      drain(bus, now == pause ? 400 : 6000);
      dbus_message_unref(reply_to(bus, method(name, PLAYER, "Play")));
      break;
    }
    for (double begin = seconds(); seconds() - begin < 0.8; drain(bus, 20)) read_position(bus, name, now);
  }
  drain(bus, 1000);
  int heard = compare(rate);
  if (!readings || heard < readings / 2) die("the noise is not heard");
  for (int index = 0; index < kinds_of_events; index++) report_kind(key[index], heard, index, offset / 1e3);
  report_kind("off", heard, -1, offset / 1e3);
  return 0;
}

/* MARK: Joins */

static pid_t spawn(char **program) {
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execv(program[0], program);
    _exit(127);
  }
  return child;
}

static void end_program(pid_t process) {
  kill(process, SIGTERM);
  waitpid(process, NULL, 0);
}

static int joins(const char *sink, int rate, char **arguments) {
  enum { most_parts = 16, span = 4096, edge = 1024 };
  char **part[most_programs];
  int64_t begin[most_parts + 1] = {0}, offset[most_parts][2], first = 0;
  int parts = 0;
  if (split(arguments, part) != 2) die("no program");
  for (; part[0][parts]; parts++) {
    if (parts == most_parts) die("too many parts");
    begin[parts + 1] = begin[parts] + atoll(part[0][parts]);
  }
  record(0, sink, rate);
  struct recording *from = recording[0];
  pid_t child = spawn(part[1]);
  for (double start = seconds(); seconds() - start < 10;) {
    while (first < (int64_t)from->frames && !from->frame[first][0]) first++;
    if (first < (int64_t)from->frames) break;
    usleep(10000);
  }
  for (double start = seconds(); (int64_t)from->frames < first + begin[parts] + rate / 4; usleep(10000))
    if (seconds() - start > (double)begin[parts] / rate + 10) die("nothing plays");
  end_program(child);
  int16_t *noise = noise_of((size_t)begin[parts], 0);
  double least = 1;
  int64_t late = first;
  for (int index = 0; index < parts; index++)
    for (int end = 0; end < 2; end++) {
      int64_t place = end ? begin[index + 1] - edge - span : begin[index] + edge, frame = place + late;
      least = fmin(least, search_recording(from, &frame, index || end ? 3000 : 3 * rate / 10, noise + place, span));
      offset[index][end] = late = frame - place;
    }
  printf("likeness %.3f\n", least);
  if (least < 0.5) die("the parts are not found");
  int64_t worst = 0, inside = 0;
  for (int index = 0; index < parts; index++) {
    int64_t at = index ? offset[index][0] - offset[index - 1][1] : 0, within = offset[index][1] - offset[index][0];
    if (llabs(at) > llabs(worst)) worst = at;
    if (llabs(within) > llabs(inside)) inside = within;
    if (index) printf("join.%d %lld\n", index, (long long)at);
  }
  printf("inside %lld\nworst %lld\n", (long long)inside, (long long)worst);
  return 0;
}

/* MARK: Two players */

static int pair(int rounds, const char *sink, int rate, char *first, char *second, char *program) {
  enum { span = 4096 };
  char *file[2] = {first, second}, instant[32];
  int16_t *noise[2] = {noise_of(2 * (size_t)rate, 1), noise_of(2 * (size_t)rate, 2)};
  double *apart = calloc((size_t)rounds, sizeof(double));
  record(0, sink, rate);
  for (int round = 0; round < rounds; round++) {
    double start = seconds() + 2.5;
    pid_t child[2];
    snprintf(instant, sizeof instant, "%.0f", start * 1e9);
    for (int index = 0; index < 2; index++) child[index] = spawn((char *[]){program, file[index], instant, NULL});
    usleep(4000000);
    for (int index = 0; index < 2; index++) end_program(child[index]);
    int64_t found[2];
    for (int index = 0; index < 2; index++) {
      found[index] = (int64_t)frame_at(recording[0], start) + rate / 10;
      if (search_recording(recording[0], &found[index], rate / 4, noise[index] + rate / 10, span) < 0.4)
        die("a player is not heard at the instant");
    }
    apart[round] = (double)llabs(found[1] - found[0]);
    usleep(500000);
  }
  report("apart", apart, rounds, 1);
  return 0;
}

int main(int count, char **argument) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const char *task = count > 1 ? argument[1] : "";
  char **of = argument + 2;
  if (!strcmp(task, "wav") && count >= 6)
    return wav(of[0], (uint32_t)atoi(of[1]), (size_t)atoll(of[2]), (uint32_t)atoi(of[3]),
               count > 6 ? (unsigned)atoi(of[4]) : 0, count > 7 ? atof(of[5]) : 1);
  if (!strcmp(task, "position") && count >= 6)
    return position(of[0], of[1], atoi(of[2]), atof(of[3]), count > 6 ? of[4] : NULL);
  if (!strcmp(task, "events") && count == 8) return events(of[0], of[1], of[2], atoi(of[3]), atoi(of[4]), atof(of[5]));
  if (!strcmp(task, "joins") && count > 6) return joins(of[0], atoi(of[1]), of + 2);
  if (!strcmp(task, "pair") && count == 8) return pair(atoi(of[0]), of[1], atoi(of[2]), of[3], of[4], of[5]);
  die("noise wav|position|events|joins|pair");
}
