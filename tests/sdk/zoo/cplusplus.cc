// A plug-in in C++17, with what the language offers and nothing that leaves it: no exception passes
// the border, and the entry is plain data.
#include <brazier/plugin.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

int32_t sniff(const brz_head *)
{
    return BRZ_SNIFF_NO;
}

brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    try {
        std::vector<std::string> names{"lines"};
        std::vector<brz_frame> frames;
        for (const auto &name : names)
            frames.push_back(ctx->host->intern(ctx, name.data(), name.size()));
        auto lines = std::count(chunk->data, chunk->data + chunk->len, uint8_t{'\n'});
        *used = chunk->len;
        return ctx->host->emit(ctx, frames.data(), frames.size(), lines, 0);
    } catch (...) {
        brz_report(ctx, BRZ_FATAL, "zoo.exception", nullptr, 0, BRZ_STR("out of memory"));
        return BRZ_ERROR;
    }
}

// Members without a name here are zero: C++17 has no designated initializers.
constexpr brz_collapser make_collapser()
{
    brz_collapser c{};
    c.struct_size = sizeof c;
    c.sniff = sniff;
    c.parse = parse;
    return c;
}

constexpr brz_collapser collapser = make_collapser();

constexpr brz_component make_component()
{
    brz_component c{};
    c.struct_size = sizeof c;
    c.kind = BRZ_COLLAPSER;
    c.id = "zoo";
    c.summary = "an animal in C++";
    c.vtable = &collapser;
    return c;
}

constexpr brz_component component = make_component();
constexpr const brz_component *components[] = {&component, nullptr};

} // namespace

BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
