# Writes OUTPUT from PAIRS, "NAME|FILE|NAME|FILE…": see BrzEmbed.cmake.

string(REPLACE "|" ";" pairs "${PAIRS}")
set(text "/* Made from files of the source tree. */\n#include <stddef.h>\n")
while(pairs)
    list(POP_FRONT pairs name file)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND text "static const unsigned char ${name}[] = {${bytes}};\n"
                       "static const size_t ${name}_size = sizeof ${name};\n")
endwhile()
file(WRITE "${OUTPUT}" "${text}")
