package main

import (
	"context"
	"fmt"

	cmapi "github.com/cert-manager/cert-manager/pkg/api"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func inject(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("cainjector: %w", err)
	}
	config.UserAgent = "cert-manager-cainjector"
	for _, add := range []func() error{
		func() error { return scheme.AddToScheme(cmapi.Scheme) },
		func() error { return apiextensionsv1.AddToScheme(cmapi.Scheme) },
	} {
		if err := add(); err != nil {
			return fmt.Errorf("cainjector: %w", err)
		}
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: cmapi.Scheme, Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		return fmt.Errorf("cainjector: %w", err)
	}
	if err := cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{
		EnableCertificatesDataSource: true,
		EnabledReconcilersFor: map[string]bool{
			cainjector.MutatingWebhookConfigurationName:   true,
			cainjector.ValidatingWebhookConfigurationName: true,
			cainjector.CustomResourceDefinitionName:       true,
		},
	}); err != nil {
		return fmt.Errorf("cainjector: %w", err)
	}
	return manager.Start(ctx)
}
