package certificates

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// cluster that all tests share. Each has a group, a namespace and names of its own in it.
var cluster struct {
	config     *rest.Config // of an administrator
	kubeconfig []byte
	core       kubernetes.Interface
	dynamic    dynamic.Interface
}

func TestMain(m *testing.M) {
	os.Exit(run(m)) //nolint:forbidigo // TestMain
}

func run(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		return 0
	}
	environment := &envtest.Environment{}
	if err := start(environment); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = environment.Stop() }()
	return m.Run()
}

func start(environment *envtest.Environment) (err error) {
	if cluster.config, err = environment.Start(); err != nil {
		return err
	}
	cluster.config.QPS = -1
	cluster.config.WarningHandlerWithContext = silent{}
	admin, err := environment.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, cluster.config)
	if err != nil {
		return err
	}
	if cluster.kubeconfig, err = admin.KubeConfig(); err != nil {
		return err
	}
	if cluster.core, err = kubernetes.NewForConfig(cluster.config); err != nil {
		return err
	}
	cluster.dynamic, err = dynamic.NewForConfig(cluster.config)
	return err
}

// silent about deprecated versions, which are called on purpose.
type silent struct{}

func (silent) HandleWarningHeaderWithContext(context.Context, int, string, string) {}
