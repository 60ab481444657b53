/*
 * GL_AMD_performance_monitor on top of any context. It behaves as the extension says, unless a switch makes it worse:
 *
 *   AMD_ERROR_AT         see double_fails; with error 0 the function does nothing and says nothing
 *   AMD_ONLY_GROUP       group to which the faults of measuring are limited
 *   AMD_ONLY_BEGIN       the session (from 0, counted by begins, trials included) to which they are limited
 *   AMD_GROUPS           the number of groups that it states
 *   AMD_COUNTERS         the number of counters that it states, of AMD_ONLY_GROUP or of every group
 *   AMD_MAXIMUM          the number of counters active at once that it states, likewise
 *   AMD_IDS              "same": lists have one id again and again; "overflow": they are 4 ids longer than there was room
 *   AMD_NAMES            "no-nul", "long" (a length far beyond the buffer), "none"
 *   AMD_TYPE             type of the counter Vertices of the group Work
 *   AMD_REFUSES          counter that select refuses
 *   AMD_TAKES            begin refuses sessions of more counters than this
 *   AMD_MONITORS         most monitors; making more raises OUT_OF_MEMORY, or gives 0 with AMD_MONITOR0
 *   AMD_BEGIN            "refused"; "silent": nothing begins, end raises; "dead": nothing begins, nothing is raised
 *   AMD_READY            questions until a result is available (default 1), or "never", "untouched"
 *   AMD_SIZE             the size that it states of a result
 *   AMD_BYTES            bytesWritten, instead of the true number
 *   AMD_OVERFLOW         bytes written behind the buffer
 *   AMD_STREAM           "reversed", "short", "cut", "unknown", "foreign", "twice", "nan", "untouched"
 *   AMD_FLOAT            value of all floats
 */
#define _GNU_SOURCE
#include "double.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTER_TYPE 0x8BC0
#define COUNTER_RANGE 0x8BC1
#define RESULT_AVAILABLE 0x8BC4
#define RESULT_SIZE 0x8BC5
#define RESULT 0x8BC6
#define TYPE_UINT 0x1405
#define TYPE_FLOAT 0x1406
#define TYPE_UINT64 0x8BC2
#define TYPE_PERCENTAGE 0x8BC3

struct counter {
  GLuint id;
  const char *name;
  GLenum type;
};

struct group {
  GLuint id;
  const char *name;
  GLint most_active, count;
  struct counter counters[6];
};

/* Ids that are neither small nor in order; a name twice; maxima under, at and above the number of counters. */
static const struct group groups[] = {
  {70, "Work", 2, 5, {{11, "Draws", TYPE_UINT}, {7, "Vertices", TYPE_UINT64}, {900, "Vertices per draw", TYPE_FLOAT},
                      {4, "Share of draws", TYPE_PERCENTAGE}, {5, "Draws", TYPE_UINT64}}},
  {3, "Pipeline Statistics", 2, 2, {{7, "Primitives submitted", TYPE_UINT64}, {0, "Vertices submitted", TYPE_UINT64}}},
  {4000000000u, "Work", 100, 1, {{1, "Clears in bytes", TYPE_UINT}}},
  {5, "Empty", 1, 0, {{0, NULL, 0}}},
};
#define GROUPS ((GLint)(sizeof groups / sizeof groups[0]))

static const struct group *group_of(GLuint id) {
  for (GLint g = 0; g < GROUPS; g++)
    if (groups[g].id == id) return &groups[g];
  return NULL;
}

static const struct counter *counter_of(const struct group *group, GLuint id) {
  for (GLint c = 0; group && c < group->count; c++)
    if (group->counters[c].id == id) return &group->counters[c];
  return NULL;
}

static GLenum type_of(const struct group *group, const struct counter *counter) {
  int is_switched = group == &groups[0] && counter->id == 7;
  return is_switched ? (GLenum)double_number("AMD_TYPE", counter->type) : counter->type;
}

static int is_chosen(const struct group *group) { return double_number("AMD_ONLY_GROUP", group->id) == group->id; }

/* Enumeration */

static void put_ids(GLuint *out, GLsizei size, GLint count, const GLuint *ids) {
  if (!out || size <= 0) return;
  GLint most = size < count ? size : count;
  for (GLint i = 0; i < most; i++) out[i] = double_is("AMD_IDS", "same") ? ids[0] : ids[i];
  if (double_is("AMD_IDS", "overflow"))
    for (GLint i = 0; i < 4; i++) out[size + i] = 1;
}

