/*
 * GL_INTEL_performance_query on top of any context. Its query types stand in the file that the switch INTEL_TABLE names,
 * in the format of the enumerations of real drivers. It behaves as Mesa's iris, unless a switch makes it worse:
 *
 *   INTEL_ERROR_AT     see double_fails; with error 0 the function does nothing and says nothing
 *   INTEL_ONLY_QUERY   query type to which the faults of measuring are limited
 *   INTEL_ONLY_BEGIN   the measurement (from 0, counted by begins) to which they are limited
 *   INTEL_BEGIN        "refused": begin raises INVALID_OPERATION; "silent": so does data, and begin says nothing; "none":
 *                      nothing begins, and end raises it
 *   INTEL_READY        how many questions are answered with 0 bytes (default 1: the call that flushes), or "never"
 *   INTEL_BYTES        bytesWritten, instead of the true number
 *   INTEL_EMPTY        "all": the result is all zeros, as when Mesa loses its reports; "time": GPU Time Elapsed is 0
 *   INTEL_OVERFLOW     bytes written behind the result
 *   INTEL_FLAG         name of a BOOL32 counter that reads true (others read false)
 *   INTEL_FLOAT        value of all float counters
 *   INTEL_NAN          name of a float counter that reads NaN
 *   INTEL_NEXT         "cycle": the last query type is followed by the second; "endless": by one more, for ever
 *   INTEL_NAMES        "no-nul": names fill their buffers; "overflow": and some bytes more
 *   INTEL_LIMIT        answer for the three limits of lengths
 *   INTEL_INSTANCES    most query instances; creating more raises OUT_OF_MEMORY, or with INTEL_HANDLE0 nothing
 *   INTEL_STATED       noInstances, instead of the number of instances of the type that there are
 *   INTEL_BY_NAME      what GetPerfQueryIdByName answers
 */
#define _GNU_SOURCE
#include "double.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT 0x83FB
#define FLUSH 0x83FA
#define DONOT_FLUSH 0x83F9
#define DATA_UINT32 0x94F8
#define DATA_UINT64 0x94F9
#define DATA_FLOAT 0x94FA
#define DATA_DOUBLE 0x94FB
#define DATA_BOOL32 0x94FC
#define NAME_LENGTH_MAX 0x94FD
#define COUNTER_NAME_LENGTH_MAX 0x94FE
#define COUNTER_DESC_LENGTH_MAX 0x94FF
#define GPA_EXTENDED_COUNTERS 0x9500

struct counter {
  char *name, *description;
  GLuint offset, size, type, data_type;
  uint64_t raw_max;
};

struct query_type {
  GLuint id;
  char *name;
  GLuint data_size, stated_counters, capabilities;
  struct counter *counters;
  GLuint counter_count, instances;
};

static struct query_type *types;
static GLuint type_count;
static char *loaded;

static char *quoted(const char *line, const char *key, const char *end) {
  const char *from = strstr(line, key);
  const char *to = from ? strstr(from + strlen(key), end) : NULL;
  return to ? strndup(from + strlen(key), (size_t)(to - from) - strlen(key)) : strdup("");
}

static uint64_t number(const char *line, const char *key) {
  /* The last one: a name or a description may contain anything. */
  const char *found = NULL;
  for (const char *at = line; (at = strstr(at, key)); at++) found = at;
  return found ? strtoull(found + strlen(key), NULL, 0) : 0;
}

static void forget_table(void) {
  for (GLuint t = 0; t < type_count; t++) {
    for (GLuint c = 0; c < types[t].counter_count; c++) {
      free(types[t].counters[c].name);
      free(types[t].counters[c].description);
    }
    free(types[t].counters);
    free(types[t].name);
  }
  free(types);
  free(loaded);
  types = NULL;
  loaded = NULL;
  type_count = 0;
}

static void load_table(void) {
  const char *path = double_switch("INTEL_TABLE");
  if (!path) path = "";
  if (loaded && strcmp(loaded, path) == 0) return;
  forget_table();
  loaded = strdup(path);
  FILE *file = fopen(path, "r");
  char line[4096];
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "QUERY ", 6) == 0) {
      types = realloc(types, (type_count + 1) * sizeof *types);
      types[type_count++] = (struct query_type){
        .id = (GLuint)number(line, " id="),
        .name = quoted(line, "name=\"", "\" dataSize="),
        .data_size = (GLuint)number(line, " dataSize="),
        .stated_counters = (GLuint)number(line, " noCounters="),
        .capabilities = (GLuint)number(line, " capsMask="),
      };
    } else if (strncmp(line, "  COUNTER ", 10) == 0 && type_count > 0) {
      struct query_type *type = &types[type_count - 1];
      type->counters = realloc(type->counters, (type->counter_count + 1) * sizeof *type->counters);
      type->counters[type->counter_count++] = (struct counter){
        .name = quoted(line, "name=\"", "\" desc="),
        .description = quoted(line, "desc=\"", "\" offset="),
        .offset = (GLuint)number(line, " offset="),
        .size = (GLuint)number(line, " size="),
        .type = (GLuint)number(line, " type="),
        .data_type = (GLuint)number(line, " dataType="),
        .raw_max = number(line, " rawMax="),
      };
    }
  }
  if (file) fclose(file);
}

