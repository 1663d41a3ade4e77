// Command conformance runs the conformance test of Kubernetes' e2e framework for resources of resource.k8s.io against
// the API server of a kubeconfig:
//
//	conformance KUBECONFIG VERSION/RESOURCE...
//
// It uses the objects and patches of Kubernetes' conformance tests of DRA, converted to the version.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/conformance"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: PROGRAM KUBECONFIG VERSION/RESOURCE...")
		os.Exit(2)
	}
	var resources []*resource
	for _, arg := range os.Args[2:] {
		r, err := newResource(arg)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		resources = append(resources, r)
	}
	// The test clusters have no controllers, which would delete namespaces and create service accounts.
	framework.TestContext.KubeConfig = os.Args[1]
	framework.TestContext.DeleteNamespace = false
	framework.TestContext.VerifyServiceAccount = false
	gomega.RegisterFailHandler(framework.Fail)
	ginkgo.Describe("resource.k8s.io", func() {
		f := framework.NewDefaultFramework("conformance")
		for i, r := range resources {
			ginkgo.It(os.Args[2+i], func(ctx context.Context) { architecture.TestResource(ctx, f, r) })
		}
	})
	framework.AfterReadingAllFlags(&framework.TestContext)
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomizeAllSpecs = false
	reporter.NoColor, reporter.Succinct = true, true
	run := &result{}
	if !ginkgo.RunSpecs(run, "conformance of "+strings.Join(os.Args[2:], ", "), suite, reporter) || run.failed {
		os.Exit(1)
	}
}

// result receives the result of Ginkgo.
type result struct{ failed bool }

func (r *result) Fail() { r.failed = true }