static void get_groups(GLint *count, GLsizei size, GLuint *out) {
  if (double_fails("AMD", "GetPerfMonitorGroups")) return;
  GLuint ids[GROUPS];
  for (GLint g = 0; g < GROUPS; g++) ids[g] = groups[g].id;
  if (count) *count = (GLint)double_number("AMD_GROUPS", GROUPS);
  put_ids(out, size, GROUPS, ids);
}

static void get_counters(GLuint id, GLint *count, GLint *most_active, GLsizei size, GLuint *out) {
  if (double_fails("AMD", "GetPerfMonitorCounters")) return;
  const struct group *group = group_of(id);
  if (!group) return double_raise(GL_INVALID_VALUE);
  int chosen = is_chosen(group);
  GLuint ids[6];
  for (GLint c = 0; c < group->count; c++) ids[c] = group->counters[c].id;
  if (count) *count = (GLint)(chosen ? double_number("AMD_COUNTERS", group->count) : group->count);
  if (most_active) *most_active = (GLint)(chosen ? double_number("AMD_MAXIMUM", group->most_active) : group->most_active);
  put_ids(out, size, group->count, ids);
}

static void put_text(const char *text, GLsizei size, GLsizei *length, char *out) {
  if (double_is("AMD_NAMES", "none")) return;
  GLsizei own = (GLsizei)strlen(text);
  if (length) *length = size == 0 || own < size ? own : size - 1;
  if (length && double_is("AMD_NAMES", "long")) *length = 1 << 30;
  if (!out || size <= 0) return;
  if (double_is("AMD_NAMES", "no-nul"))
    for (GLsizei at = 0; at < size; at++) out[at] = at < own ? text[at] : '+';
  else
    snprintf(out, (size_t)size, "%s", text);
}

static void get_group_string(GLuint id, GLsizei size, GLsizei *length, char *out) {
  if (double_fails("AMD", "GetPerfMonitorGroupString")) return;
  const struct group *group = group_of(id);
  if (!group) return double_raise(GL_INVALID_VALUE);
  put_text(group->name, size, length, out);
}

static void get_counter_string(GLuint id, GLuint counter_id, GLsizei size, GLsizei *length, char *out) {
  if (double_fails("AMD", "GetPerfMonitorCounterString")) return;
  const struct counter *counter = counter_of(group_of(id), counter_id);
  if (!counter) return double_raise(GL_INVALID_VALUE);
  put_text(counter->name, size, length, out);
}

static void get_counter_info(GLuint id, GLuint counter_id, GLenum name, void *out) {
  if (double_fails("AMD", "GetPerfMonitorCounterInfo")) return;
  const struct group *group = group_of(id);
  const struct counter *counter = counter_of(group, counter_id);
  if (!counter) return double_raise(GL_INVALID_VALUE);
  GLenum type = type_of(group, counter);
  if (name == COUNTER_TYPE) {
    memcpy(out, &type, 4);
  } else if (name == COUNTER_RANGE) {
    uint32_t words[] = {0, 1000000};
    uint64_t longs[] = {0, UINT64_MAX};
    float floats[] = {0, type == TYPE_PERCENTAGE ? 100 : 1e6f};
    if (type == TYPE_UINT) memcpy(out, words, sizeof words);
    else if (type == TYPE_UINT64) memcpy(out, longs, sizeof longs);
    else memcpy(out, floats, sizeof floats);
  } else {
    double_raise(GL_INVALID_ENUM);
  }
}

/* Monitors */

struct monitor {
  int is_made, is_active, is_ended, is_faulty, polls;
  const struct group *group;
  uint8_t selected[6];
  struct double_work before, work;
};

#define MOST_MONITORS 4096
static struct monitor monitors[MOST_MONITORS + 1];
static int64_t begins;

static struct monitor *monitor_of(GLuint name) {
  return name >= 1 && name <= MOST_MONITORS && monitors[name].is_made ? &monitors[name] : NULL;
}

static void generate(GLsizei n, GLuint *out) {
  if (double_fails("AMD", "GenPerfMonitors")) return;
  if (n < 0) return double_raise(GL_INVALID_VALUE);
  for (GLsizei i = 0; i < n; i++) {
    GLint live = 0;
    GLuint name = 0;
    for (GLuint at = MOST_MONITORS; at >= 1; at--) {
      live += monitors[at].is_made;
      if (!monitors[at].is_made) name = at;
    }
    if (live >= double_number("AMD_MONITORS", MOST_MONITORS)) {
      out[i] = 0;
      if (!double_switch("AMD_MONITOR0")) double_raise(GL_OUT_OF_MEMORY);
      return;
    }
    monitors[name] = (struct monitor){.is_made = 1};
    double_tally("live monitors", 1);
    out[i] = name;
  }
}

