/* SPDX-License-Identifier: MIT */
/* Passes folded stacks through a command. */
#include "post_process.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/write_all.h"
#include "child.h"

static bool create(int *fd, brz_console *console)
{
    brz_buf error = {0};
    *fd = brz_scratch_create(&error);
    if (*fd < 0)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return *fd >= 0;
}

bool cli_post_process_begin(cli_post_process *p, brz_console *console)
{
    p->folded = p->result = -1;
    return create(&p->folded, console) && create(&p->result, console);
}

/* Implements brazier_write_fn. */
static int write_folded(void *context, const void *data, size_t size)
{
    const cli_post_process *p = context;
    return brz_write_all(p->folded, data, size) ? 0 : 1;
}

/* Runs the command between the files. Returns its status, or -1. */
static int run_command(const cli_post_process *p, const char *command)
{
    pid_t pid = lseek(p->folded, 0, SEEK_SET) == 0 ? fork() : -1;
    if (pid == 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        if (dup2(p->folded, STDIN_FILENO) >= 0 && dup2(p->result, STDOUT_FILENO) >= 0)
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return pid < 0 ? -1 : cli_child_wait(pid);
}

int cli_post_process_fold(cli_post_process *p, brz_session *s, const char *command)
{
    brazier_pipeline_add_output_stream(p->request.pipeline, "folded", "folded stacks", write_folded,
                                       p);
    int status = cli_request_run(s, &p->request);
    if (status != CLI_OK)
        return status;
    int result = run_command(p, command);
    if (result == 0)
        return CLI_OK;
    brz_say(&s->console, BRZ_FATAL, "--post-process: '%s' ended with status %d", command, result);
    return CLI_FAILED;
}

void cli_post_process_finish(cli_post_process *p)
{
    if (p->request.pipeline != NULL)
        cli_request_finish(&p->request);
    if (p->folded >= 0)
        close(p->folded);
    if (p->result >= 0)
        close(p->result);
}
