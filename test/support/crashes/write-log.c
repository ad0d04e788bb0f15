/*
 * Preloaded before the C library, records a program's changes to the files of one folder, its syncs, and each HTTP
 * reply before it is sent, in order. Read by disk.ts.
 *
 * A record: kind (1 byte), lengths of name (4) and bytes (4), offset (8), then the name and the bytes; little endian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct __attribute__((packed)) head {
  char kind;
  uint32_t name, bytes;
  uint64_t offset;
};

static int log_file = -1;
static const char *folder = "";
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("WRITE_LOG");
  if (path == NULL || getenv("WRITE_LOG_FOLDER") == NULL) return;
  folder = getenv("WRITE_LOG_FOLDER");
  log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(char kind, const char *name, uint64_t offset, const void *bytes, size_t length) {
  struct head head = {kind, strlen(name), length, offset};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)name, strlen(name)}, {(void *)bytes, length}};
  syscall(SYS_writev, log_file, parts, 3);
}

/* The file's name if it is in the folder, else NULL. */
static const char *watched(int file, char *name, size_t size) {
  char link[64];
  if (log_file < 0) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, size - 1);
  if (length < 0) return NULL;
  name[length] = 0;
  return strncmp(name, folder, strlen(folder)) == 0 ? name : NULL;
}

#define REAL(type, name, ...)                                         \
  static type (*real)(__VA_ARGS__);                                   \
  if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* A lock keeps other records out between an operation and its record. */
#define DEED(type, kind, file, call, offset, bytes, length) \
  char space[4096];                                         \
  const char *name = watched(file, space, sizeof space);    \
  if (name == NULL) return call;                            \
  pthread_mutex_lock(&turn);                                \
  type done = call;                                         \
  if (done >= 0) put(kind, name, offset, bytes, length);    \
  pthread_mutex_unlock(&turn);                              \
  return done

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  DEED(ssize_t, 'w', file, real(file, bytes, size, offset), offset, bytes, done);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  DEED(ssize_t, 'w', file, real(file, bytes, size, offset), offset, bytes, done);
}

int fsync(int file) {
  REAL(int, fsync, int);
  DEED(int, 's', file, real(file), 0, "", 0);
}

int fdatasync(int file) {
  REAL(int, fdatasync, int);
  DEED(int, 's', file, real(file), 0, "", 0);
}

int ftruncate(int file, off_t size) {
  REAL(int, ftruncate, int, off_t);
  DEED(int, 't', file, real(file, size), size, "", 0);
}

int ftruncate64(int file, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  DEED(int, 't', file, real(file, size), size, "", 0);
}

int unlink(const char *name) {
  REAL(int, unlink, const char *);
  int done = real(name);
  if (done == 0 && log_file >= 0 && strncmp(name, folder, strlen(folder)) == 0) put('u', name, 0, "", 0);
  return done;
}

static int answers(const void *bytes, size_t length) {
  return log_file >= 0 && length > 9 && memcmp(bytes, "HTTP/1.1 ", 9) == 0;
}

ssize_t write(int file, const void *bytes, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (answers(bytes, length)) put('a', "", 0, bytes, length);
  char space[4096];
  const char *name = watched(file, space, sizeof space);
  off_t offset = name == NULL ? 0 : lseek(file, 0, SEEK_CUR);
  ssize_t done = real(file, bytes, length);
  if (name != NULL && done > 0) put('w', name, offset, bytes, done);
  return done;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (count > 0 && answers(parts[0].iov_base, parts[0].iov_len)) {
    char whole[65536];
    size_t length = 0;
    for (int n = 0; n < count && length + parts[n].iov_len <= sizeof whole; n++) {
      memcpy(whole + length, parts[n].iov_base, parts[n].iov_len);
      length += parts[n].iov_len;
    }
    put('a', "", 0, whole, length);
  }
  return real(file, parts, count);
}
