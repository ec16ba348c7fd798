/* SPDX-License-Identifier: MIT */
/** @file
 * Describes tags: the process, thread, processor and labels of samples.
 */
#ifndef BRAZIER_TAG_H
#define BRAZIER_TAG_H

#include <brazier/base.h>

#include <string.h>

/** A label of a tag: a key with a text, or with a number and its unit, as columns have them. */
typedef struct brz_label {
    brz_str key;       /**< name of the label */
    brz_str text;      /**< value, unless the label is a number */
    brz_str unit;      /**< unit of the number, such as "bytes"; empty: none */
    int64_t number;    /**< value of a number, in units of 10^-decimals */
    uint32_t flags;    /**< BRZ_LABEL_NUMBER, or 0 */
    uint32_t decimals; /**< of the number; at most 9. In a tree, the last one is not 0 */
} brz_label;

#define BRZ_LABEL_NUMBER 1u /**< the value is `number`, not `text` */

/** Describes where samples were taken. Two tags are equal if all members are equal, whatever the
 * order of their labels. */
typedef struct brz_tag_desc {
    uint32_t struct_size;    /**< sizeof(brz_tag_desc) */
    uint32_t flags;          /**< BRZ_TAG_PROCESS and others: the numbers that are known */
    int64_t process;         /**< process id, with BRZ_TAG_PROCESS */
    int64_t thread;          /**< thread id, with BRZ_TAG_THREAD */
    uint32_t cpu;            /**< number of the processor, with BRZ_TAG_CPU */
    uint32_t label_size;     /**< sizeof(brz_label) */
    brz_str process_name;    /**< name of the process; empty: unknown */
    brz_str thread_name;     /**< name of the thread; empty: unknown */
    const brz_label *labels; /**< array of labels, or NULL */
    uint32_t n_labels;       /**< number of labels */
    uint32_t reserved;       /**< 0; ignore it */
} brz_tag_desc;

/* Flags of a tag. */
#define BRZ_TAG_PROCESS 1u /**< `process` is known */
#define BRZ_TAG_THREAD  2u /**< `thread` is known */
#define BRZ_TAG_CPU     4u /**< `cpu` is known */

/** Returns a description without known members; set them, with their flags. */
static inline brz_tag_desc brz_tag_empty(void)
{
    brz_tag_desc tag;
    memset(&tag, 0, sizeof tag);
    tag.struct_size = (uint32_t)sizeof tag;
    tag.label_size = (uint32_t)sizeof(brz_label);
    return tag;
}

/** Returns the description of a thread; the name may be empty. */
static inline brz_tag_desc brz_tag_of_thread(int64_t thread, brz_str name)
{
    brz_tag_desc tag = brz_tag_empty();
    tag.flags = BRZ_TAG_THREAD;
    tag.thread = thread;
    tag.thread_name = name;
    return tag;
}

#endif
