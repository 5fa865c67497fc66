/* Extended attributes, which Glibc's module lacks: https://man7.org/linux/man-pages/man7/xattr.7.html */
#ifndef CLINUX_ATTRIBUTES_H
#define CLINUX_ATTRIBUTES_H

#include <sys/xattr.h>

#endif
