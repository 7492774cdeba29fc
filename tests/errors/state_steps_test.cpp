// Trees with states of the caller, step by step.
#include <gtest/gtest.h>

#include "errors/support/state_cli.h"

namespace burin::state_steps_test {
namespace {

// Two states whose other size changes from step to step, once left on the device and once passed,
// beside arrays that are written as the header says: every state is one buffer of the caller.
const char* const kRowsThatChange = R"(
#include <cstdio>
#include <cstring>
#include "g.h"
enum { kRows = 4, kRoom = 10 };
static g_context kept, passed;
static float p[kRows * kRoom * 3], u[2 * kRows * kRoom];          // written here
static float own_p[kRows * kRoom * 3], own_u[2 * kRows * kRoom];  // passed
static int run(g_context* context, int64_t rows, int64_t past, const float* n, const float* m,
               float* in_p, float* in_u, float s, float t) {
  float sums[2] = {-1, -1};
  g_dims dims = {};
  dims.rows = rows;
  dims.past = past;
  g_inputs inputs = {};
  inputs.p = in_p;
  inputs.u = in_u;
  inputs.n = n;
  inputs.m = m;
  g_outputs outputs = {};
  outputs.q = in_p;
  outputs.w = in_u;
  outputs.s = &sums[0];
  outputs.t = &sums[1];
  const int32_t status = g_run(context, &dims, &inputs, &outputs);
  if (status == 0 && sums[0] == s && sums[1] == t) return 0;
  std::printf("%d rows behind %d, %s: status %d, %g %g, not %g %g\n", (int)rows, (int)past,
              in_p ? "passed" : "kept", (int)status, sums[0], sums[1], s, t);
  return 1;
}
static int step(int rows, int past) {
  float n[kRows * 3], m[2 * kRows], s = 0, t = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < 3; ++c)
      p[(r * kRoom + past) * 3 + c] = n[r * 3 + c] = (float)((past * 5 + r * 3 + c) % 7 - 2);
  for (int k = 0; k < 2 * rows; ++k) u[k * kRoom + past] = m[k] = (float)((past * 3 + k) % 5 + 1);
  for (int i = 0; i <= past; ++i) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < 3; ++c) s += p[(r * kRoom + i) * 3 + c] * p[(r * kRoom + i) * 3 + c];
    for (int k = 0; k < 2 * rows; ++k) t += u[k * kRoom + i] * u[k * kRoom + i];
  }
  return run(&kept, rows, past, n, m, nullptr, nullptr, s, t) +
         run(&passed, rows, past, n, m, own_p, own_u, s, t);
}
int main() {
  if (g_init(&kept, nullptr, 0, nullptr, 0) != 0 || g_init(&passed, nullptr, 0, nullptr, 0) != 0)
    return 2;
  const int rows[kRoom] = {2, 2, 1, 4, 4, 1, 4, 3, 1, 4};
  int failures = 0;
  for (int past = 0; past < kRoom; ++past) failures += step(rows[past], past);
  failures += std::memcmp(p, own_p, sizeof p) != 0 || std::memcmp(u, own_u, sizeof u) != 0;
  if (kept.bytes_to_device > 200 || kept.synchronisations != 0) ++failures;
  g_release(&kept);
  g_release(&passed);
  return failures;
}
)";

TEST_F(StateCli, ADeviceKeepsStatesWhateverTheirOtherSizesAre) {
  const std::string rows =
      "in p f32[rows,past,3]\nin u f32[2,rows,past]\nin n f32[rows,1,3]\nin m f32[2,rows,1]\n"
      "node Concat(p, n) -> q name=join axis=1\nnode Concat(u, m) -> w name=beside axis=2\n"
      "node Mul(q, q) -> a name=square\nnode ReduceSum(a) -> s name=sum keepdims=0\n"
      "node Mul(w, w) -> b name=other\nnode ReduceSum(b) -> t name=total keepdims=0\n"
      "out q\nout w\nout s\nout t\n";
  // One that a number bounds, and one that nothing bounds.
  for (const char* range : {"rows=1..4@2", "rows=1..@2"}) {
    const std::vector<std::string> flags = {"--state",     "p=q",   "--state", "u=w",      "--dim",
                                            "past=0..9@3", "--dim", range,     "--config", "pocl"};
    const ProcessResult verified = burin("verify", rows, flags);
    EXPECT_EQ(verified.exit_code, kExitOk) << verified.output;
    expect_steps(rows, flags, kRowsThatChange);
  }
}

