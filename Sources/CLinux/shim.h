/* The parts of glibc that Swift's Glibc module omits and the event loop needs: https://man7.org/linux/man-pages/ */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>

/* M_ARENA_MAX is not in Swift's Glibc module. */
static inline void clinux_use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

/* Gives free memory back to the system; only glibc keeps much of it. */
static inline void clinux_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/* Names the calling thread; the kernel keeps 15 bytes. Swift cannot import prctl, which is variadic;
 * pthread_setname_np requires _GNU_SOURCE. */
static inline void clinux_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
