/* Gives a program in Valgrind, which does not know pidfd_open, a descriptor that is readable when a child has ended. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
  id_t process;
  int end;
};

static void *wait_for_end(void *argument) {
  struct child *child = argument;
  siginfo_t information;
  while (waitid(P_PID, child->process, &information, WEXITED | WNOWAIT) == -1 && errno == EINTR) {}
  close(child->end);
  free(child);
  return NULL;
}

long syscall(long number, ...) {
  long values[6];
  va_list arguments;
  va_start(arguments, number);
  for (int index = 0; index < 6; index++) values[index] = va_arg(arguments, long);
  va_end(arguments);
  if (number != SYS_pidfd_open) {
    long (*other)(long, ...) = (long (*)(long, ...))(uintptr_t)dlsym(RTLD_NEXT, "syscall");
    return other(number, values[0], values[1], values[2], values[3], values[4], values[5]);
  }
  int ends[2];
  pthread_t thread;
  struct child *child = malloc(sizeof *child);
  if (child == NULL || pipe2(ends, O_CLOEXEC) != 0) return -1;
  *child = (struct child){(id_t)values[0], ends[1]};
  if (pthread_create(&thread, NULL, wait_for_end, child) != 0) return -1;
  pthread_detach(thread);
  return ends[0];
}
