/* Landlock: https://docs.kernel.org/userspace-api/landlock.html
 * linux/landlock.h of Debian 12 describes version 2 of the interface; the fields of later versions are declared here. */
#ifndef CLINUX_LANDLOCK_H
#define CLINUX_LANDLOCK_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct clinux_landlock_ruleset {
  uint64_t files;   /* handled_access_fs */
  uint64_t network; /* handled_access_net, version 4 */
  uint64_t scopes;  /* scoped, version 6 */
};

/* O_PATH requires _GNU_SOURCE: a descriptor that only identifies a file, which need not be readable. */
static inline int clinux_open_place(const char *path) { return open(path, 010000000 /* O_PATH */ | O_CLOEXEC); }

/* The version of the interface; negative if the kernel lacks Landlock or has disabled it. */
static inline int clinux_landlock_version(void) { return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1U); }

static inline int clinux_landlock_create(const struct clinux_landlock_ruleset *ruleset) {
  return (int)syscall(SYS_landlock_create_ruleset, ruleset, sizeof *ruleset, 0U);
}

/* Allows access to a file, or to a folder and everything below it. */
static inline int clinux_landlock_allow(int ruleset, int path, uint64_t access) {
  struct {
    uint64_t access;
    int32_t path;
  } __attribute__((packed)) rule = {access, path};
  return (int)syscall(SYS_landlock_add_rule, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0U);
}

static inline int clinux_landlock_restrict(int ruleset, unsigned flags) {
  return (int)syscall(SYS_landlock_restrict_self, ruleset, flags);
}

/* Keeps this process and its children from gaining rights by executing a program. */
static inline int clinux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

#endif
