/*
 * The double as a libEGL.so.1: every function that gpuprof takes from there goes to the real library, whose path stands in
 * DOUBLE_EGL; eglGetProcAddress gives the double's functions first.
 */
#define _GNU_SOURCE
#include "double.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *double_lookup(const char *name);
void *double_real(const char *name);

/* Ends the process: nothing here can be tested without the real library. */
static void give_up(const char *what) {
  fprintf(stderr, "the EGL double: %s\n", what);
  abort();
}

static void *egl_function(const char *name) {
  static void *library;
  if (!library) {
    const char *path = getenv("DOUBLE_EGL");
    if (!path) give_up("DOUBLE_EGL is not set to the path of the real libEGL.so.1");
    library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library) give_up(dlerror());
  }
  void *found = dlsym(library, name);
  if (!found) give_up(dlerror());
  return found;
}

typedef intptr_t word;

/* The real GL function of this name, or null. */
void *double_real(const char *name) {
  static void *(*get_proc_address)(const char *);
  if (!get_proc_address) get_proc_address = (void *(*)(const char *))egl_function("eglGetProcAddress");
  return get_proc_address(name);
}

EXPORT void *eglGetProcAddress(const char *name) {
  if (double_is("MISSING", name)) return NULL;
  void *own = double_lookup(name);
  return own ? own : double_real(name);
}

/* All arguments and results are words or narrower: one shape a number of arguments serves. */
#define FORWARD0(name) \
  EXPORT word name(void) { return ((word(*)(void))egl_function(#name))(); }
#define FORWARD1(name) \
  EXPORT word name(word a) { return ((word(*)(word))egl_function(#name))(a); }
#define FORWARD2(name) \
  EXPORT word name(word a, word b) { return ((word(*)(word, word))egl_function(#name))(a, b); }
#define FORWARD3(name) \
  EXPORT word name(word a, word b, word c) { return ((word(*)(word, word, word))egl_function(#name))(a, b, c); }
#define FORWARD4(name)                                                                 \
  EXPORT word name(word a, word b, word c, word d) {                                   \
    return ((word(*)(word, word, word, word))egl_function(#name))(a, b, c, d);         \
  }
#define FORWARD5(name)                                                                   \
  EXPORT word name(word a, word b, word c, word d, word e) {                             \
    return ((word(*)(word, word, word, word, word))egl_function(#name))(a, b, c, d, e);  \
  }

FORWARD2(eglQueryString)
FORWARD0(eglGetCurrentDisplay)
FORWARD3(eglGetPlatformDisplay)
FORWARD3(eglInitialize)
FORWARD1(eglBindAPI)
FORWARD4(eglCreateContext)
FORWARD4(eglMakeCurrent)
FORWARD2(eglDestroyContext)
FORWARD5(eglChooseConfig)
