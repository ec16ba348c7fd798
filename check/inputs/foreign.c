/* Provides small inputs in formats other than the plug-in's. */
#include "foreign.h"

#include "foreign_samples.h"

#define SAMPLE(format, name, bytes)                                                                \
    {                                                                                              \
        format, name, bytes, sizeof bytes                                                          \
    }

#define TEXT(name, text)                                                                           \
    {                                                                                              \
        NULL, name, (const uint8_t *)(text), sizeof(text) - 1                                      \
    }

static const check_foreign all[] = {
    SAMPLE("bcc", "profile.txt", bcc_profile),
    SAMPLE("bcc", "offwaketime.txt", bcc_offwaketime),
    SAMPLE("bpftrace", "maps.json", bpftrace_maps),
    SAMPLE("bpftrace", "stacks.txt", bpftrace_stacks),
    SAMPLE("chrome-trace", "events.json", chrome_trace_events),
    SAMPLE("chrome-trace", "profile.json", chrome_trace_profile),
    SAMPLE("cpuprofile", "usual.cpuprofile", cpuprofile_usual),
    SAMPLE("cpuprofile", "old.cpuprofile", cpuprofile_old),
    SAMPLE("dtrace", "dtrace.txt", dtrace_usual),
    SAMPLE("firefox", "processed.json", firefox_processed),
    SAMPLE("firefox", "gecko.json", firefox_gecko),
    SAMPLE("folded", "stacks.folded", folded_plain),
    SAMPLE("ghcprof", "ticks.prof", ghcprof_ticks),
    SAMPLE("ghcprof", "report.json", ghcprof_report),
    SAMPLE("heapprofile", "usual.heapprofile", heapprofile_usual),
    SAMPLE("jfr", "usual.jfr", jfr_usual),
    SAMPLE("measureme", "usual.mm_profdata", measureme_usual),
    SAMPLE("perf", "perf.txt", perf_usual),
    SAMPLE("perf", "java.txt", perf_java),
    SAMPLE("perf-data", "perf.data", perf_data_usual),
    SAMPLE("pprof", "cpu.pb", pprof_cpu),
    SAMPLE("sample", "sample.txt", sample_usual),
    SAMPLE("speedscope", "sampled.json", speedscope_sampled),
    SAMPLE("speedscope", "evented.json", speedscope_evented),
    SAMPLE("vsprof", "sampling.csv", vsprof_sampling),
    SAMPLE("vtune", "callstacks.csv", vtune_callstacks),
    SAMPLE("xctrace", "profile.xml", xctrace_usual),
    SAMPLE("xdebug", "trace.xt", xdebug_machines),
    SAMPLE("xdebug", "people.xt", xdebug_people),
    SAMPLE("aix", "processes.txt", aix_processes),
    SAMPLE("eu-stack", "threads.txt", eu_stack_threads),
    SAMPLE("faulthandler", "dumps.txt", faulthandler_dumps),
    SAMPLE("faulthandler", "py-spy.txt", faulthandler_py_spy),
    SAMPLE("gdb", "threads.txt", gdb_threads),
    SAMPLE("go", "raw.txt", go_raw),
    SAMPLE("go", "traces.txt", go_traces),
    SAMPLE("goroutine", "panic.txt", goroutine_panic),
    SAMPLE("instruments", "cycles.txt", instruments_cycles),
    SAMPLE("java-exceptions", "log.txt", java_exceptions_log),
    SAMPLE("jstack", "dumps.txt", jstack_dumps),
    SAMPLE("jstack", "javacore.txt", jstack_javacore),
    SAMPLE("ljp", "traces.txt", ljp_traces),
    SAMPLE("pmc", "two-events.txt", pmc_events),
    SAMPLE("stap", "stacks.txt", stap_stacks),
    SAMPLE("wcp", "report.txt", wcp_report),
    TEXT("prose.txt", "It was a bright cold day in April, and the clocks were striking thirteen.\n"
                      "Nobody looked up; there were 13 of them; all was as usual.\n"),
    TEXT("server.log", "2024-05-01 12:00:00,123 INFO [main] com.example.Server - started in 12 ms\n"
                       "2024-05-01 12:00:01,456 WARN [pool-1] com.example.Db - slow query: 345\n"
                       "\tat com.example.Db.query(Db.java:42)\n"
                       "\tat com.example.Main.main(Main.java:7)\n"),
    TEXT("table.csv", "name,count,share\nalpha,1,0.25\n\"beta, the second\",2,0.5\ngamma,1,0.25\n"),
    TEXT("data.json", "{\"name\": \"thing\", \"values\": [1, 2, 3], \"nested\": {\"a\": null}}\n"),
    TEXT("page.xml", "<?xml version=\"1.0\"?>\n<page><title>No profile</title><row/></page>\n"),
    TEXT("program.c", "#include <stdio.h>\n\nint main(void)\n{\n    printf(\"%d\\n\", 42);\n"
                      "    return 0;\n}\n"),
    TEXT("settings.yaml", "pipelines:\n  cpu:\n    inputs: [perf.txt]\n    # nothing else\n"),
    TEXT("change.diff", "--- a/file.c\n+++ b/file.c\n@@ -1,3 +1,3 @@\n a;\n-b;\n+c; 12\n"),
    TEXT("script.sh", "#!/bin/sh\nset -eu\nfor f in *.txt; do\n    wc -l \"$f\"; done 2\n"),
    TEXT("picture.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0"),
    TEXT("program", "\x7f"
                    "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0"),
    TEXT("zeros.bin", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    TEXT("empty", ""),
};

bool check_foreign_at(size_t i, check_foreign *f)
{
    if (i >= BRZ_COUNT_OF(all))
        return false;
    *f = all[i];
    return true;
}
