/*
 * A disk that fails: put before a program with LD_PRELOAD, it fails chosen writing calls below the folder that
 * FAULTS_UNDER names, with the error that a full, failing or read-only disk gives. The program says when by opening
 * /treadle-faults/arm/FIRST/COUNT/ERRNO (calls are counted from 1 from then on) and reads how many calls there were from
 * /treadle-faults/count. Linux, glibc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long first = 0, count = 0, seen = 0;
static int error = 0;

static int is_below(const char *path) {
  const char *under = getenv("FAULTS_UNDER");
  return under && path && strncmp(path, under, strlen(under)) == 0;
}

static int is_file_below(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

/* Whether this call fails. What takes no room succeeds on a full disk; a sync does not say that a disk is read-only. */
static int fails(int takes_room, int is_sync) {
  long now = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
  if (now < first || now >= first + count) return 0;
  if (error == ENOSPC && !takes_room) return 0;
  if (error == EROFS && is_sync) return 0;
  errno = error;
  return 1;
}

static int control(const char *path) {
  if (strcmp(path, "/treadle-faults/count") == 0) {
    char text[32];
    int length = snprintf(text, sizeof text, "%ld", seen), fd = memfd_create("count", 0);
    syscall(SYS_write, fd, text, length);
    lseek(fd, 0, SEEK_SET);
    return fd;
  }
  seen = 0;
  first = count = 0;
  sscanf(path, "/treadle-faults/arm/%ld/%ld/%d", &first, &count, &error);
  errno = ENOENT;
  return -1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int open_any(const char *name, int dir, const char *path, int flags, mode_t mode) {
  if (strncmp(path, "/treadle-faults/", 16) == 0) return control(path);
  if ((flags & O_CREAT) && is_below(path) && fails(1, 0)) return -1;
  int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, name);
  return real(dir, path, flags, mode);
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & O_CREAT) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE(flags) return open_any("openat", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_any("openat64", AT_FDCWD, path, flags, mode); }
int openat(int dir, const char *path, int flags, ...) { MODE(flags) return open_any("openat", dir, path, flags, mode); }
int openat64(int dir, const char *path, int flags, ...) { MODE(flags) return open_any("openat64", dir, path, flags, mode); }

ssize_t write(int fd, const void *bytes, size_t length) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(write)(fd, bytes, length);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(pwrite)(fd, bytes, length, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(pwrite64)(fd, bytes, length, at);
}
ssize_t writev(int fd, const struct iovec *parts, int number) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(writev)(fd, parts, number);
}
ssize_t pwritev(int fd, const struct iovec *parts, int number, off_t at) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(pwritev)(fd, parts, number, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int number, off64_t at) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(pwritev64)(fd, parts, number, at);
}
int ftruncate(int fd, off_t length) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(ftruncate)(fd, length);
}
int ftruncate64(int fd, off64_t length) {
  return is_file_below(fd) && fails(1, 0) ? -1 : REAL(ftruncate64)(fd, length);
}
int fsync(int fd) { return is_file_below(fd) && fails(0, 1) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return is_file_below(fd) && fails(0, 1) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) { return is_below(to) && fails(1, 0) ? -1 : REAL(rename)(from, to); }
int mkdir(const char *path, mode_t mode) { return is_below(path) && fails(1, 0) ? -1 : REAL(mkdir)(path, mode); }
int link(const char *from, const char *to) { return is_below(to) && fails(1, 0) ? -1 : REAL(link)(from, to); }
int unlink(const char *path) { return is_below(path) && fails(0, 0) ? -1 : REAL(unlink)(path); }
