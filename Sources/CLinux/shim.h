/* The parts of glibc that Swift's Glibc module omits and the event loop needs: https://man7.org/linux/man-pages/ */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* M_ARENA_MAX is not in Swift's Glibc module. */
static inline void clinux_use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

/* Gives free memory back to the system; only glibc keeps much of it. */
static inline void clinux_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#ifndef __USE_GNU
struct dl_phdr_info {
  ElfW(Addr) dlpi_addr;
  const char *dlpi_name;
  const ElfW(Phdr) *dlpi_phdr;
  ElfW(Half) dlpi_phnum;
};
extern int dl_iterate_phdr(int (*)(struct dl_phdr_info *, size_t, void *), void *);
#endif

static inline int clinux_unmap_object(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  (void)data;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    start = (start + page - 1) / page * page;
    end = end / page * page;
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

/* Removes the code and the constants of the program and its libraries from the memory of the process. They stay in the cache
 * of files, from which the kernel maps them again when they are used. A breakpoint of a debugger is lost. */
static inline void clinux_unmap_code(void) { dl_iterate_phdr(clinux_unmap_object, NULL); }

/* Names the calling thread; the kernel keeps 15 bytes. Swift cannot import prctl, which is variadic;
 * pthread_setname_np requires _GNU_SOURCE. */
static inline void clinux_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