// A cache that past and present share, which a step overwrites at its length: with one buffer, with
// two, and where there is a device with none, at lengths that also go back.
const char* const kSharedSteps = R"(
#include <cstdio>
#include <cstring>
#include "g.h"
enum { kRoom = 12, kCache = 2 * 2 * kRoom * 4 };
static g_context first, second, third;
alignas(64) static unsigned char arenas[3][1 << 16];
struct Cache { float k[kCache], v[kCache]; };
static Cache one, from, to;
static int run(g_context* context, const float* x, int length, Cache* in, Cache* out, float* y) {
  const int32_t here = length;
  g_inputs inputs = {};
  inputs.q = x;
  inputs.k = x + 16;
  inputs.v = x + 32;
  inputs.pk = in ? in->k : nullptr;
  inputs.pv = in ? in->v : nullptr;
  inputs.length = &here;
  g_outputs outputs = {};
  outputs.y = y;
  outputs.nk = out ? out->k : nullptr;
  outputs.nv = out ? out->v : nullptr;
  const int32_t status = g_run(context, &inputs, &outputs);
  if (status != 0) std::printf("length %d: status %d\n", length, (int)status);
  return status != 0;
}
int main() {
  g_context* const contexts[] = {&first, &second, &third};
  for (int i = 0; i < 3; ++i)
    if (g_init(contexts[i], arenas[i], sizeof arenas[i], nullptr, 0) != 0) return 99;
  int failures = 0;
  const int lengths[] = {0, 1, 2, 3, 4, 5, 6, 7, 3, 4, 11, 0, 5};
  int step = 0;
  for (const int length : lengths) {
    float x[48], a[16], b[16], c[16];
    for (int i = 0; i < 48; ++i) x[i] = (float)((i * 7 + length * 5 + step * 3) % 11 - 5) / 4;
    ++step;
    failures += run(&first, x, length, &one, &one, a) + run(&second, x, length, &from, &to, b);
    std::memcpy(&from, &to, sizeof to);
    failures += std::memcmp(a, b, sizeof a) != 0 || std::memcmp(&one, &to, sizeof one) != 0;
#ifdef KEPT
    failures += run(&third, x, length, nullptr, nullptr, c);
    failures += std::memcmp(a, c, sizeof a) != 0;
    failures += third.bytes_to_device > 400;
#else
    (void)c;
#endif
    if (failures > 0) return std::printf("at step %d, length %d\n", step, length), failures;
  }
  return 0;
}
)";

TEST_F(StateCli, ACacheThatIsSharedIsOverwritten) {
  const std::string shared =
      "opset com.microsoft 1\nopset 17\nin q f32[2,1,8]\nin k f32[2,1,8]\nin v f32[2,1,8]\nin pk "
      "f32[2,2,12,4]\nin pv "
      "f32[2,2,12,4]\nin length i32[1]\n"
      "node DecoderMaskedMultiHeadAttention(q, k, v, \"\", \"\", pk, pv, length) -> y, nk, nv "
      "name=attention domain=com.microsoft num_heads=2 past_present_share_buffer=1\n"
      "out y\nout nk\nout nv\n";
  for (const std::string config : {"cpp-generic", "x86-64-v3", "pocl"}) {
    const std::vector<std::string> flags = {"--state", "pk=nk",    "--state",
                                            "pv=nv",   "--config", config};
    const ProcessResult verified = burin("verify", shared, flags);
    EXPECT_EQ(verified.exit_code, kExitOk) << config << "\n" << verified.output;
    const std::string kept = config == "pocl" ? "#define KEPT\n" : "";
    expect_steps(shared, flags, kept + kSharedSteps);
  }
}

