/* SPDX-License-Identifier: MIT */
/* The messages of OpenTelemetry's profiles in the versions of their definition.
 *
 * A member has a name in JSON, which did not change its meaning, and a number in Protocol Buffers,
 * which did. A value is read by the index of its member, the same for all versions and both
 * encodings.
 */
#ifndef OTLP_SCHEMA_H
#define OTLP_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

/* Versions of the definition that differ in their numbers, by where they keep tables and stacks. */
typedef enum layout {
    LAYOUT_PROFILE,    /* 1.4, 1.5: each profile has its tables */
    LAYOUT_DATA,       /* 1.6: the tables are members of the data */
    LAYOUT_DICTIONARY, /* 1.7: the data have a dictionary; samples have ranges of locations */
    LAYOUT_STACKS,     /* 1.8: the dictionary has stacks */
    LAYOUT_USUAL,      /* 1.9 and later */
    N_LAYOUTS
} layout;

typedef enum member_type {
    MEMBER_MESSAGE,
    MEMBER_TEXT,
    MEMBER_NUMBER, /* an integer, or a list of them */
    MEMBER_TRUTH,
    MEMBER_TIME, /* the same; of 8 bytes each since LAYOUT_STACKS */
    MEMBER_REAL, /* a floating-point number */
} member_type;

typedef struct member {
    const char *key;   /* in JSON */
    const char *other; /* the key in another version, or NULL */
    member_type type;
    uint8_t numbers[N_LAYOUTS]; /* in Protocol Buffers; 0: the version does not have it */
} member;

typedef struct schema {
    const member *members;
    size_t n;
} schema;

/* Tables, the first members of all messages that may have them. */
enum {
    TABLE_MAPPINGS,
    TABLE_LOCATIONS,
    TABLE_FUNCTIONS,
    TABLE_LINKS,
    TABLE_TEXTS,
    TABLE_ATTRIBUTES,
    TABLE_UNITS,
    TABLE_STACKS,
    N_TABLES
};

enum { DATA_RESOURCES = N_TABLES, DATA_DICTIONARY };
enum { RESOURCES_RESOURCE, RESOURCES_SCOPES };
enum { RESOURCE_ATTRIBUTES };
enum { SCOPE_PROFILES };
enum {
    PROFILE_TYPES = N_TABLES,
    PROFILE_SAMPLES,
    PROFILE_LOCATIONS,
    PROFILE_TIME,
    PROFILE_DURATION,
    PROFILE_PERIOD_TYPE,
    PROFILE_PERIOD,
    PROFILE_COMMENTS,
    PROFILE_DEFAULT_INDEX,
    PROFILE_DEFAULT_TEXT,
    PROFILE_ATTRIBUTES,
    PROFILE_PAYLOAD_FORMAT,
    PROFILE_CONTAINED
};
enum { TYPE_NAME, TYPE_UNIT };
enum {
    SAMPLE_STACK,
    SAMPLE_FIRST_LOCATION,
    SAMPLE_N_LOCATIONS,
    SAMPLE_VALUES,
    SAMPLE_ATTRIBUTES,
    SAMPLE_LINK,
    SAMPLE_TIMES
};
enum { STACK_LOCATIONS };
enum { LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINES, LOCATION_ATTRIBUTES };
enum { LINE_FUNCTION, LINE_LINE, LINE_COLUMN };
enum { FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_FIRST_LINE };
enum { MAPPING_FILE, MAPPING_ATTRIBUTES };
enum { LINK_TRACE, LINK_SPAN };
enum { ATTRIBUTE_KEY, ATTRIBUTE_KEY_INDEX, ATTRIBUTE_VALUE, ATTRIBUTE_UNIT };
enum { UNIT_KEY, UNIT_UNIT };
enum {
    VALUE_TEXT,
    VALUE_TEXT_INDEX,
    VALUE_TRUTH,
    VALUE_INTEGER,
    VALUE_REAL,
    VALUE_LIST,
    VALUE_OTHER,
    VALUE_BYTES
};
enum { LIST_VALUES };

extern const schema schema_data, schema_dictionary, schema_resources, schema_resource, schema_scope,
    schema_profile, schema_type, schema_sample, schema_stack, schema_location, schema_line,
    schema_function, schema_mapping, schema_link, schema_attribute, schema_own_attribute,
    schema_unit, schema_value, schema_list;

#endif
