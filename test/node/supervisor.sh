#!/usr/bin/env bash
# Creates the namespaces of a node, and deletes the node when the process that started it ends. Its environment describes the node. SLOT is the file with
# all other variables. The script appends the process ID of the node's first process to it.
#
#     run     runs a node until stdin is closed, which is open in the process that started it. Prints the process ID of the first process, and "ready"
#             when the node is ready. File descriptor 3 is the slot, which is locked as long as a process has it open.
#     init    is the first process of the node
#     remove  deletes the objects of a node whose supervisor was killed
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin

run() {
	trap '' INT TERM HUP QUIT # signals to all processes of a test must not stop this one
	trap delete_node EXIT
	# The node's processes don't hold the lock: if this process is killed, the next start locks the slot and kills them.
	unshare --mount --pid --net --ipc --uts --kill-child bash "$0" init <&0 3>&- &
	until INIT=$(<"/proc/$!/task/$!/children") && [ -n "$INIT" ]; do
		kill -0 $! # fails if unshare has exited, after it printed the reason
		sleep 0.02
	done
	INIT=${INIT% }
	STARTED=$(start_time)
	printf 'INIT=%s\nSTARTED=%s\n' $INIT "$STARTED" >>"$SLOT"
	echo $INIT
	exec </dev/null >&2
	connect
	wait $! || true # the exit code depends on how the node ended, and is no error
}

# delete_node deletes the node and then its slot file. If an object can't be deleted, the file is kept for the next start.
delete_node() {
	local code=$?
	remove && rm "$SLOT" && exit $code
	exit 1
}

# connect creates the node's cgroups, its link, and routes to its networks. The node waits for its end of the link, which is moved last.
connect() {
	for hierarchy in $(list_hierarchies); do
		mkdir -p "$hierarchy/$NAME"
		# In cgroups v2 a cgroup delegates controllers to its children explicitly, and the root cgroup has to do so too. There they stay delegated, as with a
		# kubelet that runs directly on the machine.
		for controller in cpu cpuset memory pids; do
			if grep -qsw $controller "$hierarchy/cgroup.controllers"; then
				echo +$controller | tee "$hierarchy/cgroup.subtree_control" >"$hierarchy/$NAME/cgroup.subtree_control"
			fi
		done
	done
	ip link add "$LINK" type veth peer name "$LINK-in"
	ip address add "$HOST_ADDRESS" dev "$LINK"
	ip link set "$LINK" up
	ip route add "$POD_CIDR" via "${NODE_ADDRESS%/*}" dev "$LINK"
	ip route add "$SERVICE_CIDR" via "${NODE_ADDRESS%/*}" dev "$LINK"
	ip link set "$LINK-in" netns $INIT name eth0
}

# list_hierarchies prints the mount points of cgroups: one of v2, or one for each controller of v1, or both.
list_hierarchies() { sed -nE 's/^\S+ (\S+) cgroup2? .*/\1/p' /proc/self/mounts | sort -u; }

# start_time prints the start time of the first process, in ticks since boot. It identifies the process, because process IDs are reused.
start_time() { read_stat && echo "${stat[19]}"; }

# read_stat reads proc_pid_stat(5) of the first process, from the third field (state). The second field is a name in parentheses.
read_stat() { read -r line 2>/dev/null <"/proc/$INIT/stat" && read -ra stat <<<"${line##*) }"; }

# remove deletes all objects of the node. Its mounts end with its processes. It can be repeated.
remove() {
	if [ -z "${NAME-}" ]; then return 0; fi # the node was never started
	local failed=0
	if is_running; then kill -KILL "$INIT" || true; fi # it may exit before the signal
	wait_until has_exited || failed=1
	wait_until delete_link || failed=1
	for hierarchy in $(list_hierarchies); do
		wait_until delete_cgroup "$hierarchy/$NAME" || failed=1
	done
	rm -rf "$FOLDER" || failed=1
	return $failed
}

# The kernel kills all other processes of the namespace before the first one becomes a zombie.
is_running() { [ -n "${INIT-}" ] && read_stat && [ "${stat[19]}" = "$STARTED" ] && [ "${stat[0]}" != Z ]; }
has_exited() { ! is_running; }

