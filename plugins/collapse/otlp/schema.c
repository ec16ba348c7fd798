/* SPDX-License-Identifier: MIT */
/* The messages of OpenTelemetry's profiles in the versions of their definition. */
#include "schema.h"

/* clang-format off */
#define TABLES(mappings, locations, functions, links, texts, attributes, units, stacks)            \
    [TABLE_MAPPINGS] = {"mappingTable", NULL, MEMBER_MESSAGE, {mappings}},                         \
    [TABLE_LOCATIONS] = {"locationTable", NULL, MEMBER_MESSAGE, {locations}},                      \
    [TABLE_FUNCTIONS] = {"functionTable", NULL, MEMBER_MESSAGE, {functions}},                      \
    [TABLE_LINKS] = {"linkTable", NULL, MEMBER_MESSAGE, {links}},                                  \
    [TABLE_TEXTS] = {"stringTable", NULL, MEMBER_TEXT, {texts}},                                   \
    [TABLE_ATTRIBUTES] = {"attributeTable", NULL, MEMBER_MESSAGE, {attributes}},                   \
    [TABLE_UNITS] = {"attributeUnits", NULL, MEMBER_MESSAGE, {units}},                             \
    [TABLE_STACKS] = {"stackTable", NULL, MEMBER_MESSAGE, {stacks}}
#define IN_PROFILE(n)    n, 0, 0, 0, 0
#define IN_DATA(n)       0, n, 0, 0, 0
#define IN_DICTIONARY(n) 0, 0, n, n, n
#define ALWAYS(n)        {n, n, n, n, n}

