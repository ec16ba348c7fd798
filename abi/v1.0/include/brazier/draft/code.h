/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.code/1`: the machine code of the heaviest functions, for outputs
 * that show instructions with their samples.
 *
 * A collapser that can read the recorded programs offers #brz_code_source, and an output that needs
 * their code #brz_code_reader. If a run has both, the host asks the collapser, when the input has
 * been read, for the code at the addresses where stacks end, and keeps that of the heaviest
 * functions. The output finds it through #brz_code_list.
 */
#ifndef BRAZIER_DRAFT_CODE_H
#define BRAZIER_DRAFT_CODE_H

#include <brazier/output.h>

/** The id for brz_collapser.offer, which returns a #brz_code_source; for brz_output.offer, which
 * returns a #brz_code_reader; and for brz_output_host.extension, which returns a #brz_code_list. */
#define BRZ_CODE_ID "brz.draft.code/1"

/** Maximum size of the code of a function. */
#define BRZ_CODE_MAX ((size_t)1 << 20)

/** Flag of brz_code: numbers have their highest byte first. */
#define BRZ_CODE_BIG_ENDIAN 1u

/** The code of a function. */
typedef struct brz_code {
    uint32_t struct_size; /**< sizeof(brz_code) */
    uint32_t machine;     /**< the processor: the number EM_* of ELF files */
    uint32_t flags;       /**< BRZ_CODE_BIG_ENDIAN, or 0 */
    uint32_t reserved;    /**< 0; ignore it */
    uint64_t address;     /**< address of the first byte, counted as brz_frame_info.address is */
    uint64_t shown;       /**< address of the first byte as disassemblers of its file show it */
    brz_str bytes;        /**< the code, at most BRZ_CODE_MAX bytes */
} brz_code;

/** A collapser's access to code. */
typedef struct brz_code_source {
    uint32_t struct_size; /**< sizeof(brz_code_source) */
    uint32_t reserved;    /**< 0 */
    /** Finds the function that contains the address of a frame, which has a module. Called after
     * `finish`, before `close`. The host sets `struct_size` of *code; the bytes must stay valid
     * until `close`. Returns false unless the code is that of the recorded file for certain. */
    bool (*find)(brz_ctx *, const brz_frame_info *at, brz_code *code);
} brz_code_source;

/** States that an output needs code. */
typedef struct brz_code_reader {
    uint32_t struct_size; /**< sizeof(brz_code_reader) */
    uint32_t reserved;    /**< 0 */
} brz_code_reader;

/** The service for outputs. */
typedef struct brz_code_list {
    uint32_t struct_size; /**< sizeof(brz_code_list) in the host */
    uint32_t reserved;    /**< 0; ignore it */
    /** Returns the code of the function that contains the address of a frame, or NULL. It stays
     * valid as long as the instance. Equal pointers are the same function. */
    const brz_code *(*find)(brz_output_ctx *, const brz_frame_info *at);
} brz_code_list;

#endif
