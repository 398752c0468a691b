// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CIndexStore.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *data;
  size_t length;
} text;

#define FORMATTED(string) (int)(string).length, (string).data

typedef void *object;
typedef bool (*visitor)(void *context, object item);
typedef bool (*unit_visitor)(void *context, text unit);

// What is used of `indexstore/indexstore.h`, which is not in a compiler's search path.
#define FUNCTIONS(F) \
  F(object, store_create, const char *path, object *error) \
  F(void, store_dispose, object store) \
  F(bool, store_units_apply_f, object store, unsigned sorted, void *context, unit_visitor) \
  F(bool, store_get_unit_modification_time, object store, const char *unit, int64_t *seconds, \
    int64_t *nanoseconds, object *error) \
  F(object, unit_reader_create, object store, const char *unit, object *error) \
  F(void, unit_reader_dispose, object unit) \
  F(text, unit_reader_get_main_file, object unit) \
  F(bool, unit_reader_dependencies_apply_f, object unit, void *context, visitor) \
  F(int, unit_dependency_get_kind, object dependency) \
  F(text, unit_dependency_get_name, object dependency) \
  F(object, record_reader_create, object store, const char *record, object *error) \
  F(void, record_reader_dispose, object record) \
  F(bool, record_reader_occurrences_apply_f, object record, void *context, visitor) \
  F(object, occurrence_get_symbol, object occurrence) \
  F(uint64_t, occurrence_get_roles, object occurrence) \
  F(void, occurrence_get_line_col, object occurrence, unsigned *line, unsigned *column) \
  F(bool, occurrence_relations_apply_f, object occurrence, void *context, visitor) \
  F(uint64_t, symbol_relation_get_roles, object relation) \
  F(object, symbol_relation_get_symbol, object relation) \
  F(int, symbol_get_kind, object symbol) \
  F(int, symbol_get_subkind, object symbol) \
  F(uint64_t, symbol_get_properties, object symbol) \
  F(text, symbol_get_name, object symbol) \
  F(text, symbol_get_usr, object symbol)

#define DECLARE(result, name, ...) static result (*name)(__VA_ARGS__);
FUNCTIONS(DECLARE)

enum {
  dependency_record = 2,
  property_local = 1 << 7,
  role_definition = 1 << 1,
  role_reference = 1 << 2,
  role_implicit = 1 << 8,
  role_child_of = 1 << 9,
  role_base_of = 1 << 10,
  role_extended_by = 1 << 14
};

struct reading {
  FILE *output;
  const char *root;
  const char *sources;
  object store;
  bool is_source;
  object symbol;
  text parent;
};

static bool cut_prefix(text *string, const char *prefix) {
  size_t length = strlen(prefix);
  if (string->length < length || memcmp(string->data, prefix, length) != 0) return false;
  *string = (text){string->data + length, string->length - length};
  return true;
}

static bool is_accessor(object symbol) {
  int kind = symbol_get_subkind(symbol);
  // Getter and setter; observers and addressors; coroutines.
  return kind == 3 || kind == 4 || (kind >= 1000 && kind <= 1003) || (kind >= 1014 && kind <= 1018);
}

static bool read_relation(void *context, object relation) {
  struct reading *reading = context;
  uint64_t roles = symbol_relation_get_roles(relation);
  text usr = symbol_get_usr(reading->symbol);
  text related = symbol_get_usr(symbol_relation_get_symbol(relation));
  if (roles & role_child_of) reading->parent = related;
  if (roles & (role_base_of | role_extended_by))
    fprintf(
        reading->output, "%s\t%.*s\t%.*s\n", roles & role_base_of ? "conformance" : "extension",
        FORMATTED(usr), FORMATTED(related));
  return true;
}

