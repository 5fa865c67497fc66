/* Memory that processes share: https://man7.org/linux/man-pages/man2/memfd_create.2.html
 * Swift does not import the functions and constants that require _GNU_SOURCE, or atomic access to an address. */
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The constants of fcntl(2), which require _GNU_SOURCE. */
enum {
  CLINUX_ADD_SEALS = 1033,
  CLINUX_GET_SEALS = 1034,
  /* F_SEAL_SEAL, F_SEAL_SHRINK and F_SEAL_GROW. */
  CLINUX_SIZE_SEALS = 1 | 2 | 4
};

/* Access to a word, in one order for all threads and processes: if two of them each write a word and then read the word
 * of the other, at least one of them reads the other's new value. */
static inline uint64_t clinux_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static inline void clinux_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

static inline uint64_t clinux_exchange(uint64_t *word, uint64_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

/* Creates a memory descriptor with MFD_CLOEXEC and MFD_ALLOW_SEALING. */
static inline int clinux_create_sealable_memory(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 1U | 2U);
}

/* Creates a memory descriptor whose size never changes. */
static inline int clinux_create_sealed_memory(const char *name, size_t size) {
  int descriptor = clinux_create_sealable_memory(name);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, (off_t)size) == 0 && fcntl(descriptor, CLINUX_ADD_SEALS, CLINUX_SIZE_SEALS) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

/* Whether the size of the memory descriptor can never change. */
static inline bool clinux_has_size_seals(int descriptor) {
  int seals = fcntl(descriptor, CLINUX_GET_SEALS);
  return seals >= 0 && (seals & CLINUX_SIZE_SEALS) == CLINUX_SIZE_SEALS;
}

/* Maps a memory descriptor, or private memory if it is negative; null if it fails. */
static inline void *clinux_map(int descriptor, size_t size) {
  int flags = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, descriptor < 0 ? -1 : descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

#endif
