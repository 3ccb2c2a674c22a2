/* Sets the clock of a program an hour ahead, so that no file looks as if it had just been
 * written. The time of the last change of a file cannot be set back. By LD_PRELOAD. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += 3600;
    return result;
}
