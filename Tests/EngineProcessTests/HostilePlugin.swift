import Glibc
import TestSupport
import Testing

/// A plug-in that tries to leave the sandbox, and writes a line for each act.
///
/// Its element `hostile` does so when it gets its first buffer. If the environment has `HOSTILE_RESULTS`, its function
/// that detects the type of media does so, which runs in inspections too.
enum HostilePlugin {
  /// The source in C.
  ///
  /// A line has the name of the act, and 0 or the error number with which it failed.
  ///
  /// Errors that the kernel returns only after it has allowed a call count as success.
  static let source = #"""
    #define _GNU_SOURCE
    #include <arpa/inet.h>
    #include <dirent.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <gst/base/gstbasetransform.h>
    #include <pulse/pulseaudio.h>
    #include <pthread.h>
    #include <sched.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/file.h>
    #include <sys/inotify.h>
    #include <sys/ioctl.h>
    #include <sys/mman.h>
    #include <sys/prctl.h>
    #include <sys/ptrace.h>
    #include <sys/resource.h>
    #include <sys/shm.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/uio.h>
    #include <sys/un.h>
    #include <sys/wait.h>
    #include <unistd.h>

    typedef struct {
      GstBaseTransform parent;
      gchar *location, *home;
      gint victim;
      gboolean done;
    } Hostile;
    typedef struct { GstBaseTransformClass parent; } HostileClass;
    G_DEFINE_TYPE(Hostile, hostile, GST_TYPE_BASE_TRANSFORM)

    static FILE *results;

    static void note(const char *act, long result) { fprintf(results, "%s %d\n", act, result < 0 ? errno : 0); }
    /* An error that shows that the kernel has allowed the call. */
    static long unless(long result, int error) { return result < 0 && errno == error ? 0 : result; }

