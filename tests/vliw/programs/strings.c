// Bytes: lengths, copies, comparisons, numbers as text, a sort through a function pointer, a search
// with a table of failures, words counted in a hash table.
#include "program.h"

static u32 length(const char* s) {
  u32 n = 0;
  while (s[n] != 0) ++n;
  return n;
}
static int compare(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return (u8)*a - (u8)*b;
}
static char* copy(char* to, const char* from) {
  char* at = to;
  while ((*at++ = *from++) != 0) {
  }
  return to;
}
static char* number(char* out, s64 value, u32 base) {
  char digits[70];
  u32 n = 0;
  u64 left = value < 0 ? -(u64)value : (u64)value;
  do digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % base];
  while ((left /= base) != 0);
  if (value < 0) *out++ = '-';
  while (n > 0) *out++ = digits[--n];
  *out = 0;
  return out;
}
static s64 parse(const char* s, u32 base) {
  const int negative = *s == '-';
  s64 value = 0;
  for (s += negative; *s != 0; ++s) {
    const u32 digit = *s >= 'a'   ? (u32)(*s - 'a') + 10
                      : *s >= 'A' ? (u32)(*s - 'A') + 10
                                  : (u32)(*s - '0');
    if (digit >= base) break;
    value = value * base + digit;
  }
  return negative ? -value : value;
}
static u64 hash(const char* s) {
  u64 h = 14695981039346656037ull;
  for (; *s != 0; ++s) h = (h ^ (u8)*s) * 1099511628211ull;
  return h;
}
static void sort(const char** all, int n, int (*order)(const char*, const char*)) {
  if (n < 2) return;
  const char* pivot = all[n / 2];
  int i = 0, j = n - 1;
  for (;;) {
    while (order(all[i], pivot) < 0) ++i;
    while (order(all[j], pivot) > 0) --j;
    if (i >= j) break;
    const char* t = all[i];
    all[i++] = all[j];
    all[j--] = t;
  }
  sort(all, i, order);
  sort(all + i, n - i, order);
}
static int by_length(const char* a, const char* b) {
  const int d = (int)length(a) - (int)length(b);
  return d != 0 ? d : compare(a, b);
}
static int find(const char* text, const char* word) {
  int failure[32], n = (int)length(word), k = 0;
  failure[0] = 0;
  for (int i = 1; i < n; ++i) {
    while (k > 0 && word[i] != word[k]) k = failure[k - 1];
    failure[i] = k += word[i] == word[k];
  }
  k = 0;
  for (int i = 0; text[i] != 0; ++i) {
    while (k > 0 && text[i] != word[k]) k = failure[k - 1];
    if ((k += text[i] == word[k]) == n) return i - n + 1;
  }
  return -1;
}

static const char kText[] =
    "the packet starts when all that it reads is ready and the packet ends when it has started "
    "what it holds; a store behind a load is no load behind a store, the store said to the load";

void run(void) {
  static char words[64][16];
  const char* list[64];
  int count = 0, at = 0;
  for (const char* s = kText;; ++s) {
    if (*s >= 'a' && *s <= 'z') {
      words[count][at++] = *s;
      continue;
    }
    if (at > 0) words[count++][at] = 0;
    at = 0;
    if (*s == 0) break;
  }
  for (int i = 0; i < count; ++i) list[i] = words[i];
  sort(list, count, opaque(0) ? by_length : compare);
  u64 sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + hash(list[i]);
  show("sorted", sum);
  sort(list, count, by_length);
  for (int i = 0; i < count; ++i) sum = sum * 31 + hash(list[i]) + length(list[i]);
  show("by length", sum);

  u32 counts[32] = {0}, state = 7;
  for (int i = 0; i < count; ++i) ++counts[hash(words[i]) % 31];
  for (int i = 0; i < 32; ++i) sum = sum * 7 + counts[i];
  show("counted", sum);

  show("found", (u64)(s64)find(kText, "no load") << 32 | (u32)find(kText, "store said"));
  show("not found", (u64)(s64)find(kText, "storehouse"));

  char line[100], again[100];
  for (u32 base = 2; base <= 36; ++base) {
    const s64 value = (s64)((u64)draw(&state) << 35 | draw(&state)) - ((s64)1 << 57);
    char* end = number(line, value, base);
    copy(again, line);
    sum = sum * 131 + hash(again) + (u32)(end - line);
    if (parse(again, base) != value) show("base", base);
  }
  show("numbers", sum);
}
