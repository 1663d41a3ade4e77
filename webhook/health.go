package webhook

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

func (s *Server) checkCertificate(*http.Request) error {
	_, err := s.certificate()
	return err
}

func (s *Server) checkShutdown(*http.Request) error {
	if s.draining.Load() {
		return errors.New("the server is stopping")
	}
	return nil
}

// sample is a claim with an allocation, so that its spec, its status and preserved data are converted.
const sample = `{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim",` +
	`"metadata":{"name":"sample","namespace":"default","uid":"00000000-0000-0000-0000-000000000000"},` +
	`"spec":{"resourceClassName":"gpu.example.com","allocationMode":"Immediate"},` +
	`"status":{"driverName":"gpu.example.com","allocation":{"resourceHandle":"gpu-0","shareable":true}}}`

// checkConversion converts the sample to the stored version and back. The result must equal the sample: no preserved
// data remains in annotations.
func checkConversion(*http.Request) error {
	options := conversion.Options{Manifest: true}
	up, _, err := conversion.ConvertJSON([]byte(sample), conversion.Stored(), options)
	if err != nil {
		return err
	}
	back, _, err := conversion.ConvertJSON(up, conversion.Versions()[0], options)
	if err != nil {
		return err
	}
	if !conversion.Equal(back, []byte(sample)) {
		return fmt.Errorf("a claim changed in a round trip from %s to %s", conversion.Versions()[0],
			conversion.Stored())
	}
	return nil
}
