/* A noise that tells its place, and a recording of a sink in which that place is found by correlation. */
#pragma once
#include "probe.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

/* MARK: The noise */

static inline int white(uint32_t number) {
  number = (number ^ number >> 16) * 0x7feb352d;
  number = (number ^ number >> 15) * 0x846ca68b;
  return (int)((number ^ number >> 16) >> 16) - 32768;
}

/* Returns the first frames of a noise without high frequencies, which every encoder keeps; the same for every run. */
static inline int16_t *noise_of(size_t frames, unsigned seed) {
  int16_t *noise = calloc(frames, sizeof *noise);
  if (!noise) die("no memory");
  for (size_t frame = 0; frame < frames; frame++) {
    int sum = 0;
    for (unsigned tap = 0; tap < 8; tap++) sum += white((uint32_t)frame + tap + seed * 0x9e3779b9) / 8;
    noise[frame] = (int16_t)(sum < -32767 ? -32767 : sum > 32767 ? 32767 : sum);
  }
  return noise;
}

/* MARK: The recording */

/* The longest recording in seconds, and the most pieces in which it arrives. */
enum { longest = 900, most_pieces = 1 << 20 };

struct recording {
  pid_t process;
  int pipe, rate;
  /* Both channels, which are equal. */
  int16_t (*frame)[2];
  /* The time at which each piece arrived, and the number of frames by then. */
  struct piece {
    double time;
    size_t frames;
  } *piece;
  _Atomic size_t frames, pieces;
};

static inline void *read_recording(void *argument) {
  struct recording *recording = argument;
  size_t bytes = 0, most = (size_t)longest * (size_t)recording->rate * sizeof *recording->frame;
  while (bytes < most && recording->pieces < most_pieces) {
    size_t room = most - bytes < 65536 ? most - bytes : 65536;
    ssize_t size = read(recording->pipe, (char *)recording->frame + bytes, room);
    if (size <= 0) break;
    bytes += (size_t)size;
    recording->piece[recording->pieces] = (struct piece){seconds(), bytes / sizeof *recording->frame};
    recording->pieces++;
    recording->frames = bytes / sizeof *recording->frame;
  }
  return NULL;
}

/* Starts to record the monitor of a sink, and returns when the first piece has arrived. */
static inline struct recording *record_sink(const char *sink, int rate) {
  struct recording *recording = calloc(1, sizeof *recording);
  int ends[2];
  char device[64], frequency[32];
  snprintf(device, sizeof device, "--device=%s.monitor", sink);
  snprintf(frequency, sizeof frequency, "--rate=%d", rate);
  if (pipe2(ends, O_CLOEXEC)) die("pipe");
  recording->process = fork();
  if (recording->process == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execlp("parec", "parec", "--raw", "--format=s16le", "--channels=2", "--latency-msec=10", frequency, device, NULL);
    _exit(127);
  }
  close(ends[1]);
  recording->pipe = ends[0];
  recording->rate = rate;
  recording->frame = calloc((size_t)longest * (size_t)rate, sizeof *recording->frame);
  recording->piece = calloc(most_pieces, sizeof *recording->piece);
  pthread_t thread;
  if (!recording->frame || !recording->piece) die("no memory");
  if (pthread_create(&thread, NULL, read_recording, recording)) die("no thread");
  pthread_detach(thread);
  for (double begin = seconds(); !recording->frames; usleep(5000))
    if (seconds() - begin > 5) die("nothing is recorded");
  return recording;
}

static inline void end_recording(struct recording *recording) { kill(recording->process, SIGKILL); }

/* Returns the number of the frame that arrived at a time; -1 if the sink was suspended then.
 *
 * The delay of the recording is the least one of the pieces around that time that arrived without an interruption. */
static inline double frame_at(const struct recording *recording, double time) {
  const double around = 5, interruption = 0.15;
  const struct piece *piece = recording->piece;
  size_t low = 0, high = recording->pieces, count = high;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (piece[middle].time < time) low = middle + 1;
    else high = middle;
  }
  if (low == count) return -1;
  size_t first = low, last = low;
  while (first > 0 && time - piece[first].time < around && piece[first].time - piece[first - 1].time < interruption)
    first--;
  while (last + 1 < count && piece[last].time - time < around && piece[last + 1].time - piece[last].time < interruption)
    last++;
  double start = 1e18;
  for (size_t index = first; index <= last; index++)
    start = fmin(start, piece[index].time - (double)piece[index].frames / recording->rate);
  double frame = (time - start) * recording->rate;
  return frame < (double)piece[first].frames ? -1 : frame;
}

/* MARK: Correlation */

/* The correlation of frames of a recording with a noise, -1 to 1. */
static inline double likeness(const struct recording *recording, size_t frame, const int16_t *noise, size_t window) {
  int64_t products = 0, left = 0, right = 0;
  for (size_t index = 0; index < window; index++) {
    int32_t heard = recording->frame[frame + index][0], source = noise[index];
    products += heard * source, left += heard * heard, right += source * source;
  }
  return left && right ? (double)products / sqrt((double)left * (double)right) : 0;
}

/* Searches in a recording, up to a distance from a frame, for a window of the noise; returns the likeness. */
static inline double search_recording(const struct recording *recording, int64_t *frame, int64_t distance,
                                      const int16_t *noise, int64_t window) {
  double best = 0;
  int64_t centre = *frame, last = (int64_t)recording->frames - window;
  for (int64_t place = centre - distance; place <= centre + distance; place++) {
    if (place < 0 || place > last) continue;
    double found = likeness(recording, (size_t)place, noise, (size_t)window);
    if (found > best) best = found, *frame = place;
  }
  return best;
}

/* Searches in a noise, up to a distance from a place, for a window of the recording; returns the likeness. */
static inline double search_noise(const struct recording *recording, int64_t frame, int64_t *place, int64_t distance,
                                  const int16_t *noise, int64_t length, int64_t window) {
  double best = 0;
  int64_t centre = *place;
  if (frame < 0 || frame + window > (int64_t)recording->frames || !recording->frame[frame][0]) return 0;
  for (int64_t at = centre - distance; at <= centre + distance; at++) {
    if (at < 0 || at > length - window) continue;
    double found = likeness(recording, (size_t)frame, noise + at, (size_t)window);
    if (found > best) best = found, *place = at;
  }
  return best;
}
