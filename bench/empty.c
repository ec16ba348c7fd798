/* The yardstick for starting up: a dynamic C program that does nothing. */
int main(void)
{
    return 0;
}
