/* SPDX-License-Identifier: MIT */
/* Writes a call graph for Graphviz; an output in C++.
 *
 * Each function is one box. The weight of a function or a call is that of the stacks that contain
 * it; recursion counts once.
 */
#include <brazier/plugin.hpp>

#include <map>
#include <utility>
#include <vector>

namespace
{

struct options {
    double min; /* percent */
};

/* Adds to a sum, which saturates at the limits of int64_t. */
void add_to(int64_t &sum, int64_t value)
{
    if (__builtin_add_overflow(sum, value, &sum))
        sum = value > 0 ? INT64_MAX : INT64_MIN;
}

/* Sums up stacks. Functions and calls are identified by the tree's frame numbers. */
class call_graph
{
  public:
    using calls = std::map<std::pair<uint32_t, uint32_t>, int64_t>;

    explicit call_graph(uint32_t n_frames) : self_(n_frames), total_(n_frames), seen_in_(n_frames)
    {
    }

    void add(const brz_stack_info &stack, int64_t value)
    {
        stacks_++;
        edges_.clear();
        for (uint32_t i = 0; i < stack.n; i++) {
            uint32_t frame = stack.frames[i];
            if (seen_in_[frame] != stacks_) {
                seen_in_[frame] = stacks_;
                add_to(total_[frame], value);
            }
            if (i > 0)
                edges_[{stack.frames[i - 1], frame}] = value;
        }
        for (const auto &edge : edges_)
            add_to(calls_[edge.first], edge.second);
        if (stack.n > 0)
            add_to(self_[stack.frames[stack.n - 1]], value);
        add_to(weight_, value);
    }

    int64_t self(uint32_t frame) const
    {
        return self_[frame];
    }
    int64_t total(uint32_t frame) const
    {
        return total_[frame];
    }
    const calls &all_calls() const
    {
        return calls_;
    }

    double percent(int64_t value) const
    {
        return weight_ == 0 ? 0 : 100.0 * static_cast<double>(value) / static_cast<double>(weight_);
    }

  private:
    std::vector<int64_t> self_, total_;
    std::vector<uint64_t> seen_in_; /* by frame: the last stack that contains it, from 1 */
    calls calls_, edges_;
    uint64_t stacks_ = 0;
    int64_t weight_ = 0;
};

/* Writes text for use within quotes in the language of Graphviz. */
void put_quoted(brz_writer *w, brz_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        auto c = static_cast<unsigned char>(s.data[i]);
        if (c == '"' || c == '\\')
            brz_put_char(w, '\\');
        brz_put_char(w, c < 0x20 || c == 0x7f ? ' ' : s.data[i]);
    }
}

void put_share(brz_writer *w, const call_graph &g, int64_t value, uint32_t decimals)
{
    brz_put_scaled(w, value, decimals);
    BRZ_PUT(w, " (");
    brz_put_fixed(w, g.percent(value), 1);
    BRZ_PUT(w, "%)");
}

void put_function(brz_writer *w, const call_graph &g, const brz_tree &tree, uint32_t frame)
{
    uint32_t decimals = brz_column_at(&tree, tree.main_column)->decimals;
    BRZ_PUT(w, "    f");
    brz_put_u64(w, frame);
    BRZ_PUT(w, " [label=\"");
    put_quoted(w, brz_display_name(brz_frame_at(&tree, frame)));
    BRZ_PUT(w, "\\n");
    put_share(w, g, g.total(frame), decimals);
    if (g.self(frame) > 0 && g.self(frame) < g.total(frame)) {
        BRZ_PUT(w, "\\nself ");
        put_share(w, g, g.self(frame), decimals);
    }
    BRZ_PUT(w, "\"];\n");
}

void put_call(brz_writer *w, const call_graph &g, const brz_tree &tree,
              const call_graph::calls::value_type &call)
{
    BRZ_PUT(w, "    f");
    brz_put_u64(w, call.first.first);
    BRZ_PUT(w, " -> f");
    brz_put_u64(w, call.first.second);
    BRZ_PUT(w, " [label=\"");
    brz_put_scaled(w, call.second, brz_column_at(&tree, tree.main_column)->decimals);
    BRZ_PUT(w, "\", penwidth=");
    brz_put_fixed(w, 1 + g.percent(call.second) / 25, 2);
    BRZ_PUT(w, "];\n");
}

/* The output; whatever it throws becomes a message. */
struct dot {
    void write(brz_output_ctx &ctx, const brz_tree &tree, brz_writer &w)
    {
        auto *o = static_cast<const options *>(ctx.cfg);
        call_graph g(tree.n_frames);
        for (const brz_stack_info &stack : brz::stacks(tree))
            g.add(stack, stack.values[tree.main_column]);
        auto is_drawn = [&](uint32_t frame) {
            return g.total(frame) != 0 && g.percent(g.total(frame)) >= o->min;
        };
        BRZ_PUT(&w, "digraph calls {\n    node [shape=box, fontname=\"sans-serif\"];\n");
        for (uint32_t frame = 0; frame < tree.n_frames; frame++)
            if (is_drawn(frame))
                put_function(&w, g, tree, frame);
        for (const auto &call : g.all_calls())
            if (is_drawn(call.first.first) && is_drawn(call.first.second))
                put_call(&w, g, tree, call);
        BRZ_PUT(&w, "}\n");
    }
};

constexpr brz_option option_table[] = {
    {"min", BRZ_OPTION_REAL, 0, offsetof(options, min), "0.5",
     "functions of less than so many percent are left out", nullptr, "0..100"},
};

constexpr const char *endings[] = {"dot", "gv", nullptr};

constexpr brz_output output = brz::output_of<dot>(BRZ_OUTPUT_STACKS, "text/vnd.graphviz", endings);

constexpr brz_component component = brz::component_of<options>(
    output, "dot", "call graph for Graphviz", "Draw it with `dot -Tsvg`.", option_table);

constexpr const brz_component *components[] = {&component, nullptr};

} // namespace

BRZ_PLUGIN("dot", "1.0", "MIT", "https://example.org/brazier-dot/issues", components)
