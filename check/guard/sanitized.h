/* Detects builds with a sanitizer, which changes the process's time, heap and address space. */
#ifndef BRZ_CHECK_SANITIZED_H
#define BRZ_CHECK_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHECK_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CHECK_SANITIZED 1
#endif
#endif

#ifndef CHECK_SANITIZED
#define CHECK_SANITIZED 0
#endif

#endif
