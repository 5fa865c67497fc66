/* What Swift cannot import, of libdbus and for its event loop. Everything else is called as it is:
 * https://dbus.freedesktop.org/doc/api/html/ */
#ifndef CDBUS_SHIM_H
#define CDBUS_SHIM_H

#include <dbus/dbus.h>
/* Swift's module of glibc leaves these headers out. */
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>

/* DBUS_TYPE_* are macros of casts, which do not import; enumerators do. */
enum {
  CDBUS_TYPE_INVALID = DBUS_TYPE_INVALID,
  CDBUS_TYPE_BYTE = DBUS_TYPE_BYTE,
  CDBUS_TYPE_BOOLEAN = DBUS_TYPE_BOOLEAN,
  CDBUS_TYPE_INT16 = DBUS_TYPE_INT16,
  CDBUS_TYPE_UINT16 = DBUS_TYPE_UINT16,
  CDBUS_TYPE_INT32 = DBUS_TYPE_INT32,
  CDBUS_TYPE_UINT32 = DBUS_TYPE_UINT32,
  CDBUS_TYPE_INT64 = DBUS_TYPE_INT64,
  CDBUS_TYPE_UINT64 = DBUS_TYPE_UINT64,
  CDBUS_TYPE_DOUBLE = DBUS_TYPE_DOUBLE,
  CDBUS_TYPE_STRING = DBUS_TYPE_STRING,
  CDBUS_TYPE_OBJECT_PATH = DBUS_TYPE_OBJECT_PATH,
  CDBUS_TYPE_SIGNATURE = DBUS_TYPE_SIGNATURE,
  CDBUS_TYPE_ARRAY = DBUS_TYPE_ARRAY,
  CDBUS_TYPE_STRUCT = DBUS_TYPE_STRUCT,
  CDBUS_TYPE_DICT_ENTRY = DBUS_TYPE_DICT_ENTRY,
  CDBUS_TYPE_VARIANT = DBUS_TYPE_VARIANT,
  CDBUS_TYPE_UNIX_FD = DBUS_TYPE_UNIX_FD
};

/* prctl is variadic, and pthread_setname_np wants _GNU_SOURCE. Names the calling thread; the kernel keeps 15 bytes. */
static inline void cdbus_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
