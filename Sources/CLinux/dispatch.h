/* The main queue of libdispatch, as CoreFoundation's run loop serves it; no public header declares these functions.
 * https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/private/queue_private.h */
#ifndef CLINUX_DISPATCH_H
#define CLINUX_DISPATCH_H

#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A descriptor of eventfd(2) that is readable while the queue has work; negative after dispatch_main(). */
extern int _dispatch_get_main_queue_handle_4CF(void);

/* Runs the work of the queue; on the main thread. */
extern void _dispatch_main_queue_callback_4CF(void *ignored);

/* Whether the caller is the main thread; gettid() requires _GNU_SOURCE. */
static inline bool clinux_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

#endif
