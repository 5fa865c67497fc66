/* https://freedesktop.org/software/pulseaudio/doxygen/: the functions of libpulse that are used, without linking it.
 *
 * The library is found only if it is loaded, as the plug-in of `pulsesink` does; it and its dependencies would delay
 * each start. Without it, a function only returns NULL or 0. */
#pragma once
#include <dlfcn.h>
#include <pulse/pulseaudio.h>
#include <stddef.h>

static inline void *cpulse_symbol(const char *name) {
  void *library = dlopen("libpulse.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) return NULL;
  void *symbol = dlsym(library, name);
  /* The plug-in keeps it loaded: GStreamer never unloads plug-ins. */
  dlclose(library);
  return symbol;
}

/* Defines cpulse_NAME, which calls pa_NAME. */
#define CPULSE_FUNCTION(result, name, parameters, arguments) \
  static inline result cpulse_##name parameters { \
    __typeof__(&pa_##name) function = (__typeof__(&pa_##name))cpulse_symbol("pa_" #name); \
    return function != NULL ? function arguments : (result)0; \
  }

/* The same without a result. */
#define CPULSE_PROCEDURE(name, parameters, arguments) \
  static inline void cpulse_##name parameters { \
    __typeof__(&pa_##name) function = (__typeof__(&pa_##name))cpulse_symbol("pa_" #name); \
    if (function != NULL) function arguments; \
  }

/* The same for a function that starts an operation, which is not awaited; its callback has a fixed type. */
#define CPULSE_OPERATION(name, parameters, arguments) \
  static inline void cpulse_##name parameters { \
    __typeof__(&pa_##name) function = (__typeof__(&pa_##name))cpulse_symbol("pa_" #name); \
    pa_operation *operation = function != NULL ? function arguments : NULL; \
    __typeof__(&pa_operation_unref) release = (__typeof__(&pa_operation_unref))cpulse_symbol("pa_operation_unref"); \
    if (operation != NULL && release != NULL) release(operation); \
  }

CPULSE_FUNCTION(pa_threaded_mainloop *, threaded_mainloop_new, (void), ())
CPULSE_FUNCTION(int, threaded_mainloop_start, (pa_threaded_mainloop *loop), (loop))
CPULSE_PROCEDURE(threaded_mainloop_stop, (pa_threaded_mainloop *loop), (loop))
CPULSE_PROCEDURE(threaded_mainloop_free, (pa_threaded_mainloop *loop), (loop))
CPULSE_FUNCTION(pa_mainloop_api *, threaded_mainloop_get_api, (pa_threaded_mainloop *loop), (loop))
CPULSE_PROCEDURE(threaded_mainloop_set_name, (pa_threaded_mainloop *loop, const char *name), (loop, name))

CPULSE_FUNCTION(pa_context *, context_new, (pa_mainloop_api *api, const char *name), (api, name))
CPULSE_FUNCTION(pa_context_state_t, context_get_state, (const pa_context *context), (context))
CPULSE_PROCEDURE(context_disconnect, (pa_context *context), (context))
CPULSE_PROCEDURE(context_unref, (pa_context *context), (context))
CPULSE_PROCEDURE(context_set_state_callback,
                 (pa_context *context, pa_context_notify_cb_t callback, void *data), (context, callback, data))
CPULSE_PROCEDURE(context_set_subscribe_callback,
                 (pa_context *context, pa_context_subscribe_cb_t callback, void *data), (context, callback, data))

/* Connects to the default server, and starts none. */
static inline int cpulse_context_connect(pa_context *context) {
  __typeof__(&pa_context_connect) function = (__typeof__(&pa_context_connect))cpulse_symbol("pa_context_connect");
  return function != NULL ? function(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) : -1;
}

CPULSE_OPERATION(context_subscribe, (pa_context *context, pa_subscription_mask_t mask), (context, mask, NULL, NULL))
CPULSE_OPERATION(context_get_sink_info_list,
                 (pa_context *context, pa_sink_info_cb_t callback, void *data), (context, callback, data))
CPULSE_OPERATION(context_get_sink_info_by_index,
                 (pa_context *context, uint32_t index, pa_sink_info_cb_t callback, void *data),
                 (context, index, callback, data))
CPULSE_OPERATION(context_get_sink_input_info_list,
                 (pa_context *context, pa_sink_input_info_cb_t callback, void *data), (context, callback, data))
CPULSE_OPERATION(context_get_sink_input_info,
                 (pa_context *context, uint32_t index, pa_sink_input_info_cb_t callback, void *data),
                 (context, index, callback, data))

/* The volume of the loudest channel of a device, 1 for PA_VOLUME_NORM; 0 while it is muted. */
static inline double cpulse_sink_volume(const pa_sink_info *info) {
  pa_volume_t loudest = PA_VOLUME_MUTED;
  for (unsigned channel = 0; !info->mute && channel < info->volume.channels; channel++)
    if (info->volume.values[channel] > loudest) loudest = info->volume.values[channel];
  return (double)loudest / PA_VOLUME_NORM;
}

CPULSE_FUNCTION(const char *, proplist_gets, (const pa_proplist *list, const char *key), (list, key))
