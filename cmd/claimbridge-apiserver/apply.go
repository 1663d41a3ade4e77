package main

import (
	"fmt"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
)

// apply the options to the configuration of a generic server.
func (o *options) apply(config *genericapiserver.Config, cluster *rest.Config, versions []string) (err error) {
	if o.authn.RemoteKubeConfigFile == "" {
		o.authn.RemoteKubeConfigFile = o.kubeconfig
	}
	if o.authz.RemoteKubeConfigFile == "" {
		o.authz.RemoteKubeConfigFile = o.kubeconfig
	}
	if err = o.certificates.apply(cluster, versions, o.secure); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	if o.secure.ServerCert.GeneratedCert == nil {
		if err = o.secure.MaybeDefaultWithSelfSignedCerts("localhost", nil, nil); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	if err = o.secure.ApplyTo(&config.SecureServing, &config.LoopbackClientConfig); err != nil {
		return err
	}
	if err = o.authn.ApplyTo(&config.Authentication, config.SecureServing, config.OpenAPIConfig); err != nil {
		return fmt.Errorf("authentication: %w", err)
	}
	config.Authentication.Authenticator = newFrontProxy(config.Authentication.RequestHeaderConfig, config.Authentication.Authenticator)
	if config.Authorization.Authorizer, err = o.authorizer(); err != nil {
		return fmt.Errorf("authorization: %w", err)
	}
	if err = o.audit.ApplyTo(config); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	config.MaxRequestsInFlight, config.MaxMutatingRequestsInFlight = o.maxReads, o.maxWrites
	config.ShutdownDelayDuration = o.shutdownDelay
	config.ShutdownWatchTerminationGracePeriod = o.shutdownWatchGracePeriod
	return nil
}