static bool read_occurrence(void *context, object occurrence) {
  struct reading *reading = context;
  object symbol = reading->symbol = occurrence_get_symbol(occurrence);
  if (symbol_get_properties(symbol) & property_local || is_accessor(symbol)) return true;
  reading->parent = (text){"-", 1};
  occurrence_relations_apply_f(occurrence, reading, read_relation);
  if (!reading->is_source) return true;
  unsigned line = 0, column = 0;
  occurrence_get_line_col(occurrence, &line, &column);
  uint64_t roles = occurrence_get_roles(occurrence);
  text usr = symbol_get_usr(symbol), name = symbol_get_name(symbol);
  if (roles & role_definition)
    fprintf(
        reading->output, "definition\t%u\t%d\t%s\t%.*s\t%.*s\t%.*s\n", line,
        symbol_get_kind(symbol), roles & role_implicit ? "implicit" : "written", FORMATTED(name),
        FORMATTED(usr), FORMATTED(reading->parent));
  if (roles & role_reference)
    fprintf(reading->output, "use\t%u\t%.*s\n", line, FORMATTED(usr));
  return true;
}

static bool read_dependency(void *context, object dependency) {
  struct reading *reading = context;
  if (unit_dependency_get_kind(dependency) != dependency_record) return true;
  char record[PATH_MAX];
  snprintf(record, sizeof record, "%.*s", FORMATTED(unit_dependency_get_name(dependency)));
  object error = NULL, reader = record_reader_create(reading->store, record, &error);
  if (!reader) return true;
  record_reader_occurrences_apply_f(reader, reading, read_occurrence);
  record_reader_dispose(reader);
  return true;
}

static bool read_unit(void *context, text name) {
  struct reading *reading = context;
  char unit[PATH_MAX];
  snprintf(unit, sizeof unit, "%.*s", FORMATTED(name));
  int64_t seconds = 0, nanoseconds = 0;
  object error = NULL, reader = unit_reader_create(reading->store, unit, &error);
  if (!reader) return true;
  text path = unit_reader_get_main_file(reader);
  if (cut_prefix(&path, reading->root)) {
    text rest = path;
    reading->is_source = cut_prefix(&rest, reading->sources);
    store_get_unit_modification_time(reading->store, unit, &seconds, &nanoseconds, &error);
    fprintf(
        reading->output, "unit\t%.*s\t%lld\n", FORMATTED(path),
        (long long)(seconds * 1000000000 + nanoseconds));
    unit_reader_dependencies_apply_f(reader, reading, read_dependency);
  }
  unit_reader_dispose(reader);
  return true;
}

// Opens the library of the toolchain whose runtime this process has; returns an error or NULL.
static const char *load(void) {
  char path[PATH_MAX];
  Dl_info runtime;
  void *symbol = dlsym(RTLD_DEFAULT, "swift_retain");
  if (!symbol || !dladdr(symbol, &runtime)) return "The runtime of Swift is no library.";
  snprintf(path, PATH_MAX, "%s", runtime.dli_fname);
  for (int folders = 0; folders < 3; folders++)
    if (strrchr(path, '/')) *strrchr(path, '/') = 0;
  strncat(path, "/libIndexStore.so", PATH_MAX - strlen(path) - 1);
  void *library = dlopen(path, RTLD_NOW);
  if (!library) return dlerror();
#define LOAD(result, name, ...) \
  if (!(name = (result(*)(__VA_ARGS__))dlsym(library, "indexstore_" #name))) return dlerror();
  FUNCTIONS(LOAD)
  return NULL;
}

char *index_read(const char *store, const char *root, const char *sources) {
  char *result = NULL;
  size_t size = 0;
  struct reading reading = {.root = root, .sources = sources};
  reading.output = open_memstream(&result, &size);
  if (!reading.output) return NULL;
  object error = NULL;
  const char *failure = load();
  if (!failure && !(reading.store = store_create(store, &error)))
    failure = "There is no index: debug builds write one.";
  if (failure) {
    fprintf(reading.output, "error\t%s\n", failure);
  } else {
    store_units_apply_f(reading.store, 0, &reading, read_unit);
    store_dispose(reading.store);
  }
  fclose(reading.output);
  return result;
}