static void delete(GLsizei n, const GLuint *names) {
  if (double_fails("AMD", "DeletePerfMonitors")) return;
  if (n < 0) return double_raise(GL_INVALID_VALUE);
  for (GLsizei i = 0; i < n; i++) {
    struct monitor *monitor = monitor_of(names[i]);
    if (!monitor) {
      double_raise(GL_INVALID_VALUE);
      continue;
    }
    monitor->is_made = 0;
    double_tally("live monitors", -1);
  }
}

static GLint selected(const struct monitor *monitor) {
  GLint count = 0;
  for (GLint c = 0; monitor->group && c < monitor->group->count; c++) count += monitor->selected[c];
  return count;
}

static void select_counters(GLuint name, GLboolean enable, GLuint id, GLint count, const GLuint *list) {
  if (double_fails("AMD", "SelectPerfMonitorCounters")) return;
  struct monitor *monitor = monitor_of(name);
  const struct group *group = group_of(id);
  if (!monitor || !group || count < 0) return double_raise(GL_INVALID_VALUE);
  monitor->is_ended = 0;
  for (GLint i = 0; i < count; i++)
    if (!counter_of(group, list[i]) || double_number("AMD_REFUSES", -1) == list[i]) return double_raise(GL_INVALID_VALUE);
  if (monitor->group != group) memset(monitor->selected, 0, sizeof monitor->selected);
  monitor->group = group;
  for (GLint i = 0; i < count; i++) monitor->selected[counter_of(group, list[i]) - group->counters] = enable;
}

static void begin(GLuint name) {
  if (double_fails("AMD", "BeginPerfMonitor")) return;
  struct monitor *monitor = monitor_of(name);
  if (!monitor) return double_raise(GL_INVALID_VALUE);
  for (GLuint other = 1; other <= MOST_MONITORS; other++)
    if (monitors[other].is_made && monitors[other].is_active) return double_raise(GL_INVALID_OPERATION);
  GLint most = monitor->group ? monitor->group->most_active : 0;
  if (selected(monitor) > most || selected(monitor) > double_number("AMD_TAKES", most))
    return double_raise(GL_INVALID_OPERATION);
  monitor->is_faulty = monitor->group && is_chosen(monitor->group) && double_number("AMD_ONLY_BEGIN", begins) == begins;
  begins++;
  if (monitor->is_faulty && double_is("AMD_BEGIN", "refused")) return double_raise(GL_INVALID_OPERATION);
  if (monitor->is_faulty && (double_is("AMD_BEGIN", "silent") || double_is("AMD_BEGIN", "dead"))) return;
  monitor->is_active = 1;
  monitor->is_ended = 0;
  monitor->polls = 0;
  monitor->before = double_work;
}

static void end(GLuint name) {
  if (double_fails("AMD", "EndPerfMonitor")) return;
  struct monitor *monitor = monitor_of(name);
  if (!monitor) return double_raise(GL_INVALID_VALUE);
  if (!monitor->is_active) {
    if (!(monitor->is_faulty && double_is("AMD_BEGIN", "dead"))) double_raise(GL_INVALID_OPERATION);
    return;
  }
  monitor->is_active = 0;
  monitor->is_ended = 1;
  monitor->work = double_work;
}

/* Results */

static GLsizei size_of(GLenum type) { return type == TYPE_UINT64 ? 8 : 4; }

/* What was done, by the counter's name. */
static void put_value(uint8_t *out, const struct group *group, const struct counter *counter,
                      const struct monitor *monitor) {
  uint64_t draws = monitor->work.draws - monitor->before.draws;
  uint64_t vertices = monitor->work.vertices - monitor->before.vertices;
  uint64_t clears = monitor->work.clears - monitor->before.clears;
  uint64_t all = draws + clears;
  uint64_t whole = strncmp(counter->name, "Vertices", 8) == 0     ? vertices
                   : strncmp(counter->name, "Primitives", 10) == 0 ? monitor->work.primitives - monitor->before.primitives
                   : strncmp(counter->name, "Clears", 6) == 0      ? clears
                                                                   : draws;
  /* The second Draws needs all 64 bits. */
  if (counter->id == 5) whole += (UINT64_C(1) << 63) + 1;
  GLenum type = type_of(group, counter);
  float real = type == TYPE_PERCENTAGE ? (all ? 100 * (float)draws / (float)all : 0)
                                       : (draws ? (float)vertices / (float)draws : 0);
  if (monitor->is_faulty && double_is("AMD_STREAM", "nan")) real = (float)NAN;
  if (monitor->is_faulty && double_switch("AMD_FLOAT")) real = strtof(double_switch("AMD_FLOAT"), NULL);
  uint32_t low = (uint32_t)whole;
  if (type == TYPE_UINT64) memcpy(out, &whole, 8);
  else if (type == TYPE_UINT) memcpy(out, &low, 4);
  else memcpy(out, &real, 4);
}