static struct query_type *type_of(GLuint id) {
  load_table();
  for (GLuint t = 0; t < type_count; t++)
    if (types[t].id == id) return &types[t];
  /* Of an endless list every id is one. */
  return double_is("INTEL_NEXT", "endless") && id > 0 && type_count > 0 ? &types[0] : NULL;
}

/* Enumeration */

static void get_first(GLuint *id) {
  if (double_fails("INTEL", "GetFirstPerfQueryId")) return;
  load_table();
  if (!id) return double_raise(GL_INVALID_VALUE);
  *id = type_count > 0 ? types[0].id : 0;
  if (type_count == 0) double_raise(GL_INVALID_OPERATION);
}

static void get_next(GLuint id, GLuint *next) {
  if (double_fails("INTEL", "GetNextPerfQueryId")) return;
  if (!next || !type_of(id)) return double_raise(GL_INVALID_VALUE);
  for (GLuint t = 0; t + 1 < type_count; t++)
    if (types[t].id == id) {
      *next = types[t + 1].id;
      return;
    }
  *next = double_is("INTEL_NEXT", "cycle") ? types[1].id : double_is("INTEL_NEXT", "endless") ? id + 1 : 0;
}

static void get_id_by_name(const char *name, GLuint *id) {
  if (double_fails("INTEL", "GetPerfQueryIdByName")) return;
  load_table();
  if (!name || !id) return double_raise(GL_INVALID_VALUE);
  for (GLuint t = 0; t < type_count; t++)
    if (strcmp(types[t].name, name) == 0) {
      *id = (GLuint)double_number("INTEL_BY_NAME", types[t].id);
      return;
    }
  double_raise(GL_INVALID_VALUE);
}

static void put_text(char *out, GLuint length, const char *text) {
  if (!out || length == 0) return;
  if (double_is("INTEL_NAMES", "no-nul") || double_is("INTEL_NAMES", "overflow")) {
    size_t own = strlen(text);
    for (GLuint at = 0; at < length; at++) out[at] = at < own ? text[at] : '+';
    if (double_is("INTEL_NAMES", "overflow")) memset(out + length, '+', 16);
    return;
  }
  snprintf(out, length, "%s", text);
}

static void put(GLuint *out, GLuint value) {
  if (out) *out = value;
}

static void get_query_info(GLuint id, GLuint length, char *name, GLuint *data_size, GLuint *counters,
                           GLuint *instances, GLuint *capabilities) {
  if (double_fails("INTEL", "GetPerfQueryInfo")) return;
  struct query_type *type = type_of(id);
  if (!type) return double_raise(GL_INVALID_VALUE);
  put_text(name, length, type->name);
  put(data_size, type->data_size);
  put(counters, type->stated_counters);
  put(instances, (GLuint)double_number("INTEL_STATED", type->instances));
  put(capabilities, type->capabilities);
}

static void get_counter_info(GLuint id, GLuint counter_id, GLuint name_length, char *name, GLuint desc_length,
                             char *desc, GLuint *offset, GLuint *size, GLuint *type_enum, GLuint *data_type,
                             uint64_t *raw_max) {
  if (double_fails("INTEL", "GetPerfCounterInfo")) return;
  struct query_type *type = type_of(id);
  if (!type || counter_id < 1 || counter_id > type->counter_count) return double_raise(GL_INVALID_VALUE);
  const struct counter *counter = &type->counters[counter_id - 1];
  put_text(name, name_length, counter->name);
  put_text(desc, desc_length, counter->description);
  put(offset, counter->offset);
  put(size, counter->size);
  put(type_enum, counter->type);
  put(data_type, counter->data_type);
  if (raw_max) *raw_max = counter->raw_max;
}

/* Instances */

enum state { FREE, MADE, ACTIVE, ENDED };