static const member data[] = {
    TABLES(IN_DATA(2), IN_DATA(3), IN_DATA(4), IN_DATA(5), IN_DATA(6), IN_DATA(7), IN_DATA(8), 0),
    [DATA_RESOURCES] = {"resourceProfiles", NULL, MEMBER_MESSAGE, ALWAYS(1)},
    [DATA_DICTIONARY] = {"dictionary", NULL, MEMBER_MESSAGE, {0, 0, 2, 2, 2}},
};
#define UNITS_IN_DICTIONARY  0, 0, 7, 0, 0
#define STACKS_IN_DICTIONARY 0, 0, 0, 7, 7
static const member dictionary[] = {
    TABLES(IN_DICTIONARY(1), IN_DICTIONARY(2), IN_DICTIONARY(3), IN_DICTIONARY(4),
           IN_DICTIONARY(5), IN_DICTIONARY(6), UNITS_IN_DICTIONARY, STACKS_IN_DICTIONARY),
};
static const member resources[] = {
    [RESOURCES_RESOURCE] = {"resource", NULL, MEMBER_MESSAGE, ALWAYS(1)},
    [RESOURCES_SCOPES] = {"scopeProfiles", NULL, MEMBER_MESSAGE, ALWAYS(2)},
};
static const member resource[] = {
    [RESOURCE_ATTRIBUTES] = {"attributes", NULL, MEMBER_MESSAGE, ALWAYS(1)},
};
static const member scope[] = {
    [SCOPE_PROFILES] = {"profiles", NULL, MEMBER_MESSAGE, ALWAYS(2)},
};
static const member profile[] = {
    TABLES(IN_PROFILE(3), IN_PROFILE(4), IN_PROFILE(6), IN_PROFILE(9), IN_PROFILE(10),
           IN_PROFILE(7), IN_PROFILE(8), 0),
    [PROFILE_TYPES] = {"sampleType", NULL, MEMBER_MESSAGE, ALWAYS(1)},
    [PROFILE_SAMPLES] = {"samples", "sample", MEMBER_MESSAGE, ALWAYS(2)},
    [PROFILE_LOCATIONS] = {"locationIndices", NULL, MEMBER_NUMBER, {5, 3, 3, 0, 0}},
    [PROFILE_TIME] = {"timeUnixNano", "timeNanos", MEMBER_TIME, {11, 4, 4, 3, 3}},
    [PROFILE_DURATION] = {"durationNano", "durationNanos", MEMBER_NUMBER, {12, 5, 5, 4, 4}},
    [PROFILE_PERIOD_TYPE] = {"periodType", NULL, MEMBER_MESSAGE, {13, 6, 6, 5, 5}},
    [PROFILE_PERIOD] = {"period", NULL, MEMBER_NUMBER, {14, 7, 7, 6, 6}},
    [PROFILE_COMMENTS] = {"commentStrindices", NULL, MEMBER_NUMBER, {15, 8, 8, 7, 0}},
    [PROFILE_DEFAULT_INDEX] = {"defaultSampleTypeIndex", NULL, MEMBER_NUMBER, {0, 9, 9, 0, 0}},
    [PROFILE_DEFAULT_TEXT] = {"defaultSampleTypeStrindex", NULL, MEMBER_NUMBER, {16, 0, 0, 0, 0}},
    [PROFILE_ATTRIBUTES] = {"attributeIndices", NULL, MEMBER_NUMBER, {22, 14, 14, 12, 11}},
    [PROFILE_PAYLOAD_FORMAT] = {"originalPayloadFormat", NULL, MEMBER_TEXT, {20, 12, 12, 10, 9}},
    [PROFILE_CONTAINED] = {"profile", NULL, MEMBER_MESSAGE, ALWAYS(0)},
};
static const member type[] = {
    [TYPE_NAME] = {"typeStrindex", NULL, MEMBER_NUMBER, ALWAYS(1)},
    [TYPE_UNIT] = {"unitStrindex", NULL, MEMBER_NUMBER, ALWAYS(2)},
};
static const member sample[] = {
    [SAMPLE_STACK] = {"stackIndex", NULL, MEMBER_NUMBER, {0, 0, 0, 1, 1}},
    [SAMPLE_FIRST_LOCATION] = {"locationsStartIndex", NULL, MEMBER_NUMBER, {1, 1, 1, 0, 0}},
    [SAMPLE_N_LOCATIONS] = {"locationsLength", NULL, MEMBER_NUMBER, {2, 2, 2, 0, 0}},
    [SAMPLE_VALUES] = {"values", "value", MEMBER_NUMBER, {3, 3, 3, 2, 4}},
    [SAMPLE_ATTRIBUTES] = {"attributeIndices", NULL, MEMBER_NUMBER, {4, 4, 4, 3, 2}},
    [SAMPLE_LINK] = {"linkIndex", NULL, MEMBER_NUMBER, {5, 5, 5, 4, 3}},
    [SAMPLE_TIMES] = {"timestampsUnixNano", NULL, MEMBER_TIME, {6, 6, 6, 5, 5}},
};
static const member stack[] = {
    [STACK_LOCATIONS] = {"locationIndices", NULL, MEMBER_NUMBER, ALWAYS(1)},
};
static const member location[] = {
    [LOCATION_MAPPING] = {"mappingIndex", NULL, MEMBER_NUMBER, ALWAYS(1)},
    [LOCATION_ADDRESS] = {"address", NULL, MEMBER_NUMBER, ALWAYS(2)},
    [LOCATION_LINES] = {"lines", "line", MEMBER_MESSAGE, ALWAYS(3)},
    [LOCATION_ATTRIBUTES] = {"attributeIndices", NULL, MEMBER_NUMBER, {5, 5, 5, 4, 4}},
};
static const member line[] = {
    [LINE_FUNCTION] = {"functionIndex", NULL, MEMBER_NUMBER, ALWAYS(1)},
    [LINE_LINE] = {"line", NULL, MEMBER_NUMBER, ALWAYS(2)},
    [LINE_COLUMN] = {"column", NULL, MEMBER_NUMBER, ALWAYS(3)},
};
static const member function[] = {
    [FUNCTION_NAME] = {"nameStrindex", NULL, MEMBER_NUMBER, ALWAYS(1)},
    [FUNCTION_SYSTEM_NAME] = {"systemNameStrindex", NULL, MEMBER_NUMBER, ALWAYS(2)},
    [FUNCTION_FILE] = {"filenameStrindex", NULL, MEMBER_NUMBER, ALWAYS(3)},
    [FUNCTION_FIRST_LINE] = {"startLine", NULL, MEMBER_NUMBER, ALWAYS(4)},
};
static const member mapping[] = {
    [MAPPING_FILE] = {"filenameStrindex", NULL, MEMBER_NUMBER, ALWAYS(4)},
    [MAPPING_ATTRIBUTES] = {"attributeIndices", NULL, MEMBER_NUMBER, ALWAYS(5)},
};
static const member link[] = {
    [LINK_TRACE] = {"traceId", NULL, MEMBER_TEXT, ALWAYS(1)},
    [LINK_SPAN] = {"spanId", NULL, MEMBER_TEXT, ALWAYS(2)},
};
/* The attributes in the table of the data. */
static const member attribute[] = {
    [ATTRIBUTE_KEY] = {"key", NULL, MEMBER_TEXT, {1, 1, 1, 0, 0}},
    [ATTRIBUTE_KEY_INDEX] = {"keyStrindex", NULL, MEMBER_NUMBER, {0, 0, 0, 1, 1}},
    [ATTRIBUTE_VALUE] = {"value", NULL, MEMBER_MESSAGE, ALWAYS(2)},
    [ATTRIBUTE_UNIT] = {"unitStrindex", NULL, MEMBER_NUMBER, {0, 0, 0, 3, 3}},
};
/* The attributes of a resource. */
static const member own_attribute[] = {
    [ATTRIBUTE_KEY] = {"key", NULL, MEMBER_TEXT, ALWAYS(1)},
    [ATTRIBUTE_KEY_INDEX] = {"keyStrindex", NULL, MEMBER_NUMBER, ALWAYS(3)},
    [ATTRIBUTE_VALUE] = {"value", NULL, MEMBER_MESSAGE, ALWAYS(2)},
};
static const member unit[] = {
    [UNIT_KEY] = {"attributeKeyStrindex", NULL, MEMBER_NUMBER, ALWAYS(1)},
    [UNIT_UNIT] = {"unitStrindex", NULL, MEMBER_NUMBER, ALWAYS(2)},
};
static const member value[] = {
    [VALUE_TEXT] = {"stringValue", NULL, MEMBER_TEXT, ALWAYS(1)},
    [VALUE_TEXT_INDEX] = {"stringValueStrindex", NULL, MEMBER_NUMBER, ALWAYS(8)},
    [VALUE_TRUTH] = {"boolValue", NULL, MEMBER_TRUTH, ALWAYS(2)},
    [VALUE_INTEGER] = {"intValue", NULL, MEMBER_NUMBER, ALWAYS(3)},
    [VALUE_REAL] = {"doubleValue", NULL, MEMBER_REAL, ALWAYS(4)},
    [VALUE_LIST] = {"arrayValue", NULL, MEMBER_MESSAGE, ALWAYS(5)},
    [VALUE_OTHER] = {"kvlistValue", NULL, MEMBER_MESSAGE, ALWAYS(6)},
    [VALUE_BYTES] = {"bytesValue", NULL, MEMBER_TEXT, ALWAYS(7)},
};
static const member list[] = {
    [LIST_VALUES] = {"values", NULL, MEMBER_MESSAGE, ALWAYS(1)},
};
/* clang-format on */

#define SCHEMA(of)                                                                                 \
    {                                                                                              \
        of, sizeof of / sizeof of[0]                                                               \
    }

const schema schema_data = SCHEMA(data), schema_dictionary = SCHEMA(dictionary),
             schema_resources = SCHEMA(resources), schema_resource = SCHEMA(resource),
             schema_scope = SCHEMA(scope), schema_profile = SCHEMA(profile),
             schema_type = SCHEMA(type), schema_sample = SCHEMA(sample),
             schema_stack = SCHEMA(stack), schema_location = SCHEMA(location),
             schema_line = SCHEMA(line), schema_function = SCHEMA(function),
             schema_mapping = SCHEMA(mapping), schema_link = SCHEMA(link),
             schema_attribute = SCHEMA(attribute), schema_own_attribute = SCHEMA(own_attribute),
             schema_unit = SCHEMA(unit), schema_value = SCHEMA(value), schema_list = SCHEMA(list);
