/* SPDX-License-Identifier: MIT */
/* Waits for child processes. */
#include "child.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>

#include "interrupt.h"

void cli_child_pass_on(pid_t process, bool *was_passed_on)
{
    if (*was_passed_on || cli_interrupt_status(0) == 0)
        return;
    cli_interrupt_pass_on(process);
    *was_passed_on = true;
}

int cli_child_wait(pid_t process)
{
    int status = 0, wait_ms = 1;
    bool was_passed_on = false;
    for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
        cli_child_pass_on(process, &was_passed_on);
        ended = waitpid(process, &status, WNOHANG);
        if (ended == 0)
            poll(NULL, 0, wait_ms);
        wait_ms = 2 * wait_ms < CLI_CHILD_LOOK_MS ? 2 * wait_ms : CLI_CHILD_LOOK_MS;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
