/* A test double: GL extensions implemented on top of any EGL context. */
#ifndef GPUPROF_DOUBLE_H
#define GPUPROF_DOUBLE_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef unsigned int GLenum;
typedef unsigned int GLuint;
typedef int GLint;
typedef int GLsizei;
typedef unsigned char GLboolean;
typedef unsigned char GLubyte;

#define GL_INVALID_ENUM 0x0500
#define GL_INVALID_VALUE 0x0501
#define GL_INVALID_OPERATION 0x0502
#define GL_OUT_OF_MEMORY 0x0505

struct double_function {
  const char *name;
  void *function;
};

/* One extension. It registers itself from a constructor; each of its functions is offered under its name. */
struct double_extension {
  /* As in GL_EXTENSIONS. */
  const char *name;
  /* The word that switches it on in EXTENSIONS. */
  const char *word;
  /* Ends with a null name. */
  const struct double_function *functions;
  /* Answers glGetIntegerv and glGetBooleanv; returns 0 for a name that is not its own. May be null. */
  int (*get_integer)(GLenum name, GLint *value);
  /* Forgets all objects, tables and counts. */
  void (*reset)(void);
  struct double_extension *next;
};

void double_register(struct double_extension *extension);

/* What the program has done on all contexts since the start. */
struct double_work {
  uint64_t draws, vertices, primitives, clears, dispatches, flushes;
};
extern struct double_work double_work;

/*
 * Switches of all extensions: EXTENSIONS, the words of those that are announced (all by default); MISSING, a function that
 * the driver does not have; DRAWS, which with "none" keeps glDrawArrays from the driver; and LOST_AFTER, the number of draws
 * after which glGetError says that the context is lost.
 */
/* A switch: set by double_set, else the environment's DOUBLE_<name>; null when it is neither. */
const char *double_switch(const char *name);
/* A switch's whole number, or `otherwise`. */
long long double_number(const char *name, long long otherwise);
/* Whether a switch has this text. */
int double_is(const char *name, const char *text);

/* Raises a GL error that the next glGetError returns. */
void double_raise(GLenum error);
/*
 * For the first line of every entry point: whether switch <prefix>_ERROR_AT ("BeginPerfQuery=0x502" or
 * "BeginPerfQuery=0x502@3", commas between several) names this function. It raises the error, or nothing for 0, and the
 * function must return without having done anything. With @3 it is the function's fourth call that fails.
 */
int double_fails(const char *prefix, const char *function);

/* Counts something under a name, for double_count. */
void double_tally(const char *what, int64_t amount);
/* Nanoseconds of the host's monotonic clock. */
uint64_t double_clock_ns(void);

#endif
