/* https://github.com/jiixyj/libebur128: the comments of ebur128.h are its reference. */
#ifndef CEBUR128_SHIM_H
#define CEBUR128_SHIM_H

#include <ebur128.h>

/* The modes are an enumeration of flags, whose combination Swift cannot express. */
static inline ebur128_state *cebur128_new(unsigned channels, unsigned long rate) {
  return ebur128_init(channels, rate, EBUR128_MODE_M | EBUR128_MODE_SAMPLE_PEAK);
}

/* The enumeration of the results is called `error`. The other functions of a state succeed in the modes above. */
static inline int cebur128_set_dual_mono(ebur128_state *state) {
  return ebur128_set_channel(state, 0, EBUR128_DUAL_MONO) == EBUR128_SUCCESS;
}

#endif
