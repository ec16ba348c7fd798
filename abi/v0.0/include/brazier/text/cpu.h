/** @file
 * What this processor can do beyond what every one of its kind can.
 *
 * The C library found that out when the program started; asking the processor again costs a
 * microsecond per question on a virtual machine, where each is a trap. With BRZ_PORTABLE defined
 * nothing is used but what every processor has.
 */
#ifndef BRAZIER_TEXT_CPU_H
#define BRAZIER_TEXT_CPU_H

#include <brazier/base.h>

/** 1 if functions can be compiled for AVX2. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(BRZ_PORTABLE)
#define BRZ_HAVE_AVX2 1
#include <immintrin.h>
#else
#define BRZ_HAVE_AVX2 0
#endif

/* The C library's header is C, and no C++. */
#if BRZ_HAVE_AVX2 && defined(__has_include) && !defined(__cplusplus)
#if __has_include(<sys/platform/x86.h>)
#define BRZ_LIBC_KNOWS_CPU 1
#include <sys/platform/x86.h>
#endif
#endif

/** Whether functions compiled for AVX2 and BMI1 may be called. */
static inline bool brz_cpu_has_avx2(void)
{
#if defined(BRZ_LIBC_KNOWS_CPU)
    return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1);
#elif BRZ_HAVE_AVX2
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#else
    return false;
#endif
}

#endif