    static long make(const char *folder, const char *name) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", folder, name);
      return open(path, O_CREAT | O_WRONLY, 0600);
    }

    static long connect_unix(const char *path, gboolean is_abstract) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      snprintf(address.sun_path + is_abstract, sizeof address.sun_path - 1, "%s", path);
      int s = socket(AF_UNIX, SOCK_STREAM, 0);
      if (s < 0) return -1;
      return connect(s, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(path) + !is_abstract);
    }

    /* A socket of the internet with the address of a local one. */
    static long connect_internet(const char *path) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
      int s = socket(AF_INET, SOCK_STREAM, 0);
      return s < 0 ? -1 : connect(s, (struct sockaddr *)&address, sizeof address);
    }

    static struct sockaddr_un shared_address;
    static volatile int is_done, turns;

    static void *exchange_addresses(void *paths) {
      for (; !is_done; turns++) strcpy(shared_address.sun_path, ((const char **)paths)[turns & 1]);
      return NULL;
    }

    /* Exchanges an allowed path for another one while the call is examined. */
    static long exchange_path(const char *path) {
      const char *paths[] = {"/run/nscd/socket", path};
      pthread_t thread;
      shared_address.sun_family = AF_UNIX;
      is_done = turns = 0;
      if (pthread_create(&thread, NULL, exchange_addresses, paths) != 0) return -1;
      long result = -1;
      while (turns < 2) sched_yield();
      for (int turn = 0; turn < 400 && result < 0; turn++) {
        if (turn % 4 == 0) sched_yield();
        int s = socket(AF_UNIX, SOCK_STREAM, 0);
        if (s < 0) break;
        result = connect(s, (struct sockaddr *)&shared_address, sizeof shared_address);
        close(s);
      }
      is_done = 1;
      pthread_join(thread, NULL);
      errno = EACCES;
      return result;
    }

    static long send_datagram(const char *path) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
      int s = socket(AF_UNIX, SOCK_DGRAM, 0);
      return s < 0 ? -1 : unless(sendto(s, "x", 1, 0, (struct sockaddr *)&address, sizeof address), ENOENT);
    }

    /* Whether a descriptor passes calls of this process: it would answer them itself. */
    static long inherited_listener(void) {
      char place[64], target[64];
      for (int number = 3; number < 256; number++) {
        snprintf(place, sizeof place, "/proc/self/fd/%d", number);
        ssize_t length = readlink(place, target, sizeof target - 1);
        if (length > 0 && (target[length] = 0, strstr(target, "seccomp"))) return 0;
      }
      errno = ENOENT;
      return -1;
    }

    static long use_inet(int type, gboolean serve) {
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(serve ? 0 : 9)};
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      int s = socket(AF_INET, type, 0);
      if (s < 0) return -1;
      if (!serve) return unless(connect(s, (struct sockaddr *)&address, sizeof address), ECONNREFUSED);
      return bind(s, (struct sockaddr *)&address, sizeof address) < 0 ? -1 : listen(s, 1);
    }

    static void store_index(pa_context *context, uint32_t index, void *result) { *(uint32_t *)result = index; }

    /* Loads a module into PulseAudio, or records, at the server of HOSTILE_SERVER. */
    static long use_server(gboolean records) {
      pa_mainloop *loop = pa_mainloop_new();
      pa_context *context = pa_context_new(pa_mainloop_get_api(loop), "hostile");
      pa_sample_spec format = {PA_SAMPLE_S16LE, 44100, 2};
      pa_stream *stream = NULL;
      pa_operation *loading = NULL;
      uint32_t index = PA_INVALID_INDEX;
      long result = -1;
      if (pa_context_connect(context, getenv("HOSTILE_SERVER"), PA_CONTEXT_NOAUTOSPAWN, NULL) == 0)
        while (result < 0 && PA_CONTEXT_IS_GOOD(pa_context_get_state(context))) {
          if (pa_mainloop_iterate(loop, 1, NULL) < 0) break;
          if (pa_context_get_state(context) != PA_CONTEXT_READY) continue;
          if (records && !stream) {
            stream = pa_stream_new(context, "hostile", &format, NULL);
            if (!stream || pa_stream_connect_record(stream, NULL, NULL, 0) < 0) break;
          } else if (records) {
            if (!PA_STREAM_IS_GOOD(pa_stream_get_state(stream))) break;
            if (pa_stream_get_state(stream) == PA_STREAM_READY) result = 0;
          } else if (!loading) {
            loading = pa_context_load_module(context, "module-null-sink", "sink_name=hostile", store_index, &index);
          } else if (pa_operation_get_state(loading) != PA_OPERATION_RUNNING) {
            if (index == PA_INVALID_INDEX) break;
            result = 0;
          }
        }
      errno = EACCES;
      return result;
    }

    static void *wait_for_ever(void *unused) {
      for (;;) pause();
    }

    static void make_threads(int count) {
      pthread_attr_t attributes;
      pthread_t thread;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, 65536);
      while (count-- > 0) pthread_create(&thread, &attributes, wait_for_ever, NULL);
    }

    static void act(const char *location, const char *home, pid_t victim) {
      char path[4096], name[256], bytes[8];
      if (!(results = fopen(location, "w"))) return;
      struct iovec local = {bytes, sizeof bytes}, remote = {(void *)4096, sizeof bytes};
      struct rlimit limit = {64, 64};
      struct stat info;
      snprintf(path, sizeof path, "%s/.ssh/id_ed25519", home);
      note("read-key", open(path, O_RDONLY));
      note("read-key-size", stat(path, &info));
      note("change-mode-of-key", chmod(path, 0644));
      note("truncate-key", truncate(path, 0));
      note("list-home", opendir(home) ? 0 : -1);
      note("watch-home", inotify_add_watch(inotify_init(), home, IN_CREATE));
      note("write-home", make(home, "written"));
      note("write-autostart", make(home, ".config/autostart/hostile.desktop"));
      note("write-plugins", make(home, ".local/share/gstreamer-1.0/plugins/hostile.so"));
      note("write-tmp", make("/tmp", "mpris-playerd-hostile"));
      unlink("/tmp/mpris-playerd-hostile");
      const char *runtime = getenv("XDG_RUNTIME_DIR");
      if (runtime) mkdir((snprintf(name, sizeof name, "%s/dconf", runtime), name), 0700);
      note("write-runtime", runtime ? make(runtime, "dconf/user") : (errno = ENOENT, -1));
      note("list-runtime", runtime && opendir(runtime) ? 0 : -1);
      note("rename-key", (snprintf(name, sizeof name, "%s/stolen", home), rename(path, name)));
      note("execute", unless(execl("/nonexistent/program", "program", NULL), ENOENT));
      pid_t child = fork();
      if (child == 0) _exit(0);
      note("fork", child);
      if (child > 0) waitpid(child, NULL, 0);
      int pair[2];
      note("make-local-socket", socket(AF_UNIX, SOCK_STREAM, 0));
      note("make-local-datagram-socket", socket(AF_UNIX, SOCK_DGRAM, 0));
      note("make-local-packet-socket", socket(AF_UNIX, SOCK_SEQPACKET, 0));
      note("make-netlink-socket", socket(AF_NETLINK, SOCK_RAW, 0));
      note("make-socket-pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
      note("make-memory", memfd_create("hostile", 0));
      void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      note("share-memory", shared == MAP_FAILED ? -1 : 0);
      int segment = shmget(IPC_PRIVATE, 4096, 0600);
      note("share-segment", segment);
      if (segment >= 0) shmctl(segment, IPC_RMID, NULL);
      note("outlive-player", prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
      note("outlive-player-upper-bits", syscall(SYS_prctl, (1L << 32) | PR_SET_PDEATHSIG, 0L, 0L, 0L, 0L));
      note("change-user", setresuid(-1, -1, -1));
      note("connect-tcp", use_inet(SOCK_STREAM, FALSE));
      note("connect-udp", use_inet(SOCK_DGRAM, FALSE));
      note("serve-tcp", use_inet(SOCK_STREAM, TRUE));
      note("packet-socket", socket(AF_PACKET, SOCK_RAW, 0));
      note("packet-socket-upper-bits", syscall(SYS_socket, (1L << 32) | AF_PACKET, (long)SOCK_RAW, 0L));
      snprintf(name, sizeof name, "%s/bus", home);
      note("connect-path", connect_unix(name, FALSE));
      note("connect-abstract", connect_unix(name, TRUE));
      note("connect-path-as-internet-socket", connect_internet(name));
      note("exchange-path", exchange_path(name));
      const char *services[] = {"systemd/private", "bus", "gnupg/S.gpg-agent", "wayland-0", "pipewire-0-manager"};
      for (int index = 0; index < 5; index++) {
        char service[4096], act[64];
        snprintf(service, sizeof service, "%s/%s", runtime ? runtime : "/nonexistent", services[index]);
        snprintf(act, sizeof act, "connect-%s", services[index]);
        note(act, unless(connect_unix(service, FALSE), ENOENT));
      }
      note("connect-X11", unless(connect_unix("/tmp/.X11-unix/X0", FALSE), ENOENT));
      note("send-journal", send_datagram("/run/systemd/journal/socket"));
      int media = open(location, O_RDONLY);
      note("lock-file", media < 0 ? -1 : flock(media, LOCK_EX | LOCK_NB));
      note("lease-file", media < 0 ? -1 : unless(fcntl(media, F_SETLEASE, F_RDLCK), EAGAIN));
      note("watch-file", media < 0 ? -1 : unless(fcntl(media, F_NOTIFY, DN_MODIFY), ENOTDIR));
      note("hide-memory", prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
      note("read-memory-of-player", unless(process_vm_readv(getppid(), &local, 1, &remote, 1, 0), EFAULT));
      note("take-descriptor", unless(syscall(SYS_pidfd_getfd, -1, 0, 0), EBADF));
      note("answer-own-calls", inherited_listener());
      note("read-environment", (snprintf(name, sizeof name, "/proc/%d/environ", victim), open(name, O_RDONLY)));
      note("read-command", (snprintf(name, sizeof name, "/proc/%d/cmdline", victim), open(name, O_RDONLY)));
      note("read-memory", unless(process_vm_readv(victim, &local, 1, &remote, 1, 0), EFAULT));
      note("open-process", syscall(SYS_pidfd_open, victim, 0));
      note("open-terminal", open("/dev/ptmx", O_RDWR | O_NOCTTY));
      note("open-shared-memory", make("/dev/shm", "mpris-playerd-hostile"));
      unlink("/dev/shm/mpris-playerd-hostile");
      note("terminal-input", unless(unless(ioctl(0, TIOCSTI, "x"), ENOTTY), EIO));
      note("user-namespace", unless(unshare(CLONE_NEWUSER), EINVAL));
      note("mount", unless(syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, NULL), ENOENT));
      note("io-uring", unless(syscall(SYS_io_uring_setup, 1, NULL), EFAULT));
      note("bpf", unless(unless(syscall(SYS_bpf, -1, NULL, 0), EINVAL), EFAULT));
      note("keys", unless(syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -3, 0), ENOKEY));
      note("limit-process", prlimit(victim, RLIMIT_NOFILE, &limit, NULL));
      struct sched_param priority = {0};
      note("schedule-process", sched_setscheduler(victim, SCHED_BATCH, &priority));
      note("slow-process", setpriority(PRIO_PROCESS, victim, 10));
      note("signal-player", kill(getppid(), 0));
      note("signal-group", kill(0, 0));
      note("trace", ptrace(PTRACE_SEIZE, victim, 0, 0));
      note("kill", kill(victim, SIGTERM));
      if (getenv("HOSTILE_SERVER")) {
        note("load-module", use_server(FALSE));
        note("record", use_server(TRUE));
      }
      fputs("end 0\n", results);
      fclose(results);
    }

    static void detect(GstTypeFind *find, gpointer data) {
      static gint done;
      const char *location = getenv("HOSTILE_RESULTS"), *threads = getenv("HOSTILE_THREADS");
      if (threads) make_threads(atoi(threads));
      if (location && !g_atomic_int_exchange(&done, 1)) act(location, getenv("HOSTILE_HOME"), atoi(getenv("HOSTILE_VICTIM")));
    }

    static GstFlowReturn transform(GstBaseTransform *transform, GstBuffer *buffer) {
      Hostile *self = (Hostile *)transform;
      if (!self->done) act(self->location, self->home, self->victim);
      self->done = TRUE;
      return GST_FLOW_OK;
    }

    static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
      Hostile *self = (Hostile *)object;
      if (id == 1) self->location = g_value_dup_string(value);
      if (id == 2) self->home = g_value_dup_string(value);
      if (id == 3) self->victim = g_value_get_int(value);
    }

    static void hostile_init(Hostile *self) {}

    static void hostile_class_init(HostileClass *class) {
      GstElementClass *element = GST_ELEMENT_CLASS(class);
      G_OBJECT_CLASS(class)->set_property = set_property;
      GParamFlags flags = G_PARAM_WRITABLE;
      g_object_class_install_property(G_OBJECT_CLASS(class), 1, g_param_spec_string("location", "", "", NULL, flags));
      g_object_class_install_property(G_OBJECT_CLASS(class), 2, g_param_spec_string("home", "", "", NULL, flags));
      g_object_class_install_property(G_OBJECT_CLASS(class), 3, g_param_spec_int("victim", "", "", 0, G_MAXINT, 0, flags));
      GstCaps *caps = gst_caps_new_any();
      gst_element_class_add_pad_template(element, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
      gst_element_class_add_pad_template(element, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
      gst_element_class_set_static_metadata(element, "hostile", "Filter", "Tries to leave the sandbox", "tests");
      GST_BASE_TRANSFORM_CLASS(class)->transform_ip = transform;
    }

    static gboolean plugin_init(GstPlugin *plugin) {
      return gst_type_find_register(plugin, "hostile-type", GST_RANK_PRIMARY + 200, detect, NULL, NULL, NULL, NULL)
        && gst_element_register(plugin, "hostile", GST_RANK_NONE, hostile_get_type());
    }

    #define PACKAGE "mpris-playerd"
    GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, hostile, "Tries to leave the sandbox", plugin_init, "0", "MIT/X11",
                      "tests", "https://example.org")
    """#

  /// The source of another program of the user, which serves a socket with a path and an abstract one, and can be attacked.
  static let victim = #"""
    #include <stddef.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    static int serve(const char *path, int is_abstract) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      int s = socket(AF_UNIX, SOCK_STREAM, 0);
      strncpy(address.sun_path + is_abstract, path, sizeof address.sun_path - 2);
      socklen_t size = offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(path) + !is_abstract;
      return bind(s, (struct sockaddr *)&address, size) < 0 || listen(s, 4) < 0;
    }

    int main(int count, char **arguments) {
      if (count != 2 || serve(arguments[1], 0) || serve(arguments[1], 1)) return 1;
      puts("ready");
      fflush(stdout);
      for (;;) pause();
    }
    """#

  static var compiler: String? { Tool.path("cc") ?? Tool.path("clang") }

  /// Compiles the plug-in and the victim in a folder.
  static func build(in folder: TemporaryDirectory) async throws {
    let flags = try await run(["pkg-config", "--cflags", "--libs", "gstreamer-base-1.0", "libpulse"]).output
      .split(whereSeparator: \.isWhitespace).map(String.init)
    let compiler = compiler ?? "cc"
    let plugin = try folder.write(source, to: "hostile.c")
    let program = try folder.write(victim, to: "victim.c")
    // The plug-in is a link, as in a folder of packages.
    let output = try folder.makeDirectory("built") + "/libhostile.so"
    let link = try folder.makeDirectory("plugins") + "/libhostile.so"
    #expect(unsafe symlink(output, link) == 0)
    for arguments in [
      ["-shared", "-fPIC", "-w", "-o", output, plugin] + flags, ["-o", folder.file("victim"), program],
    ] {
      let result = try await run([compiler] + arguments, within: 60)
      try #require(result.succeeded, "\(result.error)")
    }
  }
}
