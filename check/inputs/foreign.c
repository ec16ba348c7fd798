/* SPDX-License-Identifier: MIT */
/* Provides small inputs in formats other than the plug-in's.
 *
 * The samples of a released minor stay as they are, so that a plug-in which has passed the tests
 * passes them with every later host. New samples are added at the end, with the minor of the host.
 */
#include "foreign.h"

#include "foreign_samples.h"

#define SAMPLE(since, format, name, bytes)                                                         \
    {                                                                                              \
        since, format, name, bytes, sizeof bytes                                                   \
    }

#define TEXT(since, name, text)                                                                    \
    {                                                                                              \
        since, NULL, name, (const uint8_t *)(text), sizeof(text) - 1                               \
    }

/* The first samples. */
#define OLDEST 0

static const check_foreign all[] = {
    SAMPLE(OLDEST, "bcc", "profile.txt", bcc_profile),
    SAMPLE(OLDEST, "bcc", "offwaketime.txt", bcc_offwaketime),
    SAMPLE(OLDEST, "bpftrace", "maps.json", bpftrace_maps),
    SAMPLE(OLDEST, "bpftrace", "stacks.txt", bpftrace_stacks),
    SAMPLE(OLDEST, "chrome-trace", "events.json", chrome_trace_events),
    SAMPLE(OLDEST, "chrome-trace", "profile.json", chrome_trace_profile),
    SAMPLE(OLDEST, "cpuprofile", "usual.cpuprofile", cpuprofile_usual),
    SAMPLE(OLDEST, "cpuprofile", "old.cpuprofile", cpuprofile_old),
    SAMPLE(OLDEST, "dtrace", "dtrace.txt", dtrace_usual),
    SAMPLE(OLDEST, "firefox", "processed.json", firefox_processed),
    SAMPLE(OLDEST, "firefox", "gecko.json", firefox_gecko),
    SAMPLE(OLDEST, "folded", "stacks.folded", folded_plain),
    SAMPLE(OLDEST, "ghcprof", "ticks.prof", ghcprof_ticks),
    SAMPLE(OLDEST, "ghcprof", "report.json", ghcprof_report),
    SAMPLE(OLDEST, "heapprofile", "usual.heapprofile", heapprofile_usual),
    SAMPLE(OLDEST, "jfr", "usual.jfr", jfr_usual),
    SAMPLE(OLDEST, "measureme", "usual.mm_profdata", measureme_usual),
    SAMPLE(OLDEST, "perf", "perf.txt", perf_usual),
    SAMPLE(OLDEST, "perf", "java.txt", perf_java),
    SAMPLE(OLDEST, "perf-data", "perf.data", perf_data_usual),
    SAMPLE(OLDEST, "pprof", "cpu.pb", pprof_cpu),
    SAMPLE(OLDEST, "sample", "sample.txt", sample_usual),
    SAMPLE(OLDEST, "speedscope", "sampled.json", speedscope_sampled),
    SAMPLE(OLDEST, "speedscope", "evented.json", speedscope_evented),
    SAMPLE(OLDEST, "vsprof", "sampling.csv", vsprof_sampling),
    SAMPLE(OLDEST, "vtune", "callstacks.csv", vtune_callstacks),
    SAMPLE(OLDEST, "xctrace", "profile.xml", xctrace_usual),
    SAMPLE(OLDEST, "xdebug", "trace.xt", xdebug_machines),
    SAMPLE(OLDEST, "xdebug", "people.xt", xdebug_people),
    SAMPLE(OLDEST, "aix", "processes.txt", aix_processes),
    SAMPLE(OLDEST, "eu-stack", "threads.txt", eu_stack_threads),
    SAMPLE(OLDEST, "faulthandler", "dumps.txt", faulthandler_dumps),
    SAMPLE(OLDEST, "faulthandler", "py-spy.txt", faulthandler_py_spy),
    SAMPLE(OLDEST, "gdb", "threads.txt", gdb_threads),
    SAMPLE(OLDEST, "go", "raw.txt", go_raw),
    SAMPLE(OLDEST, "go", "traces.txt", go_traces),
    SAMPLE(OLDEST, "goroutine", "panic.txt", goroutine_panic),
    SAMPLE(OLDEST, "instruments", "cycles.txt", instruments_cycles),
    SAMPLE(OLDEST, "java-exceptions", "log.txt", java_exceptions_log),
    SAMPLE(OLDEST, "jstack", "dumps.txt", jstack_dumps),
    SAMPLE(OLDEST, "jstack", "javacore.txt", jstack_javacore),
    SAMPLE(OLDEST, "ljp", "traces.txt", ljp_traces),
    SAMPLE(OLDEST, "pmc", "two-events.txt", pmc_events),
    SAMPLE(OLDEST, "stap", "stacks.txt", stap_stacks),
    SAMPLE(OLDEST, "wcp", "report.txt", wcp_report),
    TEXT(OLDEST, "prose.txt",
         "It was a bright cold day in April, and the clocks were striking thirteen.\n"
         "Nobody looked up; there were 13 of them; all was as usual.\n"),
    TEXT(OLDEST, "server.log",
         "2024-05-01 12:00:00,123 INFO [main] com.example.Server - started in 12 ms\n"
         "2024-05-01 12:00:01,456 WARN [pool-1] com.example.Db - slow query: 345\n"
         "\tat com.example.Db.query(Db.java:42)\n"
         "\tat com.example.Main.main(Main.java:7)\n"),
    TEXT(OLDEST, "table.csv",
         "name,count,share\nalpha,1,0.25\n\"beta, the second\",2,0.5\ngamma,1,0.25\n"),
    TEXT(OLDEST, "data.json",
         "{\"name\": \"thing\", \"values\": [1, 2, 3], \"nested\": {\"a\": null}}\n"),
    TEXT(OLDEST, "page.xml",
         "<?xml version=\"1.0\"?>\n<page><title>No profile</title><row/></page>\n"),
    TEXT(OLDEST, "program.c",
         "#include <stdio.h>\n\nint main(void)\n{\n    printf(\"%d\\n\", 42);\n"
         "    return 0;\n}\n"),
    TEXT(OLDEST, "settings.yaml",
         "pipelines:\n  cpu:\n    inputs: [perf.txt]\n    # nothing else\n"),
    TEXT(OLDEST, "change.diff", "--- a/file.c\n+++ b/file.c\n@@ -1,3 +1,3 @@\n a;\n-b;\n+c; 12\n"),
    TEXT(OLDEST, "script.sh", "#!/bin/sh\nset -eu\nfor f in *.txt; do\n    wc -l \"$f\"; done 2\n"),
    TEXT(OLDEST, "picture.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0"),
    TEXT(OLDEST, "program",
         "\x7f"
         "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0"),
    TEXT(OLDEST, "zeros.bin", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    TEXT(OLDEST, "empty", ""),
};

bool check_foreign_at(uint32_t minor, size_t i, check_foreign *f)
{
    if (i >= BRZ_COUNT_OF(all) || all[i].since > minor)
        return false;
    *f = all[i];
    return true;
}
