package preflight

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	certutil "k8s.io/client-go/util/cert"
)

// servingSecret is the Secret with the serving certificate, unless the Deployment names another.
const servingSecret = "claimbridge-tls"

// servingCertificate is the certificate that claimbridge serves, with its chain. If claimbridge issues its own
// certificates (--certificates=self), only their CA is in a Secret.
type servingCertificate struct {
	object string // the Secret, as reasons name it
	chain  []*x509.Certificate
	isCA   bool
}

// servingCertificate reads the certificate from the Secret that the Deployment mounts, or from the Secret of the
// server's own CA.
func (c *cluster) servingCertificate(ctx context.Context) (*servingCertificate, error) {
	deployment, err := c.deployment(ctx)
	if err != nil {
		return nil, err
	}
	secretName := servingSecret
	isCA := false
	if deployment != nil {
		for _, volume := range deployment.Spec.Template.Spec.Volumes {
			if volume.Secret != nil {
				secretName = volume.Secret.SecretName
			}
		}
		for _, value := range flagValues(deployment, "certificate-secret") {
			secretName = value[strings.LastIndex(value, "/")+1:]
			isCA = true
		}
	}
	secret, err := get[corev1.Secret](ctx, c, secrets, c.Namespace, secretName)
	object := secrets.describe(c.Namespace, secretName)
	switch {
	case err != nil:
		return nil, err
	case secret == nil && deployment == nil:
		return nil, unknown("%s does not exist, and no Deployment %s names another Secret", object, appName)
	case secret == nil:
		return nil, fmt.Errorf("%s does not exist, but the Deployment names it", object)
	}
	chain, err := certutil.ParseCertsPEM(secret.Data[corev1.TLSCertKey])
	if err != nil {
		return nil, fmt.Errorf("%s has no certificate in %s: %w", object, corev1.TLSCertKey, err)
	}
	return &servingCertificate{object, chain, isCA}, nil
}

// renewalDivisor is the divisor for the warning: a certificate should have been renewed before a tenth of its life is
// left. cert-manager and claimbridge renew it when a third is left.
const renewalDivisor = 10

func certificateIsCurrent(ctx context.Context, c *cluster) error {
	calls, err := c.serviceCalls(ctx)
	if err != nil || len(calls) == 0 {
		return err
	}
	certificate, err := c.servingCertificate(ctx)
	if err != nil {
		return err
	}
	subject := "the serving certificate"
	if certificate.isCA {
		subject = "the CA of the serving certificate"
	}
	leaf := certificate.chain[0]
	now := time.Now()
	date := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
	switch {
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("%s: %s is not valid before %s", certificate.object, subject, date(leaf.NotBefore))
	case now.After(leaf.NotAfter):
		return fmt.Errorf("%s: %s expired on %s", certificate.object, subject, date(leaf.NotAfter))
	case leaf.NotAfter.Sub(now) < leaf.NotAfter.Sub(leaf.NotBefore)/renewalDivisor:
		return warning("%s: %s expires on %s and has not been renewed", certificate.object, subject,
			date(leaf.NotAfter))
	}
	return nil
}

func certificateIsTrusted(ctx context.Context, c *cluster) error {
	calls, err := c.serviceCalls(ctx)
	if err != nil || len(calls) == 0 {
		return err
	}
	certificate, certificateErr := c.servingCertificate(ctx)
	host := appName + "." + c.Namespace + ".svc"
	err = each(calls, func(call call) error {
		if len(bytes.TrimSpace(call.caBundle)) == 0 {
			return fmt.Errorf("%s.caBundle is empty", call.field)
		}
		if certificate == nil {
			return nil // certificateErr says why
		}
		bundle, err := certutil.ParseCertsPEM(call.caBundle)
		if err = cmp.Or(err, certificate.verify(bundle, host)); err != nil {
			return fmt.Errorf("%s.caBundle does not match the certificate in %s: %w",
				call.field, certificate.object, err)
		}
		return nil
	})
	return errors.Join(err, certificateErr)
}

// verify returns an error if a client that trusts the bundle does not trust the certificate for a host.
func (s *servingCertificate) verify(bundle []*x509.Certificate, host string) error {
	if s.isCA {
		if slices.ContainsFunc(bundle, s.chain[0].Equal) {
			return nil
		}
		return errors.New("the CA is not in the bundle")
	}
	pool := func(all []*x509.Certificate) *x509.CertPool {
		pool := x509.NewCertPool()
		for _, certificate := range all {
			pool.AddCert(certificate)
		}
		return pool
	}
	_, err := s.chain[0].Verify(x509.VerifyOptions{
		DNSName: host, Roots: pool(bundle), Intermediates: pool(s.chain[1:]),
	})
	return err
}
