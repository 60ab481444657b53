/* What the doubled extensions share: switches, errors, counts of work, and the wrapped GL functions. */
#define _GNU_SOURCE
#include "double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GL_EXTENSIONS 0x1F03
#define GL_NUM_EXTENSIONS 0x821D
#define GL_CONTEXT_LOST 0x0507

void *double_real(const char *name); /* egl.c */
void *double_lookup(const char *name);

struct double_work double_work;

static struct double_extension *extensions;

void double_register(struct double_extension *extension) {
  extension->next = extensions;
  extensions = extension;
}

/* Switches */

struct setting {
  char name[64];
  char *value;
};
static struct setting settings[128];
static int setting_count;

/* Sets a switch; null as the value takes it away, whatever the environment says. */
EXPORT void double_set(const char *name, const char *value) {
  struct setting *found = NULL;
  for (int i = 0; i < setting_count; i++)
    if (strcmp(settings[i].name, name) == 0) found = &settings[i];
  if (!found && setting_count == 128) abort();
  if (!found) {
    found = &settings[setting_count++];
    snprintf(found->name, sizeof found->name, "%s", name);
  }
  free(found->value);
  found->value = value ? strdup(value) : NULL;
}

const char *double_switch(const char *name) {
  for (int i = 0; i < setting_count; i++)
    if (strcmp(settings[i].name, name) == 0) return settings[i].value;
  char variable[80];
  snprintf(variable, sizeof variable, "DOUBLE_%s", name);
  const char *value = getenv(variable);
  return value && *value ? value : NULL;
}

long long double_number(const char *name, long long otherwise) {
  const char *value = double_switch(name);
  char *end;
  if (!value) return otherwise;
  long long number = strtoll(value, &end, 0);
  return end == value ? otherwise : number;
}

int double_is(const char *name, const char *text) {
  const char *value = double_switch(name);
  return value && strcmp(value, text) == 0;
}

/* Counts */

struct count {
  char what[64];
  int64_t amount;
};
static struct count counts[128];
static int count_count;

static struct count *count_of(const char *what) {
  for (int i = 0; i < count_count; i++)
    if (strcmp(counts[i].what, what) == 0) return &counts[i];
  if (count_count == 128) abort();
  snprintf(counts[count_count].what, sizeof counts[0].what, "%s", what);
  counts[count_count].amount = 0;
  return &counts[count_count++];
}

void double_tally(const char *what, int64_t amount) { count_of(what)->amount += amount; }

/* How often a function was called (by its short name), or what else an extension counts. */
EXPORT int64_t double_count(const char *what) { return count_of(what)->amount; }

uint64_t double_clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Errors */

static GLenum pending;

void double_raise(GLenum error) {
  if (!pending) pending = error;
}

int double_fails(const char *prefix, const char *function) {
  int64_t call = count_of(function)->amount++;
  char name[64];
  snprintf(name, sizeof name, "%s_ERROR_AT", prefix);
  const char *list = double_switch(name);
  size_t length = strlen(function);
  for (const char *item = list; item; item = strchr(item, ',')) {
    if (*item == ',') item++;
    if (strncmp(item, function, length) != 0 || item[length] != '=') continue;
    char *end;
    GLenum error = (GLenum)strtoul(item + length + 1, &end, 0);
    if (*end == '@' && strtoll(end + 1, NULL, 0) != call) continue;
    if (error) double_raise(error);
    return 1;
  }
  return 0;
}

/* Forgets switches, counts, errors and every extension's objects. */
EXPORT void double_reset(void) {
  for (int i = 0; i < setting_count; i++) free(settings[i].value);
  memset(settings, 0, sizeof settings);
  setting_count = 0;
  count_count = 0;
  pending = 0;
  for (struct double_extension *e = extensions; e; e = e->next)
    if (e->reset) e->reset();
}

/* Extensions: those that the switch EXTENSIONS names, all without it */

static int is_on(const struct double_extension *extension) {
  const char *words = double_switch("EXTENSIONS");
  return !words || strstr(words, extension->word);
}

static struct double_extension *extension_at(int index) {
  for (struct double_extension *e = extensions; e; e = e->next)
    if (is_on(e) && index-- == 0) return e;
  return NULL;
}

static int extension_count(void) {
  int count = 0;
  while (extension_at(count)) count++;
  return count;
}

/* Wrapped GL */

#define REAL(result, name, ...)                             \
  static result (*real)(__VA_ARGS__);                       \
  if (!real) real = (result(*)(__VA_ARGS__))double_real(name)

static const GLubyte *get_string(GLenum name) {
  REAL(const GLubyte *, "glGetString", GLenum);
  const char *text = (const char *)real(name);
  if (name != GL_EXTENSIONS || !text) return (const GLubyte *)text;
  static char *all;
  free(all);
  all = malloc(strlen(text) + 1024);
  strcpy(all, text);
  for (struct double_extension *e = extensions; e; e = e->next)
    if (is_on(e)) strcat(strcat(all, " "), e->name);
  return (const GLubyte *)all;
}

static GLint real_integer(GLenum name) {
  REAL(void, "glGetIntegerv", GLenum, GLint *);
  GLint value = 0;
  real(name, &value);
  return value;
}

