/* Calls of connect(2) that the kernel passes to another process: https://man7.org/linux/man-pages/man2/seccomp_unotify.2.html
 * Swift does not import the macros and the variadic ioctl(2), whose header would make this module the owner of its types. */
#ifndef CLINUX_CONNECTIONS_H
#define CLINUX_CONNECTIONS_H

#include <errno.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A call that a thread waits for. */
struct clinux_connection {
  uint64_t id;
  /* The ID of the thread. */
  int thread;
  /* The number of the socket in its process. */
  int socket;
  /* The address; its length is 0 if it is not readable or too long. */
  unsigned length;
  unsigned char address[128];
};

/* Receives the next call; -1 if there is none. */
static inline int clinux_receive_connection(int listener, struct clinux_connection *connection) {
  struct seccomp_notif call;
  memset(&call, 0, sizeof call);
  memset(connection, 0, sizeof *connection);
  if (syscall(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return -1;
  connection->id = call.id;
  connection->thread = (int)call.pid;
  connection->socket = (int)call.data.args[0];
  uint64_t length = call.data.args[2] & 0xFFFFFFFF;
  if (call.data.nr != SYS_connect || length == 0 || length > sizeof connection->address) return 0;
  struct {
    void *start;
    size_t length;
  } own = {connection->address, length}, other = {(void *)(uintptr_t)call.data.args[1], length};
  ssize_t count = syscall(SYS_process_vm_readv, call.pid, &own, 1UL, &other, 1UL, 0UL);
  /* The thread may have ended, and its number may be another one's. */
  if (syscall(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call.id) != 0) return -1;
  if (count == (ssize_t)length) connection->length = (unsigned)length;
  return 0;
}

/* Ends a call: with an error number, or 0; or lets the kernel carry it out. */
static inline int clinux_answer_connection(int listener, uint64_t id, int error, bool continues) {
  struct seccomp_notif_resp answer;
  memset(&answer, 0, sizeof answer);
  answer.id = id;
  answer.error = continues ? 0 : -error;
  answer.flags = continues ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
  return (int)syscall(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* Connects a socket to an address of so many bytes; returns an error number, or 0. */
static inline int clinux_connect(int socket, const void *address, unsigned length) {
  return connect(socket, (const struct sockaddr *)address, (socklen_t)length) == 0 ? 0 : errno;
}

/* The family of a socket; negative if it is none. */
static inline int clinux_socket_family(int socket) {
  int family = -1;
  socklen_t length = sizeof family;
  return getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0 ? family : -1;
}

/* Duplicates a descriptor of a process, with FD_CLOEXEC; negative if that is not allowed. */
static inline int clinux_take_descriptor(int process, int descriptor) {
  return (int)syscall(SYS_pidfd_getfd, process, descriptor, 0U);
}

/* Whether this process may read the memory of another one. */
static inline bool clinux_may_read(pid_t process) {
  char byte;
  struct {
    void *start;
    size_t length;
  } own = {&byte, 1}, other = {NULL, 1};
  /* There is nothing at the address 0. */
  return syscall(SYS_process_vm_readv, process, &own, 1UL, &other, 1UL, 0UL) < 0 && errno == EFAULT;
}

#endif
