#ifndef CGST_SHIM_H
#define CGST_SHIM_H
#include <gst/gst.h>
#include <gst/audio/audio.h>
#include <gst/audio/streamvolume.h>
#endif