// A cache whose rows have keys of their own number: the second row's prompt is shorter, so that its
// words go into places that the first row has filled already.
const char* const kRowsOfTheirOwn = R"(
#include <cmath>
#include <cstdio>
#include <cstring>
#include "g.h"
enum { kRoom = 8, kBatch = 2, kHeads = 2, kSize = 2 };
static g_context context, passed;
alignas(64) static unsigned char arenas[2][1 << 16];
static float keys[kBatch][kRoom][kSize], values[kBatch][kRoom][kSize];
static float cache_k[kBatch * kRoom * kSize], cache_v[kBatch * kRoom * kSize];
static int failures = 0;
static void run(g_context* one, int fresh, int past, int total, const int* last, const float* x,
                const float* k, const float* v, float* nk, float* nv, float* y) {
  const int32_t lengths[kBatch] = {last[0], last[1]};
  const float mask[kBatch * kRoom] = {};
  g_dims dims = {};
  dims.fresh = fresh;
  dims.past = past;
  dims.total = total;
  g_inputs inputs = {};
  inputs.x = x;
  inputs.k = k;
  inputs.v = v;
  inputs.pk = nk;
  inputs.pv = nv;
  inputs.lengths = lengths;
  inputs.mask = mask;
  g_outputs outputs = {};
  outputs.y = y;
  outputs.nk = nk;
  outputs.nv = nv;
  const int32_t status = g_run(one, &dims, &inputs, &outputs);
  if (status != 0) std::printf("status %d\n", (int)status), ++failures;
}
static void turn(int fresh, int past, int total, int last0, int last1) {
  const int last[kBatch] = {last0, last1};
  float x[kBatch * 3 * 4], k[kBatch * 3 * 2], v[kBatch * 3 * 2], y[2][kBatch * 3 * 4];
  for (int i = 0; i < kBatch * fresh * 4; ++i) x[i] = (float)((i * 7 + total * 3) % 9 - 4) / 4;
  for (int i = 0; i < kBatch * fresh * 2; ++i) {
    k[i] = (float)((i * 5 + total) % 7 - 3) / 2;
    v[i] = (float)((i * 3 + past) % 11 - 5) / 2;
  }
  run(&context, fresh, past, total, last, x, k, v, cache_k, cache_v, y[0]);
#ifdef KEPT
  run(&passed, fresh, past, total, last, x, k, v, nullptr, nullptr, y[1]);
  failures += std::memcmp(y[0], y[1], sizeof(float) * kBatch * fresh * 4) != 0;
#endif
  for (int b = 0; b < kBatch; ++b) {
    const int first = total == fresh ? 0 : last[b] + 1 - fresh;
    for (int i = 0; i < fresh; ++i)
      for (int e = 0; e < kSize; ++e) {
        keys[b][first + i][e] = k[(b * fresh + i) * 2 + e];
        values[b][first + i][e] = v[(b * fresh + i) * 2 + e];
      }
    for (int i = 0; i <= last[b]; ++i)
      failures += std::memcmp(&cache_k[(b * kRoom + i) * 2], keys[b][i], sizeof keys[b][i]) != 0 ||
                  std::memcmp(&cache_v[(b * kRoom + i) * 2], values[b][i], sizeof keys[b][i]) != 0;
    for (int i = 0; i < fresh; ++i) {
      if (first + i > last[b]) continue;  // a word that the row has not
      for (int h = 0; h < kHeads; ++h) {
        double sums[kSize] = {0, 0}, all = 0;
        for (int j = 0; j <= first + i; ++j) {
          double score = 0;
          for (int e = 0; e < kSize; ++e)
            score += (double)x[((b * fresh + i) * kHeads + h) * kSize + e] * keys[b][j][e];
          const double weight = std::exp(score / std::sqrt(2.0));
          all += weight;
          for (int e = 0; e < kSize; ++e) sums[e] += weight * values[b][j][e];
        }
        for (int e = 0; e < kSize; ++e) {
          const double got = y[0][((b * fresh + i) * kHeads + h) * kSize + e];
          if (std::fabs(got - sums[e] / all) < 1e-5) continue;
          std::printf("row %d of total %d: %g, not %g\n", b, total, got, sums[e] / all);
          ++failures;
        }
      }
    }
  }
}
int main() {
  if (g_init(&context, arenas[0], sizeof arenas[0], nullptr, 0) != 0) return 99;
  if (g_init(&passed, arenas[1], sizeof arenas[1], nullptr, 0) != 0) return 98;
  for (float& number : cache_k) number = NAN;  // a buffer is what it happens to be
  for (float& number : cache_v) number = NAN;
  for (int round = 0; round < 2; ++round) {
    turn(3, 0, 3, 2, 1);
    turn(1, 3, 4, 3, 2);
    turn(1, 4, 5, 4, 3);
    turn(2, 5, 7, 6, 5);
    turn(1, 7, 8, 7, 6);
  }
  return failures;
}
)";

