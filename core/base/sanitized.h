/* SPDX-License-Identifier: MIT */
/* Detects builds with a sanitizer, which changes the process's time, heap and address space. */
#ifndef BRZ_SANITIZED_H
#define BRZ_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BRZ_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define BRZ_SANITIZED 1
#endif
#endif

#ifndef BRZ_SANITIZED
#define BRZ_SANITIZED 0
#endif

#endif
