/* Processes, sockets with descriptors, and memory descriptors: https://man7.org/linux/man-pages/
 * Swift does not import macros of control messages, or declarations that require _GNU_SOURCE. */
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <limits.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Creates a memory descriptor with MFD_CLOEXEC. */
static inline int clinux_create_memory(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U); }

/* A descriptor that becomes readable when a child has ended. */
static inline int clinux_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0U); }

/* The kernel kills the process when the thread that has started it ends. */
static inline void clinux_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

/* A prepared packet, sent when a signal ends the process: the name of the thread is written into it. */
struct clinux_crash {
  int socket;
  size_t count, offset;
  char bytes[256];
};

static inline struct clinux_crash *clinux_crash(void) {
  static struct clinux_crash crash;
  return &crash;
}

static inline void clinux_crashed(int number) {
  struct clinux_crash *crash = clinux_crash();
  char name[16] = {0};
  prctl(PR_GET_NAME, name, 0, 0, 0);
  for (int index = 0, ended = 0; index < 15; index++) {
    ended = ended || name[index] == 0;
    crash->bytes[crash->offset + index] = ended ? ' ' : name[index] < ' ' || name[index] > '~' ? '?' : name[index];
  }
  send(crash->socket, crash->bytes, crash->count, MSG_DONTWAIT | MSG_NOSIGNAL);
  /* The action of the signal is the default one again. */
  raise(number);
}

/* Sends a packet when a signal ends the process; at `offset`, it has 15 bytes for the name of the thread. Call it once. */
static inline void clinux_report_crashes(int socket, const void *bytes, size_t count, size_t offset) {
  struct clinux_crash *crash = clinux_crash();
  if (count > sizeof crash->bytes || offset + 15 > count) return;
  crash->socket = socket;
  crash->count = count;
  crash->offset = offset;
  memcpy(crash->bytes, bytes, count);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = clinux_crashed;
  action.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaction(numbers[index], &action, NULL);
}

static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/* Limits a resource to a value, or to the hard limit if that is less. */
static inline int clinux_limit(int resource, unsigned long value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max > value) limit.rlim_max = value;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

/* Lets this process use the CPU for so many seconds more; then the kernel ends it with SIGXCPU. */
static inline int clinux_allow_cpu_time(unsigned long seconds) {
  struct timespec used;
  struct rlimit limit;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return -1;
  rlim_t end = (rlim_t)used.tv_sec + 1 + seconds;
  limit.rlim_cur = end < limit.rlim_max ? end : limit.rlim_max;
  return setrlimit(RLIMIT_CPU, &limit);
}

/* Creates a pipe whose ends never block and are not inherited: the one for reading, and the one for writing. */
static inline int clinux_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK); }

/* Returns the largest size of this process's memory in KiB, which a child that it starts reports as its own. */
static inline long clinux_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : LONG_MAX;
}

/* Waits for a child that has ended; returns its status, and the largest size of its memory in KiB. */
static inline int clinux_reap(pid_t process, int *status, long *memory) {
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  pid_t result;
  do {
    result = wait4(process, status, 0, &usage);
  } while (result < 0 && errno == EINTR);
  *memory = usage.ru_maxrss;
  return result == process ? 0 : -1;
}

/* Sends a packet without waiting, with a descriptor unless that is negative. */
static inline ssize_t clinux_send(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  ssize_t result;
  do {
    result = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (result < 0 && errno == EINTR);
  return result;
}

/* Receives a packet without waiting, and its descriptor, or -1. A packet that is larger than the buffer, or has several
 * descriptors, is an error (EMSGSIZE); its descriptors are closed. */
static inline ssize_t clinux_receive(int socket, void *bytes, size_t count, int *descriptor) {
  union {
    char bytes[CMSG_SPACE(4 * sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct iovec part = {bytes, count};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  *descriptor = -1;
  ssize_t result;
  do {
    result = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return result;
  int received = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t size = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < size; index++) {
      int next;
      memcpy(&next, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      if (received++ == 0)
        *descriptor = next;
      else
        close(next);
    }
  }
  /* The kernel drops a descriptor if this process has too many: the packet arrives without it. */
  int cut = MSG_TRUNC | (received > 0 ? MSG_CTRUNC : 0);
  if (received > 1 || (message.msg_flags & cut)) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    errno = EMSGSIZE;
    return -1;
  }
  return result;
}

#endif
