/* Compiled for arm64 by scripts/arm64.sh: the declarations of the C modules, and the numbers that Swift's code contains. */
#define _GNU_SOURCE
#include "attributes.h"
#include "connections.h"
#include "dispatch.h"
#include "landlock.h"
#include "memory.h"
#include "process.h"
#include "shim.h"

#include <linux/audit.h>
#include <sched.h>
#include <sys/ioctl.h>

_Static_assert(SYS_landlock_create_ruleset == 444 && SYS_landlock_add_rule == 445 && SYS_landlock_restrict_self == 446, "Landlock");
_Static_assert(O_PATH == 010000000, "clinux_open_place");
_Static_assert(F_ADD_SEALS == CLINUX_ADD_SEALS && F_GET_SEALS == CLINUX_GET_SEALS, "seals");
/* SystemCallFilter.swift. */
_Static_assert(CLONE_THREAD == 0x10000, "clone");
_Static_assert(TIOCSTI == 0x5412 && TIOCLINUX == 0x541C, "ioctl");
_Static_assert(PR_SET_PDEATHSIG == 1 && PR_SET_DUMPABLE == 4, "prctl");
_Static_assert(F_SETLK == 6 && F_SETLKW == 7 && F_OFD_SETLK == 37 && F_OFD_SETLKW == 38, "locks");
_Static_assert(F_SETLEASE == 1024 && F_NOTIFY == 1026, "leases");

/* Atomic access to 64 bits needs no library. */
uint64_t access_word(uint64_t *word) {
  clinux_store(word, clinux_load(word) + 1);
  return clinux_exchange(word, 0);
}

int main(void) {
  uint64_t word = 0;
  return (int)access_word(&word);
}
