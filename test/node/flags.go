package node

import "fmt"

const (
	apiPort  = 6443
	etcdAddr = "http://127.0.0.1:2379"
	// issuer of the tokens of service accounts.
	issuer = "https://kubernetes.default.svc.cluster.local"
)

// etcd in memory: it need not wait for a disk.
func etcd() program {
	const peers = "http://127.0.0.1:2380"
	return program{name: "etcd", flags: []string{
		"--data-dir=" + etcdData, "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls=" + etcdAddr, "--advertise-client-urls=" + etcdAddr,
		"--listen-peer-urls=" + peers, "--initial-advertise-peer-urls=" + peers, "--initial-cluster=default=" + peers,
	}}
}

// apiserver as installers start it: with RBAC, a front proxy for API servers behind it, and the APIs of Kubernetes' default.
func (c *Cluster) apiserver() program {
	return program{name: "kube-apiserver", flags: append([]string{
		"--etcd-servers=" + etcdAddr,
		fmt.Sprintf("--secure-port=%d", apiPort), "--advertise-address=" + c.node.Address.Addr().String(),
		"--service-cluster-ip-range=" + c.node.Services.String(),
		"--tls-cert-file=" + inside("pki", "apiserver.crt"), "--tls-private-key-file=" + inside("pki", "apiserver.key"),
		"--client-ca-file=" + inside("pki", "ca.crt"),
		"--kubelet-client-certificate=" + inside("pki", "apiserver-kubelet.crt"), "--kubelet-client-key=" + inside("pki", "apiserver-kubelet.key"),
		"--kubelet-certificate-authority=" + inside("pki", "ca.crt"), "--kubelet-preferred-address-types=InternalIP",
		"--service-account-issuer=" + issuer,
		"--service-account-key-file=" + inside("pki", "tokens.crt"), "--service-account-signing-key-file=" + inside("pki", "tokens.key"),
		"--requestheader-client-ca-file=" + inside("pki", "front-proxy-ca.crt"), "--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-uid-headers=X-Remote-Uid",
		"--requestheader-group-headers=X-Remote-Group", "--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + inside("pki", "front-proxy.crt"), "--proxy-client-key-file=" + inside("pki", "front-proxy.key"),
		"--authorization-mode=" + c.authorization, "--enable-admission-plugins=NodeRestriction", "--allow-privileged",
		"--shutdown-watch-termination-grace-period=1s", // else it waits a minute for watches to end by themselves
	}, c.flags...)}
}

// controllerManager that does not wait its turn: at the rate of its defaults the first service account comes six seconds late.
func controllerManager() program {
	return program{name: "kube-controller-manager", flags: append(known("controller-manager"),
		"--leader-elect=false", "--use-service-account-credentials", "--kube-api-qps=500", "--kube-api-burst=1000",
		"--service-account-private-key-file="+inside("pki", "tokens.key"), "--root-ca-file="+inside("pki", "ca.crt"),
		"--flex-volume-plugin-dir="+volumePlugins, "--bind-address=127.0.0.1",
	)}
}

func scheduler() program {
	return program{name: "kube-scheduler", flags: append(known("scheduler"), "--leader-elect=false", "--bind-address=127.0.0.1")}
}

// known to the API server, and who asks the program is known from there.
func known(as string) []string {
	file := inside("pki", as+".conf")
	return []string{"--kubeconfig=" + file, "--authentication-kubeconfig=" + file, "--authorization-kubeconfig=" + file}
}

func (c *Cluster) kubelet() program {
	return program{name: "kubelet", flags: []string{
		"--config=" + inside("kubelet.yaml"), "--kubeconfig=" + inside("pki", "kubelet.conf"),
		"--hostname-override=" + Name, "--node-ip=" + c.node.Address.Addr().String(), "--v=2",
	}}
}

func proxy() program {
	return program{name: "kube-proxy", flags: []string{"--config=" + inside("proxy.yaml")}}
}

func containerd() program {
	return program{name: "containerd", flags: []string{"--config=" + inside("containerd.toml")}}
}