static GLsizei put_entry(uint8_t *out, GLuint group, GLuint counter) {
  memcpy(out, &group, 4);
  memcpy(out + 4, &counter, 4);
  return 8;
}

static int stream_is(const struct monitor *monitor, const char *what) {
  return monitor->is_faulty && double_is("AMD_STREAM", what);
}

/* The whole result; returns its size. */
static GLsizei stream(const struct monitor *monitor, uint8_t *out) {
  const struct group *group = monitor->group;
  GLsizei at = 0;
  if (stream_is(monitor, "unknown")) at += put_entry(out, 12345, 1) + 4;
  if (stream_is(monitor, "foreign")) {
    at += put_entry(out, 3, 7);
    memset(out + at, 0xEE, 8);
    at += 8;
  }
  GLint left = selected(monitor);
  for (GLint i = 0; group && i < group->count; i++) {
    GLint c = stream_is(monitor, "reversed") ? group->count - 1 - i : i;
    if (!monitor->selected[c]) continue;
    if (--left == 0 && stream_is(monitor, "short")) break;
    for (int copy = stream_is(monitor, "twice") ? 2 : 1; copy > 0; copy--) {
      at += put_entry(out + at, group->id, group->counters[c].id);
      put_value(out + at, group, &group->counters[c], monitor);
      at += size_of(type_of(group, &group->counters[c]));
    }
  }
  return stream_is(monitor, "cut") ? at - 2 : at;
}

static void get_data(GLuint name, GLenum what, GLsizei size, GLuint *data, GLint *written) {
  double_tally(what == RESULT_AVAILABLE ? "available?" : what == RESULT_SIZE ? "size?" : "result?", 1);
  if (double_fails("AMD", "GetPerfMonitorCounterData")) return;
  struct monitor *monitor = monitor_of(name);
  if (!monitor) return double_raise(GL_INVALID_VALUE);
  if (!data) return double_raise(GL_INVALID_OPERATION);
  int faulty = monitor->is_faulty;
  if (faulty && double_is("AMD_READY", "untouched")) return;
  uint8_t result[512];
  memset(result, 0, sizeof result);
  GLsizei result_size = monitor->is_ended ? stream(monitor, result) : 0;
  int is_ready = monitor->is_ended && !(faulty && double_is("AMD_READY", "never"));
  if (what == RESULT_AVAILABLE && is_ready) is_ready = ++monitor->polls >= (faulty ? double_number("AMD_READY", 1) : 1);
  GLsizei bytes = 4;
  if (what == RESULT_AVAILABLE) {
    *data = (GLuint)is_ready;
  } else if (what == RESULT_SIZE) {
    *data = (GLuint)(faulty ? double_number("AMD_SIZE", result_size) : result_size);
  } else if (what == RESULT) {
    if (stream_is(monitor, "untouched")) return;
    bytes = result_size < size ? result_size : size;
    memcpy(data, result, (size_t)bytes);
    if (faulty) memset((uint8_t *)data + size, 0x55, (size_t)double_number("AMD_OVERFLOW", 0));
    if (faulty) bytes = (GLsizei)double_number("AMD_BYTES", bytes);
  } else {
    return double_raise(GL_INVALID_ENUM);
  }
  if (written) *written = bytes;
}

/* Announcement */

static void reset(void) {
  memset(monitors, 0, sizeof monitors);
  begins = 0;
}

static const struct double_function functions[] = {
  {"glGetPerfMonitorGroupsAMD", get_groups},
  {"glGetPerfMonitorCountersAMD", get_counters},
  {"glGetPerfMonitorGroupStringAMD", get_group_string},
  {"glGetPerfMonitorCounterStringAMD", get_counter_string},
  {"glGetPerfMonitorCounterInfoAMD", get_counter_info},
  {"glGenPerfMonitorsAMD", generate},
  {"glDeletePerfMonitorsAMD", delete},
  {"glSelectPerfMonitorCountersAMD", select_counters},
  {"glBeginPerfMonitorAMD", begin},
  {"glEndPerfMonitorAMD", end},
  {"glGetPerfMonitorCounterDataAMD", get_data},
  {NULL, NULL},
};

__attribute__((constructor)) static void announce(void) {
  static struct double_extension extension = {
    .name = "GL_AMD_performance_monitor",
    .word = "amd",
    .functions = functions,
    .reset = reset,
  };
  double_register(&extension);
}
