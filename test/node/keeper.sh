#!/usr/bin/env bash
# Makes the namespaces of one node of a cluster and waits for their end, to take away what is left of them; it outlives whoever started it for as long as that
# takes. Its environment says what the node is: PLACE, the file that has all the rest, and to which it adds the node's first process.
#
#     keep    reads from what its owner has open for as long as the node is to live, and writes the number of that process, and that the node is ready;
#             3 is the place, which is locked for as long as somebody has it open
#     init    is that first process
#     remove  takes away what a node has left whose keeper was killed
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin

keep() {
	trap '' INT TERM HUP QUIT # Whoever ends the owner's processes one by one must not end this one first.
	trap leave EXIT
	# The node's own processes have no part in the lock: when this one was killed, whoever cleans up ends them first.
	unshare --mount --pid --net --ipc --uts --kill-child bash "$0" init <&0 3>&- &
	until INIT=$(<"/proc/$!/task/$!/children") && [ -n "$INIT" ]; do
		kill -0 $! # it has ended, and said why
		sleep 0.02
	done
	INIT=${INIT% }
	STARTED=$(started)
	printf 'INIT=%s\nSTARTED=%s\n' $INIT "$STARTED" >>"$PLACE"
	echo $INIT
	exec </dev/null >&2
	connect
	wait $! || true # it is killed, or its owner is gone: how it ends says nothing
}

# leave nothing. What says that the node is there goes last: should anything stay, the next owner finds it there.
leave() {
	local how=$?
	remove && rm "$PLACE" && exit $how
	exit 1
}

# Connects the node with the machine: cgroups, a link, and routes to what is behind it. The node waits for its end of the link, which comes last.
connect() {
	for hierarchy in $(hierarchies); do
		mkdir -p "$hierarchy/$NAME"
		# In version 2 a folder gives its children the controllers that it says, and so must the root above it: there they stay given, as a kubelet of the machine
		# would leave them.
		for controller in cpu cpuset memory pids; do
			if grep -qsw $controller "$hierarchy/cgroup.controllers"; then
				echo +$controller | tee "$hierarchy/cgroup.subtree_control" >"$hierarchy/$NAME/cgroup.subtree_control"
			fi
		done
	done
	ip link add "$LINK" type veth peer name "$LINK-in"
	ip address add "$MACHINE" dev "$LINK"
	ip link set "$LINK" up
	ip route add "$PODS" via "${ADDRESS%/*}" dev "$LINK"
	ip route add "$SERVICES" via "${ADDRESS%/*}" dev "$LINK"
	ip link set "$LINK-in" netns $INIT name eth0
}

# hierarchies of cgroups: one of version 2, or one for each controller of version 1, or both.
hierarchies() { sed -nE 's/^\S+ (\S+) cgroup2? .*/\1/p' /proc/self/mounts | sort -u; }

# started says when the first process of the node was, in ticks since the machine started: numbers are given out again.
started() { stat && echo "${stat[19]}"; }

# stat is that of the first process from its state on, the third field of proc_pid_stat(5); the one before it is a name in parentheses.
stat() { read -r line 2>/dev/null <"/proc/$INIT/stat" && read -ra stat <<<"${line##*) }"; }

# Takes away all that is there of the node. What it mounts goes with its processes. It may be done again.
remove() {
	if [ -z "${NAME-}" ]; then return 0; fi # there was no node yet
	local failed=0
	if lives; then kill -KILL "$INIT" || true; fi # it may end by itself
	within_reason ends || failed=1
	within_reason unlinked || failed=1
	for hierarchy in $(hierarchies); do
		within_reason gone "$hierarchy/$NAME" || failed=1
	done
	rm -rf "$FOLDER" || failed=1
	return $failed
}

# The kernel ends all other processes of its namespace before the first one is a zombie, which nobody has asked how it ended.
lives() { [ -n "${INIT-}" ] && stat && [ "${stat[19]}" = "$STARTED" ] && [ "${stat[0]}" != Z ]; }
ends() { ! lives; }