struct instance {
  enum state state;
  struct query_type *type;
  /* Its begin failed, and only the reading will say so. */
  int broken;
  /* Faults of measuring apply. */
  int faulty;
  int polls;
  struct double_work before, work;
  uint64_t begin_ns, elapsed_ns;
};

#define MOST_INSTANCES 4096
static struct instance instances[MOST_INSTANCES + 1];
static int64_t begins;

static struct instance *instance_of(GLuint handle) {
  return handle >= 1 && handle <= MOST_INSTANCES && instances[handle].state != FREE ? &instances[handle] : NULL;
}

static GLuint live(void) {
  GLuint count = 0;
  for (GLuint handle = 1; handle <= MOST_INSTANCES; handle++) count += instances[handle].state != FREE;
  return count;
}

static void create(GLuint id, GLuint *handle) {
  if (double_fails("INTEL", "CreatePerfQuery")) return;
  struct query_type *type = type_of(id);
  if (!type || !handle) return double_raise(GL_INVALID_VALUE);
  GLuint free_handle = 1;
  while (free_handle <= MOST_INSTANCES && instances[free_handle].state != FREE) free_handle++;
  if (live() >= (GLuint)double_number("INTEL_INSTANCES", MOST_INSTANCES)) {
    *handle = 0;
    if (!double_switch("INTEL_HANDLE0")) double_raise(GL_OUT_OF_MEMORY);
    return;
  }
  instances[free_handle] = (struct instance){.state = MADE, .type = type};
  type->instances++;
  double_tally("live", 1);
  *handle = free_handle;
}

/* Like a real driver it does not mind that the instance is active. */
static void delete(GLuint handle) {
  if (double_fails("INTEL", "DeletePerfQuery")) return;
  struct instance *instance = instance_of(handle);
  if (!instance) return double_raise(GL_INVALID_VALUE);
  instance->type->instances--;
  instance->state = FREE;
  double_tally("live", -1);
}

static int is_statistics(const struct query_type *type) { return strstr(type->name, "Statistics") != NULL; }

static void begin(GLuint handle) {
  if (double_fails("INTEL", "BeginPerfQuery")) return;
  struct instance *instance = instance_of(handle);
  if (!instance) return double_raise(GL_INVALID_VALUE);
  if (instance->state == ACTIVE) return double_raise(GL_INVALID_OPERATION);
  int64_t at = begins++;
  instance->faulty = double_number("INTEL_ONLY_QUERY", instance->type->id) == instance->type->id &&
                     double_number("INTEL_ONLY_BEGIN", at) == at;
  if (instance->faulty && double_is("INTEL_BEGIN", "refused")) return double_raise(GL_INVALID_OPERATION);
  if (instance->faulty && double_is("INTEL_BEGIN", "none")) return;
  instance->broken = instance->faulty && double_is("INTEL_BEGIN", "silent");
  /* The hardware is set up for one type at a time; the statistics registers are always there. */
  for (GLuint other = 1; other <= MOST_INSTANCES && !is_statistics(instance->type); other++)
    if (instances[other].state == ACTIVE && instances[other].type != instance->type &&
        !is_statistics(instances[other].type))
      instance->broken = 1;
  instance->state = ACTIVE;
  instance->polls = 0;
  instance->before = double_work;
  instance->begin_ns = double_clock_ns();
}

static void end(GLuint handle) {
  if (double_fails("INTEL", "EndPerfQuery")) return;
  struct instance *instance = instance_of(handle);
  if (!instance) return double_raise(GL_INVALID_VALUE);
  if (instance->state != ACTIVE) return double_raise(GL_INVALID_OPERATION);
  instance->state = ENDED;
  instance->elapsed_ns = double_clock_ns() - instance->begin_ns;
  instance->work = double_work;
}

/* Results */

/* What a counter reads: what was done, for the names that say so, else a value that its place in the result gives. */
static uint64_t whole(const struct counter *counter, const struct instance *instance) {
  const struct double_work *before = &instance->before, *after = &instance->work;
  const char *name = counter->name;
  if (strcmp(name, "Draws") == 0) return after->draws - before->draws;
  if (strcmp(name, "Clears") == 0) return after->clears - before->clears;
  if (strcmp(name, "N vertices submitted") == 0) return after->vertices - before->vertices;
  if (strcmp(name, "N primitives submitted") == 0) return after->primitives - before->primitives;
  if (strcmp(name, "GPU Time Elapsed") == 0)
    return instance->faulty && double_is("INTEL_EMPTY", "time") ? 0 : instance->elapsed_ns;
  if (strcmp(name, "Vertices beyond doubles") == 0) return (UINT64_C(1) << 53) + 1 + after->vertices - before->vertices;
  return UINT64_C(0xF000000080000000) + counter->offset;
}

