package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/cert-manager/cert-manager/pkg/controller"
	"github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	crca "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	crselfsigned "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	"github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"         // registers the Issuer kind CA
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned" // registers the Issuer kind SelfSigned
)

// controllers are the controllers of cert-manager that issue Certificates of the Issuer kinds SelfSigned and CA.
var controllers = []string{
	issuers.ControllerName,
	trigger.ControllerName, keymanager.ControllerName, requestmanager.ControllerName, issuing.ControllerName,
	readiness.ControllerName, revisionmanager.ControllerName,
	approver.ControllerName, crselfsigned.CRControllerName, crca.CRControllerName,
}

// runController runs the controllers, without leader election. It uses the in-cluster configuration if kubeconfig is
// "".
func runController(ctx context.Context, kubeconfig string) error {
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig: kubeconfig, KubernetesAPIQPS: 20, KubernetesAPIBurst: 50,
		IssuerOptions: controller.IssuerOptions{ClusterResourceNamespace: "kube-system"},
		CertificateOptions: controller.CertificateOptions{
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
	})
	if err != nil {
		return err
	}
	controllerContext, err := factory.Build()
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	for _, name := range controllers {
		instance, err := controller.Known()[name](factory)
		if err != nil {
			return fmt.Errorf("controller %s: %w", name, err)
		}
		group.Go(func() {
			if err := instance.Run(1, ctx); err != nil {
				fmt.Fprintln(os.Stderr, name, err)
			}
		})
	}
	controllerContext.SharedInformerFactory.Start(ctx.Done())
	controllerContext.KubeSharedInformerFactory.Start(ctx.Done())
	group.Wait()
	return nil
}
