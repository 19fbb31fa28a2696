#!/usr/bin/env bash
# A cluster of one node on this machine, for tests: a munged, a slurmctld and a slurmd, all below one folder, on
# ports of loopback. Needs root and Debian's munge and slurm-wlm.
#
#   slurm-up.sh up <folder> [<CPUs of the node>]   starts it, and prints what its clients need, as NAME=value
#   slurm-up.sh down <folder>                      ends all of it, by the process ids in the folder
set -euo pipefail

usage() {
  echo "usage: $0 up|down <absolute folder> [<CPUs>]" >&2
  exit 2
}

[ $# -ge 2 ] || usage
command="$1" folder="$2" cpus="${3:-2}"
case "$folder" in /*) ;; *) usage ;; esac
conf="$folder/slurm.conf"
cluster="wisp$(printf %s "$folder" | cksum | cut -d ' ' -f 1)"
export SLURM_CONF="$conf"

# A pair of ports that nobody listens on now. Another cluster may be faster: then slurmctld ends, and others are tried.
free_port() {
  local port
  for _ in $(seq 100); do
    port=$((20000 + RANDOM % 10000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || {
      echo "$port"
      return
    }
  done
  echo "no port is free" >&2
  exit 1
}

configure() {
  mkdir -p "$folder"/{munge,state,spool,log}
  chmod 755 "$folder" "$folder/munge"
  chmod 700 "$folder/state" "$folder/spool" "$folder/log"
  head -c 1024 /dev/urandom >"$folder/munge/key"
  chmod 400 "$folder/munge/key"
  cat >"$conf" <<END
ClusterName=$cluster
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
PlugStackConfig=$folder/plugstack.conf
# No cgroups, no accounting, no mail: what a container without rights over its cgroups can have.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
# What a test waits for takes seconds, not minutes.
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,requeue_setup_env_fail
KillWait=5
OverTimeLimit=0
MinJobAge=5
InactiveLimit=0
ReturnToService=1
SlurmdParameters=config_overrides
SlurmctldTimeout=30
SlurmdTimeout=30
MessageTimeout=10
JobRequeue=1
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=1024 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=60 State=UP
END
  echo "CgroupAutomount=no" >"$folder/cgroup.conf"
  : >"$folder/plugstack.conf"
}

start_munged() {
  munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munged.pid" --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" \
    --num-threads=2
}

# Whether the node is idle, within a minute.
settle() {
  for _ in $(seq 600); do
    [ "$(sinfo --noheader --format=%T 2>/dev/null | sort -u)" = idle ] && return 0
    if has_died slurmctld || has_died slurmd; then return 1; fi
    sleep 0.1
  done
  return 1
}

alive() {
  local pid
  pid=$(cat "$folder/$1.pid" 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null
}

# A daemon writes its id only some time after the command that started it has ended.
has_died() {
  [ -s "$folder/$1.pid" ] && ! alive "$1"
}

up() {
  configure
  start_munged
  slurmctld -c >&2
  slurmd >&2
  settle && return 0
  tail -n 20 "$folder"/log/* >&2
  down
  return 1
}

# Ends all jobs, and waits until the daemons of their steps have ended, too.
cancel_all() {
  timeout 10 scancel --user="$(id -un)" 2>/dev/null || return 0
  for _ in $(seq 150); do
    [ -z "$(timeout 10 squeue --noheader 2>/dev/null)" ] && return 0
    sleep 0.1
  done
}

down() {
  local name pid
  if [ -e "$conf" ] && alive slurmctld; then cancel_all; fi
  for name in slurmctld slurmd munged; do
    pid=$(cat "$folder/$name.pid" 2>/dev/null || true)
    [ -n "$pid" ] || continue
    kill -TERM "$pid" 2>/dev/null || true
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
  done
}

case "$command" in
  up)
    up
    echo "SLURM_CONF=$conf"
    ;;
  down) down ;;
  *) usage ;;
esac
