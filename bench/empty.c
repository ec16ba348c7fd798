/* SPDX-License-Identifier: MIT */
/* Yardstick for the start-up time: a dynamically linked C program that does nothing. */
int main(void)
{
    return 0;
}
