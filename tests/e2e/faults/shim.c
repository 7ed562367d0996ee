// Preloaded into a process under test: makes one of the C library's calls on files below FAULT_ROOT fail, or ends the
// process there. FAULT_CALL names the call (or "change": any that changes a file), FAULT_ERRNO the error's number (0: the
// process is killed), FAULT_AT the first time that fails, from 1; all later ones fail too. FAULT_CLOCK moves the clock.
// With FAULT_ONE_NAME no file below FAULT_ROOT gets a second name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int count = 0;

static int below(const char *path) {
  const char *root = getenv("FAULT_ROOT");
  return root != NULL && path != NULL && strncmp(path, root, strlen(root)) == 0;
}

static int fails(const char *call, int changes, const char *path) {
  const char *wanted = getenv("FAULT_CALL");
  if (wanted == NULL || !below(path)) return 0;
  if (strcmp(wanted, call) != 0 && !(changes && strcmp(wanted, "change") == 0)) return 0;
  if (__sync_add_and_fetch(&count, 1) < atoi(getenv("FAULT_AT"))) return 0;
  int number = atoi(getenv("FAULT_ERRNO"));
  if (number == 0) raise(SIGKILL);
  errno = number;
  return 1;
}

static int fails_fd(const char *call, int changes, int fd) {
  if (getenv("FAULT_CALL") == NULL) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(call, changes, path);
}

#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define OPEN(name)                                                                  \
  int name(const char *path, int flags, ...) {                                      \
    va_list list;                                                                   \
    va_start(list, flags);                                                          \
    mode_t mode = va_arg(list, mode_t);                                             \
    va_end(list);                                                                   \
    NEXT(name);                                                                     \
    if (fails("open", (flags & (O_WRONLY | O_RDWR)) != 0, path)) return -1;         \
    return next(path, flags, mode);                                                 \
  }
OPEN(open)
OPEN(open64)

#define FD_CALL(type, name, parameters, arguments, label, changes)                  \
  type name parameters {                                                            \
    NEXT(name);                                                                     \
    if (fails_fd(label, changes, fd)) return -1;                                    \
    return next arguments;                                                          \
  }
FD_CALL(ssize_t, read, (int fd, void *buffer, size_t size), (fd, buffer, size), "read", 0)
FD_CALL(ssize_t, pread64, (int fd, void *buffer, size_t size, off64_t at), (fd, buffer, size, at), "read", 0)
FD_CALL(ssize_t, write, (int fd, const void *buffer, size_t size), (fd, buffer, size), "write", 1)
FD_CALL(ssize_t, pwrite, (int fd, const void *buffer, size_t size, off_t at), (fd, buffer, size, at), "write", 1)
FD_CALL(ssize_t, pwrite64, (int fd, const void *buffer, size_t size, off64_t at), (fd, buffer, size, at), "write", 1)
FD_CALL(ssize_t, writev, (int fd, const struct iovec *parts, int size), (fd, parts, size), "write", 1)
FD_CALL(int, fsync, (int fd), (fd), "fsync", 1)
FD_CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), "chmod", 1)
FD_CALL(int, ftruncate64, (int fd, off64_t size), (fd, size), "write", 1)

#define PATH_CALL(name, parameters, arguments, path, label)                         \
  int name parameters {                                                             \
    NEXT(name);                                                                     \
    if (fails(label, 1, path)) return -1;                                           \
    return next arguments;                                                          \
  }
PATH_CALL(rename, (const char *from, const char *to), (from, to), to, "rename")

int link(const char *from, const char *to) {
  NEXT(link);
  if (fails("link", 1, to)) return -1;
  if (getenv("FAULT_ONE_NAME") == NULL || !below(to)) return next(from, to);
  errno = EPERM;
  return -1;
}

PATH_CALL(unlink, (const char *path), (path), path, "unlink")
PATH_CALL(mkdir, (const char *path, mode_t mode), (path, mode), path, "mkdir")

static long moved(void) {
  const char *text = getenv("FAULT_CLOCK");
  return text == NULL ? 0 : atol(text);
}

int clock_gettime(clockid_t id, struct timespec *now) {
  NEXT(clock_gettime);
  int result = next(id, now);
  if (id == CLOCK_REALTIME) now->tv_sec += moved();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  NEXT(gettimeofday);
  int result = next(now, zone);
  now->tv_sec += moved();
  return result;
}