TEST_F(StateCli, RowsOfAGroupedCacheAreWrittenWhereEachEnds) {
  const std::string grouped =
      "opset com.microsoft 1\nopset 17\nin x f32[2,fresh,4]\nin k f32[2,fresh,2]\n"
      "in v f32[2,fresh,2]\nin pk f32[2,1,past,2]\nin pv f32[2,1,past,2]\nin lengths i32[2]\n"
      "in mask f32[2,total]\n"
      "node Shape(mask) -> d name=extent start=1 end=2\nnode Cast(d) -> t name=narrow to=6\n"
      "node GroupQueryAttention(x, k, v, pk, pv, lengths, t) -> y, nk, nv name=attention "
      "domain=com.microsoft num_heads=2 kv_num_heads=1\nout y\nout nk\nout nv\n";
  for (const std::string config : {"cpp-generic", "x86-64-v3", "pocl"}) {
    const std::vector<std::string> flags = {"--state", "pk=nk",        "--state", "pv=nv",
                                            "--dim",   "past=0..7@3",  "--dim",   "total=1..8@4",
                                            "--dim",   "fresh=1..3@1", "--config", config};
    const ProcessResult verified = burin("verify", grouped, flags);
    EXPECT_EQ(verified.exit_code, kExitOk) << config << "\n" << verified.output;
    const std::string kept = config == "pocl" ? "#define KEPT\n" : "";
    expect_steps(grouped, flags, kept + kRowsOfTheirOwn);
  }
}

// A scatter at places that the run reads; what else reads the state would read what is new.
TEST_F(StateCli, AScatterIntoAStateIsInPlace) {
  const std::string scatter =
      "opset 24\nin p f32[2,3,5,2]\nin n f32[2,3,1,2]\nin at i64[2]\n"
      "node TensorScatter(p, n, at) -> q name=put axis=2\n"
      "node Mul(q, q) -> s name=square\nout q\nout s\n";
  for (const char* config : {"cpp-generic", "pocl"}) {
    const ProcessResult verified = burin("verify", scatter, {"--state", "p=q", "--config", config});
    EXPECT_EQ(verified.exit_code, kExitOk) << config << "\n" << verified.output;
  }
  expect_refused(
      "opset 24\nin p f32[2,3,5,2]\nin n f32[2,3,1,2]\nin at i64[2]\n"
      "node TensorScatter(p, n, at) -> q name=put axis=2\n"
      "node Mul(p, p) -> s name=square\nout q\nout s\n",
      {"--state", "p=q"},
      "--state p=q: error: output 'q' is not input 'p' with something behind it, or in it: kernel "
      "'square' may read what is overwritten [state]");
  expect_refused("in p f32[3]\nnode Neg(p) -> q name=minus\nout q\n", {"--state", "p=q"},
                 "--state p=q: error: output 'q' is not input 'p' with something behind it, or in "
                 "it: kernel 'minus' does not keep the rest of it [state]");
}

}  // namespace
}  // namespace burin::state_steps_test