# unlinked is the machine, also of routes through the link. The kernel may be about to do that itself.
unlinked() { [ ! -e "/sys/class/net/$LINK" ] || ip link delete "$LINK" || [ ! -e "/sys/class/net/$LINK" ]; } 2>/dev/null

# gone is a folder of cgroups with those in it. They have files that cannot be removed, and go without.
gone() { [ ! -e "$1" ] || find "$1" -depth -type d -exec rmdir {} + || [ ! -e "$1" ]; } 2>/dev/null

# within_reason the kernel ends processes and gives up what they had.
within_reason() {
	for _ in {1..1500}; do
		if "$@"; then return 0; fi
		sleep 0.02
	done
	echo "keeper: $*: not within 30 seconds" >&2
	return 1
}

# Makes the node's root and its network, then waits for the end of its owner, and meanwhile, as shells do, for those who have lost their parents. Its end is that
# of all other processes in the node.
init() {
	root
	until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
	ip link set lo up
	ip address add "$ADDRESS" dev eth0
	ip link set eth0 up
	# The kernel looks for a route to a Service before kube-proxy's rules give its packets another destination. This one is never gone.
	ip route add "$SERVICES" via "${MACHINE%/*}"
	echo 1 >/proc/sys/net/ipv4/ip_forward # of this namespace
	echo ready
	exec >/dev/null
	cat
}

# The root of the node: programs and libraries of the machine, which cannot be written; its devices and cgroups; all else is the node's own and in memory.
root() {
	local root=$FOLDER/root
	mount -t tmpfs -o mode=0755 tmpfs "$root"
	cd "$root"
	for folder in /usr /bin /sbin /lib /lib32 /lib64 /libx32; do # not every machine has each, and on most all but usr are links into it
		if [ -L $folder ]; then
			cp -P $folder .$folder
		elif [ -d $folder ]; then
			show $folder .$folder
		fi
	done
	mkdir -p etc node/etc/upper node/etc/work dev proc sys run var node/etcd node/state
	mount -t overlay -o "lowerdir=/etc,upperdir=$root/node/etc/upper,workdir=$root/node/etc/work" overlay etc
	mount --rbind /dev dev
	mount -t proc -o nosuid,nodev,noexec proc proc
	mount -t sysfs -o nosuid,nodev,noexec sysfs sys
	mount --rbind /sys/fs/cgroup sys/fs/cgroup
	mount -t tmpfs -o nosuid,nodev,mode=0755 tmpfs run
	mount -t tmpfs -o mode=0755,size=3g tmpfs var # images, containers and their logs; what is not used takes no memory
	mount -t tmpfs -o mode=0700 tmpfs node/etcd   # apart from the disk: a full one is the pods' matter
	mount --bind "$FOLDER" node/state
	show "$PROGRAMS" node/programs
	show "$CONTROLPLANE" node/controlplane
	mkdir -p var/lib/kubelet var/lib/containerd var/log/pods var/tmp run/lock etc/cdi
	ln -s /run var/run
	mkdir -m 1777 tmp
	settings
	# From now on what is mounted is seen in the containers that ask for that, and only there.
	mkdir node/machine
	pivot_root . node/machine
	cd /
	export PATH=$PATH_INSIDE
	umount -l /node/machine
	rmdir /node/machine
	mount --make-rshared /
	echo "$HOSTNAME_INSIDE" >/proc/sys/kernel/hostname
}

# show a folder of the machine, which cannot be written there.
show() {
	mkdir -p "$2"
	mount --bind -o ro "$1" "$2"
}

# What a kubelet of a machine of its own wants (pkg/kubelet/cm, setupKernelTunables). It would set what it finds otherwise, for the whole machine: no namespace has
# these settings of its own. So it finds them as it likes them, in files over the real ones.
settings() {
	for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
		local name=${setting%=*} value=${setting#*=}
		mkdir -p "node/settings/${name%/*}"
		echo "$value" >"node/settings/$name"
		mount --bind "node/settings/$name" "proc/sys/$name"
	done
}

"$1"
exit
