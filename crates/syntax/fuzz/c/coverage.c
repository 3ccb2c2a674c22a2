// Tells libFuzzer which code of the grammars ran.
//
// The suite `grammars` compiles C code with `-fsanitize-coverage=trace-pc`, which GCC and
// Clang know: each branch calls `__sanitizer_cov_trace_pc`. libFuzzer has a function of
// this name that ends the program, so the linker puts the one below in its place.
// libFuzzer takes the counters of the section `__libfuzzer_extra_counters` as coverage.

#include <stdint.h>

#if defined(__clang__)
#define NOT_TRACED __attribute__((no_sanitize("coverage", "address")))
#else
#define NOT_TRACED __attribute__((no_sanitize_coverage, no_sanitize_address))
#endif

enum { COUNTERS = 1 << 16 };

__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

NOT_TRACED void __wrap___sanitizer_cov_trace_pc(void) {
    uint64_t caller = (uint64_t)(uintptr_t)__builtin_return_address(0);
    uint64_t at = caller * UINT64_C(0x9E3779B97F4A7C15) >> 48;
    if (counters[at] != UINT8_MAX) counters[at]++;
}
