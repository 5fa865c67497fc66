/* https://github.com/jiixyj/libebur128: the comments of ebur128.h are its reference. */
#include <ebur128.h>
