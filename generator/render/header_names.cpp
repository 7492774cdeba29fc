#include "render/header_names.h"

#include <algorithm>
#include <string>

namespace burin {
namespace {

// Each between spaces, sorted.
constexpr std::string_view kHeaders =
    " acc_prof adxintrin aio alloca altivec ammintrin amxbf16intrin amxint8intrin amxintrin "
    "amxtileintrin arm64intr arm_acle arm_bf16 arm_cde arm_cmse arm_fp16 arm_mve arm_neon "
    "arm_sve armintr assert avx2intrin avx5124fmapsintrin avx5124vnniwintrin avx512bf16intrin "
    "avx512bf16vlintrin avx512bitalgintrin avx512bwintrin avx512cdintrin avx512dqintrin "
    "avx512erintrin avx512fintrin avx512fp16intrin avx512fp16vlintrin avx512ifmaintrin "
    "avx512ifmavlintrin avx512pfintrin avx512vbmi2intrin avx512vbmi2vlintrin avx512vbmiintrin "
    "avx512vbmivlintrin avx512vlbf16intrin avx512vlbitalgintrin avx512vlbwintrin "
    "avx512vlcdintrin avx512vldqintrin avx512vlfp16intrin avx512vlintrin avx512vlvbmi2intrin "
    "avx512vlvnniintrin avx512vlvp2intersectintrin avx512vnniintrin avx512vnnivlintrin "
    "avx512vp2intersectintrin avx512vp2intersectvlintrin avx512vpopcntdqintrin "
    "avx512vpopcntdqvlintrin avxintrin avxvnniintrin backtrace bmi2intrin bmiintrin bmmintrin "
    "builtins cet cetintrin cldemoteintrin clflushoptintrin clwbintrin clzerointrin complex cpio "
    "cpuid crc32intrin ctype dirent dlfcn emmintrin endian enqcmdintrin errno f16cintrin fcntl "
    "features fenv float fma4intrin fmaintrin fmtmsg fnmatch ftw fxsrintrin gcov gfniintrin glob "
    "grp hexagon_circ_brev_intrinsics hexagon_protos hexagon_types hresetintrin htmintrin "
    "htmxlintrin hvx_hexagon_protos ia32intrin iconv immintrin intrin inttypes invpcidintrin "
    "iso646 iso_fortran_binding keylockerintrin langinfo libgen limits locale lwpintrin "
    "lzcntintrin math mm3dnow mm_malloc mmintrin monetary movdirintrin mqueue msa mwaitintrin "
    "mwaitxintrin ndbm netdb nl_types nmmintrin omp ompt openacc paths pconfigintrin pkuintrin "
    "pmmintrin poll popcntintrin prfchwintrin pthread ptwriteintrin pwd quadmath quadmath_weak "
    "rdseedintrin regex riscv_vector rtmintrin s390intrin sched search semaphore serializeintrin "
    "setjmp sgxintrin shaintrin signal smmintrin spawn stdalign stdarg stdatomic stdbool stddef "
    "stdfix stdint stdio stdlib stdnoreturn string strings stropts syslimits syslog tar "
    "tbmintrin termios tgmath threads time tmmintrin trace tsxldtrkintrin uchar uintrintrin "
    "ulimit unistd unwind utime utmpx vadefs vaesintrin varargs vecintrin vpclmulqdqintrin "
    "waitpkgintrin wasm_simd128 wbnoinvdintrin wchar wctype wmmintrin wordexp x86gprintrin "
    "x86intrin xmmintrin xopintrin xsavecintrin xsaveintrin xsaveoptintrin xsavesintrin "
    "xtestintrin ";

// Of functions whose endings are those of a tree's: sem_init.
constexpr std::string_view kPrefixes =
    " aio cnd dlfo_map gai inet6_opt inet6_option inet6_rth l mem mtx not_enough "
    "posix_spawn_file_actions posix_spawnattr pthread_attr pthread_barrier pthread_barrierattr "
    "pthread_cond pthread_condattr pthread_mutex pthread_mutexattr pthread_rwlock "
    "pthread_rwlockattr pthread_spin sem ";

bool is_one_of(std::string_view list, std::string_view name) {
  return list.find(" " + std::string(name) + " ") != list.npos;
}

}  // namespace

bool is_header_name(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return is_one_of(kHeaders, lower) || is_one_of(kPrefixes, name);
}

}  // namespace burin
