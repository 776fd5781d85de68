#!/bin/bash
# A Slurm of one node of its own, for tests: own_slurm.sh start DIR PORT | slurmd DIR | stop DIR. Needs the packages
# slurm-wlm and munge, and root. Everything it writes is below DIR. A task that exceeds its memory is ended, a node that
# does not answer is down after ten seconds, and what it computed is queued again. slurmd starts it again.
set -eu
action=$1
dir=$2
export SLURM_CONF="$dir/slurm.conf"
case $action in
start)
    host=$(hostname -s)
    memory=$(free -m | awk '/^Mem/ { print int($2 * 0.9) }')
    mkdir -p "$dir"/{spool,state}
    head -c 1024 /dev/urandom >"$dir/munge.key"
    chmod 400 "$dir/munge.key"
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
        --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
    cat >"$SLURM_CONF" <<END
ClusterName=tests
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
SlurmctldPort=$3
SlurmdPort=$(($3 + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=$((memory / $(nproc)))
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
AccountingStorageType=accounting_storage/none
ReturnToService=2
SchedulerParameters=sched_interval=2,sched_min_interval=100000
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    slurmctld
    slurmd
    for _ in $(seq 60); do
        sinfo --noheader --format=%t 2>/dev/null | grep -q idle && exit 0
        sleep 0.5
    done
    tail -n 5 "$dir"/*.log
    exit 1
    ;;
slurmd) slurmd ;;
stop)
    for name in slurmd slurmctld munged; do
        [ -s "$dir/$name.pid" ] && kill "$(cat "$dir/$name.pid")" || true
    done
    ;;
esac
