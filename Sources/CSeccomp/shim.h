/* https://man7.org/linux/man-pages/man3/seccomp_init.3.html: SCMP_ACT_ERRNO is a macro with an argument. */
#include <seccomp.h>

static inline uint32_t cseccomp_fail(uint16_t error) { return SCMP_ACT_ERRNO(error); }
