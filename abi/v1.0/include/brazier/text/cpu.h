/* SPDX-License-Identifier: MIT */
/** @file
 * Detects optional features of the processor.
 *
 * The C library determines them when the program starts. Asking the processor each time would cost
 * a microsecond on a virtual machine, where the instruction traps. If BRZ_PORTABLE is defined, only
 * features that every processor has are used.
 */
#ifndef BRAZIER_TEXT_CPU_H
#define BRAZIER_TEXT_CPU_H

#include <brazier/base.h>

/** 1 if the compiler can generate code for AVX2 and BMI1. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(BRZ_PORTABLE)
#define BRZ_HAVE_AVX2 1
#else
#define BRZ_HAVE_AVX2 0
#endif

/* The C library's header is not valid C++. */
#if BRZ_HAVE_AVX2 && defined(__has_include) && !defined(__cplusplus)
#if __has_include(<sys/platform/x86.h>)
#define BRZ_LIBC_KNOWS_CPU 1
#include <sys/platform/x86.h>
#endif
#endif

/** Returns whether functions compiled for AVX2 and BMI1 may be called. */
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

/** The faster one of two functions, for AVX2 and BMI1 and for every processor. The first one need
 * not exist unless #BRZ_HAVE_AVX2. */
#if BRZ_HAVE_AVX2
#define BRZ_CPU_BEST(avx2_, portable_) (brz_cpu_has_avx2() ? (avx2_) : (portable_))
#else
#define BRZ_CPU_BEST(avx2_, portable_) (portable_)
#endif

#endif
