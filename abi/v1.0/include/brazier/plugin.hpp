/* SPDX-License-Identifier: MIT */
/** @file
 * Wraps the interface for C++17: descriptors without designated initialisers, instances that are
 * constructed and destroyed, and functions that let no exception leave the plug-in.
 *
 *     struct steps {
 *         std::vector<brz_frame> frames;
 *         static int32_t sniff(const brz_head &head);
 *         void open(brz_ctx &ctx);
 *         size_t parse(brz_ctx &ctx, const brz_chunk &chunk); // returns how many bytes it used
 *     };
 *
 *     constexpr brz_collapser collapser = brz::collapser_of<steps>();
 *     constexpr brz_component component =
 *         brz::component_of(collapser, "steps", "steps of a program", "Record with `steps`.");
 *     constexpr const brz_component *components[] = {&component, nullptr};
 *     BRZ_PLUGIN("steps", "1.0", "MIT", "https://example.org/bugs", components)
 *
 * Methods report failures of the input with brz::fail(), test results with brz::check(), and may
 * throw anything: a run then fails with a message. Closing an instance frees what it owns.
 */
#ifndef BRAZIER_PLUGIN_HPP
#define BRAZIER_PLUGIN_HPP

#include <brazier/plugin.h>
#include <brazier/write.h>

#include <exception>
#include <new>
#include <string_view>
#include <type_traits>