static const GLubyte *get_stringi(GLenum name, GLuint index) {
  REAL(const GLubyte *, "glGetStringi", GLenum, GLuint);
  GLuint own = name == GL_EXTENSIONS ? (GLuint)real_integer(GL_NUM_EXTENSIONS) : 0;
  if (name != GL_EXTENSIONS || index < own) return real(name, index);
  struct double_extension *extension = extension_at((int)(index - own));
  if (!extension) double_raise(GL_INVALID_VALUE);
  return extension ? (const GLubyte *)extension->name : NULL;
}

static void get_integerv(GLenum name, GLint *out) {
  REAL(void, "glGetIntegerv", GLenum, GLint *);
  for (struct double_extension *e = extensions; e; e = e->next)
    if (is_on(e) && e->get_integer && e->get_integer(name, out)) return;
  real(name, out);
  if (name == GL_NUM_EXTENSIONS) *out += extension_count();
}

static void get_booleanv(GLenum name, GLboolean *out) {
  REAL(void, "glGetBooleanv", GLenum, GLboolean *);
  GLint value = 0;
  for (struct double_extension *e = extensions; e; e = e->next)
    if (is_on(e) && e->get_integer && e->get_integer(name, &value)) {
      *out = value != 0;
      return;
    }
  real(name, out);
}

static GLenum get_error(void) {
  REAL(GLenum, "glGetError", void);
  long long lost_after = double_number("LOST_AFTER", -1);
  if (lost_after >= 0 && double_work.draws > (uint64_t)lost_after) return GL_CONTEXT_LOST;
  GLenum error = pending;
  pending = 0;
  return error ? error : real();
}

static void count_draw(GLenum mode, GLsizei vertices, GLsizei instances) {
  uint64_t n = vertices < 0 ? 0 : (uint64_t)vertices, i = instances < 0 ? 0 : (uint64_t)instances;
  /* POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN */
  uint64_t primitives[] = {n, n / 2, n, n ? n - 1 : 0, n / 3, n > 2 ? n - 2 : 0, n > 2 ? n - 2 : 0};
  double_work.draws++;
  double_work.vertices += n * i;
  double_work.primitives += mode < 7 ? primitives[mode] * i : 0;
}

static void draw_arrays(GLenum mode, GLint first, GLsizei count) {
  REAL(void, "glDrawArrays", GLenum, GLint, GLsizei);
  count_draw(mode, count, 1);
  if (double_is("DRAWS", "none")) return;
  real(mode, first, count);
}

static void draw_arrays_instanced(GLenum mode, GLint first, GLsizei count, GLsizei instances) {
  REAL(void, "glDrawArraysInstanced", GLenum, GLint, GLsizei, GLsizei);
  count_draw(mode, count, instances);
  real(mode, first, count, instances);
}

static void draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices) {
  REAL(void, "glDrawElements", GLenum, GLsizei, GLenum, const void *);
  count_draw(mode, count, 1);
  real(mode, count, type, indices);
}

static void draw_elements_instanced(GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei instances) {
  REAL(void, "glDrawElementsInstanced", GLenum, GLsizei, GLenum, const void *, GLsizei);
  count_draw(mode, count, instances);
  real(mode, count, type, indices, instances);
}

static void draw_range_elements(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void *indices) {
  REAL(void, "glDrawRangeElements", GLenum, GLuint, GLuint, GLsizei, GLenum, const void *);
  count_draw(mode, count, 1);
  real(mode, start, end, count, type, indices);
}

static void clear(GLuint mask) {
  REAL(void, "glClear", GLuint);
  double_work.clears++;
  real(mask);
}

static void dispatch_compute(GLuint x, GLuint y, GLuint z) {
  REAL(void, "glDispatchCompute", GLuint, GLuint, GLuint);
  double_work.dispatches++;
  real(x, y, z);
}

static void flush(void) {
  REAL(void, "glFlush", void);
  double_work.flushes++;
  real();
}

static void finish(void) {
  REAL(void, "glFinish", void);
  double_work.flushes++;
  real();
}

static const struct double_function wrapped[] = {
  {"glGetString", get_string},
  {"glGetStringi", get_stringi},
  {"glGetIntegerv", get_integerv},
  {"glGetBooleanv", get_booleanv},
  {"glGetError", get_error},
  {"glDrawArrays", draw_arrays},
  {"glDrawArraysInstanced", draw_arrays_instanced},
  {"glDrawElements", draw_elements},
  {"glDrawElementsInstanced", draw_elements_instanced},
  {"glDrawRangeElements", draw_range_elements},
  {"glClear", clear},
  {"glDispatchCompute", dispatch_compute},
  {"glFlush", flush},
  {"glFinish", finish},
  {NULL, NULL},
};

static void *find(const struct double_function *functions, const char *name) {
  for (; functions->name; functions++)
    if (strcmp(functions->name, name) == 0) return functions->function;
  return NULL;
}

/* The double's function of this name, or null. */
void *double_lookup(const char *name) {
  void *found = find(wrapped, name);
  for (struct double_extension *e = extensions; e && !found; e = e->next)
    if (is_on(e)) found = find(e->functions, name);
  return found;
}
