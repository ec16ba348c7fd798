# SPDX-License-Identifier: MIT
"""Daemons for tests: Slurm on this machine, and an SSH server. They listen on loopback only, keep their files in a
folder of the test, and end with the test, also if it is killed."""
import ctypes
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PR_SET_PDEATHSIG = 1
SBIN = ":/usr/sbin:/sbin"


def program(name):
    """The path of a program, which may be one for the administrator; or None."""
    return shutil.which(name, path=os.environ["PATH"] + SBIN)


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_for(condition, seconds=60):
    """Waits until a condition is true, and returns its value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} seconds"
        time.sleep(0.1)
    return value


def end_with_the_test():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Daemons:
    """Processes that end with `with`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.running = {}

    def start(self, name, *command, env=None):
        log = open(self.folder / f"{name}.out", "ab")
        with log:
            self.running[name] = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=log,
                                                  stderr=log, env=env, preexec_fn=end_with_the_test)

    def stop(self, name, how=signal.SIGTERM):
        process = self.running.pop(name)
        process.send_signal(how)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def logs(self):
        return "".join(f"---- {f.name}\n{f.read_text(errors='replace')[-3000:]}"
                       for f in sorted(self.folder.glob("*.out")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in reversed(list(self.running)):
            self.stop(name)


SLURM = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
BatchStartTimeout=1
SlurmdTimeout=10
KillWait=1
SchedulerParameters=sched_interval=1
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
"""
SLURM_NEEDS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo", "scancel")


class Slurm(Daemons):
    """A cluster of two nodes, "one" and "two", which are processes of this machine."""

    def __enter__(self):
        key, socket_path = self.folder / "munge.key", self.folder / "munge.socket"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        for name in ("state", "one", "two"):
            (self.folder / name).mkdir()
        config = self.folder / "slurm.conf"
        config.write_text(SLURM.format(folder=self.folder, ports=free_ports(3), user=getpass.getuser(),
                                       host=socket.gethostname().split(".")[0]))
        self.environment = {"SLURM_CONF": str(config)}
        try:
            self.start("munged", program("munged"), "--foreground", "--force", f"--socket={socket_path}",
                       f"--key-file={key}", f"--pid-file={self.folder}/munged.pid",
                       f"--seed-file={self.folder}/munged.seed", f"--log-file={self.folder}/munged.log")
            wait_for(socket_path.exists)
            self.start("slurmctld", program("slurmctld"), "-D", env=self.variables())
            self.start_node("one")
            self.start_node("two")
            wait_for(lambda: self.output("sinfo", "--noheader", "--format=%T %D") == "idle 2")
        except BaseException as e:
            self.__exit__()
            raise AssertionError(f"Slurm does not start: {e}\n{self.logs()}") from e
        return self

    def __exit__(self, *how):
        self.output("scancel", f"--user={getpass.getuser()}")
        super().__exit__(*how)

    def variables(self):
        return {**os.environ, **self.environment}

    def output(self, *command):
        r = subprocess.run([program(command[0]), *command[1:]], env=self.variables(), capture_output=True, text=True)
        return r.stdout.strip()

    def start_node(self, name):
        self.start(name, program("slurmd"), "-D", "-N", name, env=self.variables())

    def lose_node(self, name, pid):
        """Kills a node together with the job to which a process belongs, and waits until Slurm knows it."""
        job = [pid]
        while (parent := parent_of(job[-1])) not in (0, 1, os.getpid(), self.running[name].pid):
            job.append(parent)
        self.stop(name, signal.SIGKILL)
        for pid in reversed(job):
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: self.output("sinfo", "--noheader", f"--nodes={name}", "--format=%T").startswith("down"), 120)


def parent_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


SSHD = """ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
SetEnv {variables}
"""
SSH = """Host *
HostName 127.0.0.1
Port {port}
IdentityFile {folder}/user
IdentitiesOnly yes
UserKnownHostsFile {folder}/known
StrictHostKeyChecking accept-new
LogLevel ERROR
"""
# The server has a /run and a home of its own.
OWN_FOLDERS = "mount -t tmpfs own /run && mkdir -m 755 /run/sshd && mount -t tmpfs own ~ && exec \"$@\""
SSH_NEEDS = ("sshd", "ssh", "ssh-keygen", "rsync", "unshare")


def can_unshare():
    """Returns whether this process may have mounts of its own."""
    return program("unshare") is not None and os.geteuid() == 0 and subprocess.run(
        ["unshare", "--mount", "true"], capture_output=True).returncode == 0


class Ssh(Daemons):
    """An SSH server for the user of this process. `config` is the configuration of a client."""

    def __init__(self, folder, variables):
        super().__init__(folder)
        self.variables = variables
        self.config = self.folder / "config"

    def __enter__(self):
        names = {"folder": self.folder, "port": free_ports(1)[0],
                 "variables": " ".join(f'{k}="{v}"' for k, v in self.variables.items())}
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / key], check=True)
        (self.folder / "sshd").write_text(SSHD.format(**names))
        self.config.write_text(SSH.format(**names))
        self.start("sshd", "unshare", "--mount", "sh", "-c", OWN_FOLDERS, "sh", program("sshd"), "-D", "-e", "-f",
                   self.folder / "sshd")
        try:
            wait_for(lambda: subprocess.run(["ssh", "-F", self.config, "here", "true"], stdin=subprocess.DEVNULL,
                                            capture_output=True).returncode == 0, 30)
        except BaseException as e:
            self.__exit__()
            raise AssertionError(f"sshd does not start: {e}\n{self.logs()}") from e
        return self