namespace brz
{

/** Returns a view of a text. */
inline std::string_view view(brz_str s)
{
    return s.len > 0 ? std::string_view(s.data, s.len) : std::string_view();
}

/** Returns a view of a text for the host. */
inline brz_str str(std::string_view s)
{
    return brz_str_of(s.data(), s.size());
}

/* ---- failures -------------------------------------------------------------------------------- */

/** Is thrown when the run is ending, for a reason that has been reported. */
struct ending {
    brz_rc rc; /**< what the function returns to the host */
};

/** Throws unless a service returned BRZ_OK. */
inline void check(brz_rc rc)
{
    if (rc != BRZ_OK)
        throw ending{rc};
}

/** Reports a diagnostic without a position, in any role. `code` is static text. */
template <typename Ctx>
void report(Ctx &ctx, int32_t severity, const char *code, std::string_view msg)
{
    brz_diag d = brz_diag_of(severity, code, nullptr, 0, str(msg));
    ctx.host->diag(&ctx, &d);
}

/** Reports why the run fails, and ends the function. */
template <typename Ctx> [[noreturn]] void fail(Ctx &ctx, const char *code, std::string_view msg)
{
    report(ctx, BRZ_FATAL, code, msg);
    throw ending{BRZ_ERROR};
}

/** Calls `work` and returns its result for the host, whatever it throws. */
template <typename Ctx, typename Work> brz_rc guarded(Ctx &ctx, Work work) noexcept
{
    try {
        work();
        return BRZ_OK;
    } catch (const ending &e) {
        return e.rc;
    } catch (const std::bad_alloc &) {
        report(ctx, BRZ_FATAL, "cpp.memory", "not enough memory");
    } catch (const std::exception &e) {
        report(ctx, BRZ_FATAL, "cpp.exception", e.what());
    } catch (...) {
        report(ctx, BRZ_FATAL, "cpp.exception", "an unknown exception");
    }
    return BRZ_ERROR;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/** Allocates the memory of containers from the host, which frees it with the instance. */
template <typename T, typename Ctx> class allocator
{
  public:
    using value_type = T;

    explicit allocator(Ctx &ctx) : ctx_(&ctx)
    {
    }
    template <typename U> explicit allocator(const allocator<U, Ctx> &other) : ctx_(other.context())
    {
    }
    T *allocate(size_t n)
    {
        if (n > SIZE_MAX / sizeof(T))
            throw std::bad_alloc();
        return static_cast<T *>(ctx_->host->alloc(ctx_, n * sizeof(T), alignof(T)));
    }
    void deallocate(T *, size_t) noexcept
    {
    }
    Ctx *context() const
    {
        return ctx_;
    }

  private:
    Ctx *ctx_;
};

template <typename T, typename U, typename Ctx>
bool operator==(const allocator<T, Ctx> &a, const allocator<U, Ctx> &b)
{
    return a.context() == b.context();
}

/** The memory of an instance, which is zeroed before it is opened. */
template <typename T> struct slot {
    alignas(T) unsigned char memory[sizeof(T)];
    bool is_open;

    template <typename Ctx> static T &of(const Ctx *ctx)
    {
        return *std::launder(reinterpret_cast<T *>(static_cast<slot *>(ctx->inst)->memory));
    }
    template <typename Ctx> static T &create(const Ctx *ctx)
    {
        auto *s = static_cast<slot *>(ctx->inst);
        T *instance = new (s->memory) T();
        s->is_open = true;
        return *instance;
    }
    template <typename Ctx> static void close(Ctx *ctx)
    {
        auto *s = static_cast<slot *>(ctx->inst);
        if (s->is_open)
            of(ctx).~T();
        s->is_open = false;
    }
};

/* ---- trees ----------------------------------------------------------------------------------- */

/** The elements of an array of a tree, for range-based loops, whatever their size in the host. */
template <typename T> class range
{
  public:
    class iterator
    {
      public:
        iterator(const void *at, uint32_t size) : at_(static_cast<const char *>(at)), size_(size)
        {
        }
        const T &operator*() const
        {
            return *reinterpret_cast<const T *>(at_);
        }
        iterator &operator++()
        {
            at_ += size_;
            return *this;
        }
        bool operator!=(const iterator &other) const
        {
            return at_ != other.at_;
        }

      private:
        const char *at_;
        uint32_t size_;
    };

    range(const void *items, uint32_t size, size_t n) : items_(items), size_(size), n_(n)
    {
    }
    iterator begin() const
    {
        return {items_, size_};
    }
    iterator end() const
    {
        return {n_ > 0 ? brz_at(items_, size_, n_) : items_, size_};
    }

  private:
    const void *items_;
    uint32_t size_;
    size_t n_;
};

/** Returns the nodes of a tree. */
inline range<brz_node> nodes(const brz_tree &t)
{
    return {t.nodes, t.node_size, t.n_nodes};
}

/** Returns the stacks of a tree. */
inline range<brz_stack_info> stacks(const brz_tree &t)
{
    return {t.stacks, t.stack_size, t.n_stacks};
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/** Returns the table of a collapser. `T` has the members `sniff`, `open` and `parse` of the example
 * above; set other members, such as `flags` and `boundary`, in a constexpr function. */
template <typename T> constexpr brz_collapser collapser_of()
{
    brz_collapser c{};
    c.struct_size = sizeof c;
    c.inst_size = sizeof(slot<T>);
    c.magic_size = sizeof(brz_magic);
    c.sniff = [](const brz_head *head) -> int32_t { return T::sniff(*head); };
    c.open = [](brz_ctx *ctx) { return guarded(*ctx, [&] { slot<T>::create(ctx).open(*ctx); }); };
    c.parse = [](brz_ctx *ctx, const brz_chunk *chunk, size_t *used) {
        return guarded(*ctx, [&] { *used = slot<T>::of(ctx).parse(*ctx, *chunk); });
    };
    c.close = [](brz_ctx *ctx) { slot<T>::close(ctx); };
    return c;
}

/** Returns the table of an output. `T` has `void write(brz_output_ctx &, const brz_tree &,
 * brz_writer &)`; what it writes is flushed. */
template <typename T>
constexpr brz_output output_of(uint32_t flags, const char *media_type, const char *const *endings)
{
    brz_output o{};
    o.struct_size = sizeof o;
    o.flags = flags;
    o.inst_size = sizeof(slot<T>);
    o.media_type = media_type;
    o.endings = endings;
    o.write = [](brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink) {
        return guarded(*ctx, [&] {
            brz_writer w;
            brz_writer_init(&w, ctx, sink);
            slot<T>::create(ctx).write(*ctx, *tree, w);
            check(brz_writer_finish(&w));
        });
    };
    o.close = [](brz_output_ctx *ctx) { slot<T>::close(ctx); };
    return o;
}

/** The kind of a component by the type of its table. */
template <typename Table> constexpr uint32_t kind_of()
{
    return std::is_same_v<Table, brz_collapser>   ? BRZ_COLLAPSER
           : std::is_same_v<Table, brz_palette>   ? BRZ_PALETTE
           : std::is_same_v<Table, brz_transform> ? BRZ_TRANSFORM
                                                  : BRZ_OUTPUT;
}

/** Returns a component without options. */
template <typename Table>
constexpr brz_component component_of(const Table &table, const char *id, const char *summary,
                                     const char *help)
{
    brz_component c{};
    c.struct_size = sizeof c;
    c.kind = kind_of<Table>();
    c.id = id;
    c.summary = summary;
    c.help = help;
    c.vtable = &table;
    return c;
}

/** Returns a component with the options of a table, which fill in an `Options`. */
template <typename Options, typename Table, size_t N>
constexpr brz_component component_of(const Table &table, const char *id, const char *summary,
                                     const char *help, const brz_option (&options)[N])
{
    brz_component c = component_of(table, id, summary, help);
    c.options = options;
    c.n_options = N;
    c.option_size = sizeof(brz_option);
    c.cfg_size = sizeof(Options);
    return c;
}

} // namespace brz

#endif