static void put_value(uint8_t *out, const struct counter *counter, const struct instance *instance) {
  uint64_t value = whole(counter, instance);
  int has_work = value >> 63 == 0;
  float f = has_work ? (float)value / 8 : (float)counter->offset + 0.5f;
  double d = has_work ? (double)value / 10 : (double)counter->offset + 0.1;
  if (strstr(counter->description, "percent")) f = (float)(counter->offset % 100) + 0.5f;
  if (double_switch("INTEL_FLOAT")) f = strtof(double_switch("INTEL_FLOAT"), NULL);
  if (double_is("INTEL_NAN", counter->name)) {
    f = (float)NAN;
    d = NAN;
  }
  uint32_t truth = double_is("INTEL_FLAG", counter->name);
  uint32_t low = (uint32_t)value;
  switch (counter->data_type) {
    case DATA_UINT32: memcpy(out, &low, 4); break;
    case DATA_UINT64: memcpy(out, &value, 8); break;
    case DATA_FLOAT: memcpy(out, &f, 4); break;
    case DATA_DOUBLE: memcpy(out, &d, 8); break;
    case DATA_BOOL32: memcpy(out, &truth, 4); break;
    default: break;
  }
}

static void get_data(GLuint handle, GLuint flags, GLsizei size, void *data, GLuint *written) {
  double_tally(flags == WAIT ? "WAIT" : flags == FLUSH ? "FLUSH" : flags == DONOT_FLUSH ? "DONOT_FLUSH" : "?", 1);
  if (double_fails("INTEL", "GetPerfQueryData")) return;
  struct instance *instance = instance_of(handle);
  if (!written || !data || !instance || size < 0) return double_raise(GL_INVALID_VALUE);
  *written = 0;
  if (instance->state != ENDED || instance->broken) return double_raise(GL_INVALID_OPERATION);
  int faulty = instance->faulty;
  int never = faulty && double_is("INTEL_READY", "never");
  if (never || (flags != WAIT && instance->polls++ < (faulty ? double_number("INTEL_READY", 1) : 1))) return;
  /* It does not look at the size: a result that does not fit is written all the same. Reserved parts stay as they are. */
  for (GLuint c = 0; c < instance->type->counter_count; c++) {
    const struct counter *counter = &instance->type->counters[c];
    if (counter->offset + counter->size > instance->type->data_size) continue;
    if (faulty && double_is("INTEL_EMPTY", "all")) continue;
    if (strncmp(counter->name, "Reserved", 8) != 0) put_value((uint8_t *)data + counter->offset, counter, instance);
  }
  if (faulty) memset((uint8_t *)data + instance->type->data_size, 0x55, (size_t)double_number("INTEL_OVERFLOW", 0));
  *written = (GLuint)(faulty ? double_number("INTEL_BYTES", instance->type->data_size) : instance->type->data_size);
}

/* Announcement */

static int get_integer(GLenum name, GLint *value) {
  switch (name) {
    case NAME_LENGTH_MAX:
    case COUNTER_NAME_LENGTH_MAX: *value = (GLint)double_number("INTEL_LIMIT", 256); return 1;
    case COUNTER_DESC_LENGTH_MAX: *value = (GLint)double_number("INTEL_LIMIT", 1024); return 1;
    case GPA_EXTENDED_COUNTERS: *value = 0; return 1;
    default: return 0;
  }
}

static void reset(void) {
  forget_table();
  memset(instances, 0, sizeof instances);
  begins = 0;
}

static const struct double_function functions[] = {
  {"glGetFirstPerfQueryIdINTEL", get_first},
  {"glGetNextPerfQueryIdINTEL", get_next},
  {"glGetPerfQueryIdByNameINTEL", get_id_by_name},
  {"glGetPerfQueryInfoINTEL", get_query_info},
  {"glGetPerfCounterInfoINTEL", get_counter_info},
  {"glCreatePerfQueryINTEL", create},
  {"glDeletePerfQueryINTEL", delete},
  {"glBeginPerfQueryINTEL", begin},
  {"glEndPerfQueryINTEL", end},
  {"glGetPerfQueryDataINTEL", get_data},
  {NULL, NULL},
};

__attribute__((constructor)) static void announce(void) {
  static struct double_extension extension = {
    .name = "GL_INTEL_performance_query",
    .word = "intel",
    .functions = functions,
    .get_integer = get_integer,
    .reset = reset,
  };
  double_register(&extension);
}
