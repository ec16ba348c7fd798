/* SPDX-License-Identifier: MIT */
/* A collapser in C++ for lines of a stack, root first, and a number, with <brazier/plugin.hpp>:
 * "main>load 12". The name "throw" throws. */
#include <brazier/plugin.hpp>
#include <brazier/text.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace
{

struct lines {
    std::vector<brz_frame> frames;
    std::string last; /* is freed when the instance is closed */

    static int32_t sniff(const brz_head &head)
    {
        auto text = std::string_view(reinterpret_cast<const char *>(head.data), head.len);
        return text.substr(0, 5) == "lines" ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    }

    void open(brz_ctx &ctx)
    {
        brz_column_desc weight{};
        weight.struct_size = sizeof weight;
        weight.name = weight.unit = brz::str("ticks");
        ctx.host->column(&ctx, &weight);
    }

    void read_line(brz_ctx &ctx, brz_str line)
    {
        brz_str stack, count, name;
        int64_t value;
        frames.clear();
        if (!brz_cut_last(line, ' ', &stack, &count) || !brz_parse_i64(count, &value))
            return;
        while (brz_take_piece(&stack, '>', &name)) {
            last = brz::view(name);
            if (last == "throw")
                throw std::runtime_error("a name that throws");
            frames.push_back(ctx.host->intern(&ctx, name.data, name.len));
        }
        brz::check(ctx.host->emit(&ctx, frames.data(), frames.size(), value, 0));
    }

    size_t parse(brz_ctx &ctx, const brz_chunk &chunk)
    {
        brz_str rest = brz_str_of(reinterpret_cast<const char *>(chunk.data), chunk.len), line;
        bool is_last = (chunk.flags & BRZ_CHUNK_LAST) != 0;
        while (brz_cut_first(rest, '\n', &line, &rest))
            read_line(ctx, line);
        if (is_last && rest.len > 0)
            read_line(ctx, rest);
        return is_last ? chunk.len : chunk.len - rest.len;
    }
};

constexpr brz_collapser collapser = brz::collapser_of<lines>();

constexpr brz_component component =
    brz::component_of(collapser, "cpp-lines", "lines in C++", "For tests.");

constexpr const brz_component *components[] = {&component, nullptr};

} // namespace

BRZ_PLUGIN("cpp-lines", "1.0", "MIT", "https://example.org/bugs", components)