# delete_link deletes the link, and so the routes through it. The kernel may delete it at the same time.
delete_link() { [ ! -e "/sys/class/net/$LINK" ] || ip link delete "$LINK" || [ ! -e "/sys/class/net/$LINK" ]; } 2>/dev/null

# delete_cgroup deletes a cgroup and its descendants. Their files can't be deleted separately, and disappear with them.
delete_cgroup() { [ ! -e "$1" ] || find "$1" -depth -type d -exec rmdir {} + || [ ! -e "$1" ]; } 2>/dev/null

# wait_until waits up to 30 seconds until a command succeeds.
wait_until() {
	for _ in {1..1500}; do
		if "$@"; then return 0; fi
		sleep 0.02
	done
	echo "supervisor: $* failed for 30 seconds" >&2
	return 1
}

# init creates the root file system and the network of the node. Then it waits until stdin is closed. The shell reaps orphaned processes. When it exits, the
# kernel kills all other processes in the node.
init() {
	create_root
	until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
	ip link set lo up
	ip address add "$NODE_ADDRESS" dev eth0
	ip link set eth0 up
	# The kernel needs a route to a Service before kube-proxy's rules change the destination of a packet. The next hop always exists.
	ip route add "$SERVICE_CIDR" via "${HOST_ADDRESS%/*}"
	echo 1 >/proc/sys/net/ipv4/ip_forward # only in this namespace
	echo ready
	exec >/dev/null
	cat
}

# create_root creates the root file system: programs and libraries of the machine, read-only; its devices and cgroups; and all else in memory.
create_root() {
	local root=$FOLDER/root
	mount -t tmpfs -o mode=0755 tmpfs "$root"
	cd "$root"
	for folder in /usr /bin /sbin /lib /lib32 /lib64 /libx32; do # some machines lack some of them, and on most all except usr are links into usr
		if [ -L $folder ]; then
			cp -P $folder .$folder
		elif [ -d $folder ]; then
			mount_read_only $folder .$folder
		fi
	done
	mkdir -p etc node/etc/upper node/etc/work dev proc sys run var node/etcd node/state
	mount -t overlay -o "lowerdir=/etc,upperdir=$root/node/etc/upper,workdir=$root/node/etc/work" overlay etc
	mount --rbind /dev dev
	mount -t proc -o nosuid,nodev,noexec proc proc
	mount -t sysfs -o nosuid,nodev,noexec sysfs sys
	mount --rbind /sys/fs/cgroup sys/fs/cgroup
	mount -t tmpfs -o nosuid,nodev,mode=0755 tmpfs run
	mount -t tmpfs -o mode=0755,size=3g tmpfs var # images, containers and their logs; free space uses no memory
	mount -t tmpfs -o mode=0700 tmpfs node/etcd   # not on the disk of pods, which a test can fill
	mount --bind "$FOLDER" node/state
	mount_read_only "$NODE_PROGRAMS" node/programs
	mount_read_only "$CONTROL_PLANE_PROGRAMS" node/controlplane
	mkdir -p var/lib/kubelet var/lib/containerd var/log/pods var/tmp run/lock etc/cdi
	ln -s /run var/run
	mkdir -m 1777 tmp
	replace_kernel_settings
	# Mounts after this point propagate to containers that request it, and not to the machine.
	mkdir node/machine
	pivot_root . node/machine
	cd /
	export PATH=$NODE_PATH
	umount -l /node/machine
	rmdir /node/machine
	mount --make-rshared /
	echo "$NODE_HOSTNAME" >/proc/sys/kernel/hostname
}

# mount_read_only mounts a folder of the machine read-only.
mount_read_only() {
	mkdir -p "$2"
	mount --bind -o ro "$1" "$2"
}

# replace_kernel_settings mounts files over kernel settings that a kubelet requires (pkg/kubelet/cm, setupKernelTunables). They have no namespaces, so the
# kubelet would change them for the whole machine. It does not write settings that already have the value.
replace_kernel_settings() {
	for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
		local name=${setting%=*} value=${setting#*=}
		mkdir -p "node/settings/${name%/*}"
		echo "$value" >"node/settings/$name"
		mount --bind "node/settings/$name" "proc/sys/$name"
	done
}

"$1"
exit
