/* https://invisible-island.net/ncurses/man/curs_terminfo.3x.html: the functions of terminfo that are used, without linking it.
 *
 * The library is loaded by the first terminal that is shown, in 0.2 ms; no other command and no daemon needs it. Every Debian
 * system has it, because bash needs it. ncurses itself draws from the top of the whole terminal. notcurses needs terminfo and four
 * more libraries, waits for replies of the terminal at each start, and is not packaged in Debian 12 and 13. */
#pragma once
#include <curses.h>
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static inline void *cterminfo_symbol(const char *name) {
  static void *library = NULL;
  if (library == NULL) library = dlopen("libtinfo.so.6", RTLD_LAZY);
  /* Some systems have one library for all of ncurses. */
  if (library == NULL) library = dlopen("libncursesw.so.6", RTLD_LAZY);
  return library == NULL ? NULL : dlsym(library, name);
}

/* Reads the description of the terminal in TERM; 0 if there is none. */
static inline int cterminfo_read(void) {
  __typeof__(&setupterm) function = (__typeof__(&setupterm))cterminfo_symbol("setupterm");
  int result = 0;
  return function != NULL && function(NULL, STDOUT_FILENO, &result) == OK;
}

/* A string of the description that was read; NULL if the terminal lacks it. */
static inline const char *cterminfo_string(const char *name) {
  __typeof__(&tigetstr) function = (__typeof__(&tigetstr))cterminfo_symbol("tigetstr");
  const char *string = function == NULL ? NULL : function(name);
  return string == (const char *)-1 ? NULL : string;
}

/* The same with a number as its parameter. Swift cannot call tiparm, which is variadic. */
static inline const char *cterminfo_string_for(const char *name, int number) {
  const char *string = cterminfo_string(name);
  __typeof__(&tiparm) function = (__typeof__(&tiparm))cterminfo_symbol("tiparm");
  return string == NULL || function == NULL ? NULL : function(string, number);
}

/* The modes and the output that restore the terminal when a signal of a fault ends the process. */
struct cterminfo_crash {
  struct termios modes;
  size_t count;
  char bytes[256];
};

static inline struct cterminfo_crash *cterminfo_crash(void) {
  static struct cterminfo_crash crash;
  return &crash;
}

static inline void cterminfo_crashed(int number) {
  struct cterminfo_crash *crash = cterminfo_crash();
  if (crash->count > 0) {
    tcsetattr(STDIN_FILENO, TCSANOW, &crash->modes);
    ssize_t written = write(STDOUT_FILENO, crash->bytes, crash->count);
    (void)written;
  }
  /* The action of the signal is the default one again. */
  raise(number);
}

/* Restores the terminal when a fault ends the process; without bytes, it no longer does. */
static inline void cterminfo_restore_on_crash(const struct termios *modes, const void *bytes, size_t count) {
  struct cterminfo_crash *crash = cterminfo_crash();
  crash->count = 0;
  if (count == 0 || count > sizeof crash->bytes) return;
  crash->modes = *modes;
  memcpy(crash->bytes, bytes, count);
  crash->count = count;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = cterminfo_crashed;
  action.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaction(numbers[index], &action, NULL);
}
