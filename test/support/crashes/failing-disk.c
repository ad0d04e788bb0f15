/*
 * Preloaded before the C library, makes disk calls fail for the files of one folder while the file named by
 * DISK_FAULT exists. That file names the failure: ENOSPC (no more space), EIO-write, or EIO-fsync. DISK_KILL kills
 * the program: `write 37` in the middle of the 37th write to the folder, `sync 5` just before the 5th sync, `synced
 * 5` just after it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Whether the current fault's name begins with this text. */
static int is(const char *fault) {
  char name[16] = "";
  const char *path = getenv("DISK_FAULT");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, name, sizeof name - 1);
  close(file);
  return length > 0 && strncmp(name, fault, strlen(fault)) == 0;
}

static int watched(int file) {
  char link[64], name[4096];
  const char *folder = getenv("DISK_FAULT_FOLDER");
  if (folder == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return 0;
  name[length] = 0;
  return strncmp(name, folder, strlen(folder)) == 0;
}

/* Counts this operation and returns whether the program must die now. */
static int dies(const char *kind, atomic_int *count) {
  const char *when = getenv("DISK_KILL");
  size_t length = strlen(kind);
  if (when == NULL || strncmp(when, kind, length) != 0 || when[length] != ' ') return 0;
  return atomic_fetch_add(count, 1) + 1 == atoi(when + length);
}

static atomic_int writes, syncs, synced;

#define REAL(type, name, ...)                                         \
  static type (*real)(__VA_ARGS__);                                   \
  if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define FAIL(how)  \
  do {             \
    errno = (how); \
    return -1;     \
  } while (0)

#define REFUSE_TO_WRITE(file)                \
  if (watched(file)) {                       \
    if (is("ENOSPC")) FAIL(ENOSPC);          \
    if (is("EIO-write")) FAIL(EIO);          \
  }

#define REFUSE_TO_SYNC(file) \
  if (watched(file) && is("EIO-fsync")) FAIL(EIO)

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  REFUSE_TO_WRITE(file);
  if (watched(file) && dies("write", &writes)) {
    real(file, bytes, size / 2, offset);
    raise(SIGKILL);
  }
  return real(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  REFUSE_TO_WRITE(file);
  if (watched(file) && dies("write", &writes)) {
    real(file, bytes, size / 2, offset);
    raise(SIGKILL);
  }
  return real(file, bytes, size, offset);
}

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(ssize_t, write, int, const void *, size_t);
  REFUSE_TO_WRITE(file);
  return real(file, bytes, size);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  REFUSE_TO_WRITE(file);
  return real(file, parts, count);
}

int fsync(int file) {
  REAL(int, fsync, int);
  REFUSE_TO_SYNC(file);
  if (watched(file) && dies("sync", &syncs)) raise(SIGKILL);
  int done = real(file);
  if (watched(file) && dies("synced", &synced)) raise(SIGKILL);
  return done;
}

int fdatasync(int file) {
  REAL(int, fdatasync, int);
  REFUSE_TO_SYNC(file);
  if (watched(file) && dies("sync", &syncs)) raise(SIGKILL);
  int done = real(file);
  if (watched(file) && dies("synced", &synced)) raise(SIGKILL);
  return done;
}
