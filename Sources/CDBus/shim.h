/* libdbus, which Swift calls directly: https://dbus.freedesktop.org/doc/api/html/ */
#ifndef CDBUS_SHIM_H
#define CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif
