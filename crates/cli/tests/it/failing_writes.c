/* Makes the LOOM_FAIL_AT-th write to a file whose path contains LOOM_FAIL_IN fail with the
 * error LOOM_FAIL_WITH, and all that follow if LOOM_FAIL_ON is "yes". With "kill", the
 * process dies instead. For tests, by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int count;

static int is_meant(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size <= 0) return 0;
    path[size] = 0;
    const char *in = getenv("LOOM_FAIL_IN");
    return in && strstr(path, in) != NULL;
}

static int fails(int fd) {
    const char *at = getenv("LOOM_FAIL_AT");
    if (!at || !is_meant(fd)) return 0;
    int now = atomic_fetch_add(&count, 1) + 1;
    const char *on = getenv("LOOM_FAIL_ON");
    int hit = on && !strcmp(on, "yes") ? now >= atoi(at) : now == atoi(at);
    if (!hit) return 0;
    const char *with = getenv("LOOM_FAIL_WITH");
    if (with && !strcmp(with, "kill")) kill(getpid(), SIGKILL);
    errno = with && !strcmp(with, "full") ? ENOSPC : EIO;
    const char *mark = getenv("LOOM_FAILED");
    if (mark) {
        FILE *file = fopen(mark, "w");
        if (file) fclose(file);
        errno = with && !strcmp(with, "full") ? ENOSPC : EIO;
    }
    return 1;
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size) {
    return fails(fd) ? -1 : REAL(write)(fd, bytes, size);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return fails(fd) ? -1 : REAL(pwrite)(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return fails(fd) ? -1 : REAL(pwrite64)(fd, bytes, size, at);
}
int fsync(int fd) { return fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return fails(fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fails(fd) ? -1 : REAL(ftruncate64)(fd, size); }
