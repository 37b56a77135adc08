// Tree-sitter's parser with the Java and the JavaScript grammar, as one WebAssembly module without imports: text in,
// the tree as numbers out. It parses UTF-8: what a skipped byte costs decides between an error and a missing token.
// web-tree-sitter parses UTF-16, and no package has these versions of the grammars for it; with others, short calls fail
// that the official program reads, and the other way round.
//
// treeSitter.wasm is this file with tree-sitter's library as the Python package tree-sitter 0.21.3 has it (CORE below),
// tree-sitter-java 0.21.0 and tree-sitter-javascript 0.21.4 (JAVA, JAVASCRIPT: their packages), by clang as Zig 0.17 has it:
//   zig cc -target wasm32-wasi -mexec-model=reactor -O2 -flto -DNDEBUG -Wno-implicit-function-declaration \
//     -ICORE/include -ICORE/src -IJAVA/src treeSitter.c \
//     CORE/src/{alloc,language,lexer,node,parser,stack,subtree,tree_cursor,tree,get_changed_ranges,wasm_store}.c \
//     JAVA/src/parser.c JAVASCRIPT/src/parser.c JAVASCRIPT/src/scanner.c -o treeSitter.wasm \
//     -Wl,--strip-all -Wl,--gc-sections -Wl,-z,stack-size=1048576
// All three are under the MIT licence: Copyright (c) Max Brunsfeld and Ayman Nadeem (LICENSE beside this file).
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tree_sitter/api.h>
#include <tree_sitter/parser.h>

const TSLanguage *tree_sitter_java(void);
const TSLanguage *tree_sitter_javascript(void);

// Logs, graphs and time limits: nobody asks for them, and the C library's would want a file system and a clock.
int dup(int descriptor) { return -1; }
#undef stderr
FILE *const stderr = NULL;
size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file) { return 0; }
FILE *fdopen(int descriptor, const char *mode) { return NULL; }
int fclose(FILE *file) { return 0; }
int fprintf(FILE *restrict file, const char *restrict format, ...) { return 0; }
int fputs(const char *restrict text, FILE *restrict file) { return 0; }
int fputc(int character, FILE *file) { return 0; }
int snprintf(char *restrict text, size_t size, const char *restrict format, ...) { return 0; }
int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list values) { return 0; }
int clock_gettime(clockid_t clock, struct timespec *time) { return 0; }

// White space as glibc has it, which the official program runs on.
int iswspace(unsigned int point) {
  return (point >= 9 && point <= 13) || point == 32 || point == 0x1680 || (point >= 0x2000 && point <= 0x2006) ||
         (point >= 0x2008 && point <= 0x200a) || point == 0x2028 || point == 0x2029 || point == 0x205f || point == 0x3000;
}

#define EXPORT(name) __attribute__((export_name(name)))

static TSParser *parser;
static uint32_t *words;
static uint32_t used, room;

// The same grammar with every state's row of the parse table spelled out. Tree-sitter packs most rows into lists that it
// searches, and at a missing semicolon it asks each state about each token.
static const TSLanguage *spelled(const TSLanguage *packed) {
  TSLanguage *language = malloc(sizeof(TSLanguage));
  uint16_t *table = calloc(packed->state_count * packed->symbol_count, sizeof(uint16_t));
  *language = *packed;
  language->large_state_count = packed->state_count;
  language->parse_table = table;
  memcpy(table, packed->parse_table, packed->large_state_count * packed->symbol_count * sizeof(uint16_t));
  for (uint32_t state = packed->large_state_count; state < packed->state_count; state++) {
    uint16_t *row = table + state * packed->symbol_count;
    const uint16_t *from = packed->small_parse_table + packed->small_parse_table_map[state - packed->large_state_count];
    for (uint32_t groups = *from++; groups > 0; groups--) {
      uint16_t value = *from++;
      for (uint32_t left = *from++; left > 0; left--) row[*from++] = value;
    }
  }
  return language;
}

static const TSLanguage *language(uint32_t which) {
  static const TSLanguage *languages[2];
  if (languages[which] == NULL) languages[which] = spelled(which == 0 ? tree_sitter_java() : tree_sitter_javascript());
  return languages[which];
}

static void put(uint32_t word) {
  if (used == room) {
    room = room == 0 ? 4096 : room * 2;
    words = realloc(words, room * sizeof(uint32_t));
  }
  words[used++] = word;
}

EXPORT("allocate") void *allocate(uint32_t bytes) { return malloc(bytes); }
EXPORT("release") void release(void *memory) { free(memory); }
EXPORT("symbols") uint32_t symbols(uint32_t which) { return ts_language_symbol_count(language(which)); }
EXPORT("symbolName") const char *symbolName(uint32_t which, uint32_t symbol) {
  return ts_language_symbol_name(language(which), (TSSymbol)symbol);
}
EXPORT("fields") uint32_t fields(uint32_t which) { return ts_language_field_count(language(which)); }
EXPORT("fieldName") const char *fieldName(uint32_t which, uint32_t field) {
  return ts_language_field_name_for_id(language(which), (TSFieldId)field);
}

// Pre-order, six words a node: symbol, field within its parent, first and last byte, children, descendants with itself.
// Returns their address; their count is the last node's end. Null when a node is an error.
EXPORT("parse") uint32_t *parse(uint32_t which, const char *text, uint32_t bytes) {
  if (parser == NULL) parser = ts_parser_new();
  ts_parser_set_language(parser, language(which));
  TSTree *tree = ts_parser_parse_string(parser, NULL, text, bytes);
  used = 0;
  uint32_t failed = 0;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t depth = 0, open_room = 64, *open = malloc(open_room * sizeof(uint32_t));
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    TSSymbol symbol = ts_node_symbol(node);
    if (symbol == (TSSymbol)-1) failed = 1;
    if (failed) break;
    if (depth == open_room) open = realloc(open, (open_room *= 2) * sizeof(uint32_t));
    open[depth] = used;
    put(symbol);
    put(ts_tree_cursor_current_field_id(&cursor));
    put(ts_node_start_byte(node));
    put(ts_node_end_byte(node));
    put(ts_node_child_count(node));
    put(0);
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      depth += 1;
      continue;
    }
    for (;;) {
      words[open[depth] + 5] = (used - open[depth]) / 6;
      if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
      if (depth == 0) goto done;
      ts_tree_cursor_goto_parent(&cursor);
      depth -= 1;
    }
  }
done:
  free(open);
  ts_tree_cursor_delete(&cursor);
  ts_tree_delete(tree);
  ts_parser_reset(parser);
  return failed ? NULL : words;
}
